/** A real dockerd with the configuration that the script writes pulls from a mirror with a CA of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { compose } from '../../src/script/compose.ts';
import type { Registries } from '../../src/script/types.ts';
import { parseVersion } from '../../src/script/versions.ts';
import { exitCode } from '../script/bash.ts';
import { exampleInput } from '../script/example-input.ts';
import { type ClosedNetwork, closedNetwork } from './closed-network.ts';
import { asNode } from './namespace.ts';

const docker = inject('docker');

/** In the namespace, from what the names lead to there: docker trusts whatever answers at a loopback address. */
const forward = `
import socket, sys, threading
def copy(one, other):
  try:
    while True:
      data = one.recv(65536)
      if not data: break
      other.sendall(data)
    other.shutdown(socket.SHUT_WR)
  except OSError: pass
listener = socket.create_server(("192.0.2.1", int(sys.argv[1])))
while True:
  near = listener.accept()[0]
  far = socket.socket(socket.AF_UNIX)
  far.connect(sys.argv[2])
  for pair in ((near, far), (far, near)): threading.Thread(target=copy, args=pair, daemon=True).start()
`;

/** Runs the step of a composed script, then `commands`, in namespaces of its own, which take dockerd with them when they end. */
async function onNode(network: ClosedNetwork, registries: Registries, commands: string, before = '') {
  const { registry, scratch } = network;
  const door = join(dirname(scratch), 'registry.sock');
  const proxy = createServer((near) => {
    const far = connect(registry.port, '127.0.0.1');
    for (const end of [near, far]) end.on('error', () => [near, far].map((socket) => socket.destroy()));
    near.pipe(far).pipe(near);
  });
  proxy.listen(door);
  onTestFinished(() => void proxy.close());
  const input = exampleInput({
    registries,
    runtime: 'docker',
    runtimeVersion: parseVersion('20.10.24')!,
    cgroupDriver: 'cgroupfs',
  });
  const functions = compose(input).text.replace(/main "\$@"\n$/, '');
  const libraries = ['x86_64', 'aarch64'].flatMap((arch) =>
    ['lib', 'usr/lib'].map((lib) => `${docker}/${lib}/${arch}-linux-gnu`),
  );
  const script = `${asNode(scratch)}
    export PATH='${docker}/usr/bin:${docker}/usr/sbin':$PATH LD_LIBRARY_PATH='${libraries.join(':')}'
    sed -i 's/^127.0.0.1 registry.example.com/192.0.2.1 registry.example.com/' /etc/hosts
    ip link set lo up
    ip address add 192.0.2.1/32 dev lo
    python3 -c '${forward}' ${registry.port} '${door}' &
    ${functions}
    RUN=$(mktemp -d)
    ensure_running() {
      [[ ! -S /var/run/docker.sock ]] || return 0
      dockerd --bridge=none --iptables=false >"$RUN/dockerd" 2>&1 &
      until docker info >/dev/null 2>&1; do
        kill -0 $! 2>/dev/null || { cat "$RUN/dockerd"; exit 99; }
        command sleep 0.1
      done
    }
    ${before}
    configure_docker
    ${commands}`;
  const words = [
    '--mount',
    '--net',
    '--propagation',
    'private',
    '--pid',
    '--fork',
    '--kill-child',
    '--mount-proc',
    'bash',
    '-c',
    script,
  ];
  const child = spawn('unshare', words, { stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (log += text));
  const [status] = await once(child, 'close');
  return { status, log };
}

const mirrorOf = (port: number, caPem: string): Registries => ({
  mirrors: [{ registry: 'docker.io', url: `https://mirror.example.com:${port}` }],
  caPem,
  caHosts: [`mirror.example.com:${port}`],
});
const pull = 'docker pull -q docker.io/library/pause:3.9';

describe.skipIf(!docker)('docker 20.10', () => {
  test('a mirror of docker.io, of a CA of its own, beside one of the user’s', async () => {
    const network = await closedNetwork();
    const { registry, ours } = network;
    const before = `mkdir -p /etc/docker
      echo '{"registry-mirrors": ["https://other.invalid"]}' >/etc/docker/daemon.json`;
    const { status, log } = await onNode(network, mirrorOf(registry.port, ours), `check_registries\n${pull}`, before);
    expect(status, log).toBe(0);
    expect(registry.asked).toContain('/v2/library/pause/manifests/3.9');
  });

  test('a registry of the user’s own', async () => {
    const network = await closedNetwork();
    const { registry, ours } = network;
    const own = `registry.example.com:${registry.port}`;
    const { status, log } = await onNode(
      network,
      { mirrors: [], caPem: ours, caHosts: [own] },
      `docker pull -q ${own}/pause:3.9`,
    );
    expect(status, log).toBe(0);
    expect(registry.asked).toContain('/v2/pause/manifests/3.9');
  });

  test('with another CA the pull fails', async () => {
    const network = await closedNetwork();
    const { registry, theirs } = network;
    const own = `registry.example.com:${registry.port}`;
    const registries = { mirrors: [], caPem: theirs, caHosts: [own] };
    const { status, log } = await onNode(network, registries, `docker pull -q ${own}/pause:3.9 && exit 98; exit 97`);
    expect(status, log).toBe(97);
    expect(log).toContain('certificate signed by unknown authority');
  });

  test('a daemon that has not taken the mirror over stops', async () => {
    const network = await closedNetwork();
    const { registry, ours } = network;
    const before = 'write_file() { cat >/dev/null; }';
    const { status, log } = await onNode(network, mirrorOf(registry.port, ours), '', before);
    expect(status, log).toBe(exitCode('runtime-config'));
  });
});
