/** A real containerd with the configuration that the script writes pulls the pause image in a closed network. */
import { describe, expect, inject, test } from 'vitest';
import type { KubeadmInput, Registries } from '../../src/script/types.ts';
import { parseVersion } from '../../src/script/versions.ts';
import { exitCode } from '../script/bash.ts';
import { closedNetwork } from './closed-network.ts';
import { pullImage } from './cri.ts';
import { startNode } from './node.ts';

const containerds = inject('containerds');
const configure = 'configure_containerd\nrun_steps configure_registries';

const mirrorOf = (registry: string | undefined, port: number, caPem: string, path = ''): Registries => ({
  mirrors: [{ registry, url: `https://mirror.example.com:${port}${path}` }],
  caPem,
  caHosts: [`mirror.example.com:${port}`],
});
const none: Registries = { mirrors: [], caPem: undefined, caHosts: [] };
/** Nobody knows its registry. */
const upstream = 'registry.invalid/google_containers/pause:3.9';

describe.skipIf(!containerds).each([
  ['1.6', containerds?.old ?? '', '1.6.28'],
  ['2', containerds?.new ?? '', '2.1.5'],
])('containerd %s', (_name, program, version) => {
  const node = (overrides: Partial<KubeadmInput>, scratch: string, commands = configure) =>
    startNode(
      program,
      { runtimeVersion: parseVersion(version)!, sandboxImage: upstream, ...overrides },
      commands,
      scratch,
    );

  test('a mirror of all registries, of a CA of its own', async () => {
    const { registry, ours, scratch } = await closedNetwork();
    const registries = mirrorOf(undefined, registry.port, ours);
    const { socket, log } = await node({ registries }, scratch, `${configure}\ncheck_registries`);
    expect(await pullImage(socket, upstream), log()).toBeUndefined();
    expect(registry.asked[0]).toBe('/v2/');
    expect(registry.asked).toContain('/v2/google_containers/pause/manifests/3.9?ns=registry.invalid');
  });

  test.each([
    ['below a path', '/cache', '/cache/v2/google_containers/pause/manifests/3.9?ns=registry.invalid'],
    ['as a proxy cache of Harbor', '/v2/cache', '/v2/cache/google_containers/pause/manifests/3.9?ns=registry.invalid'],
  ])('a mirror of one registry, %s', async (_what, path, asked) => {
    const { registry, ours, scratch } = await closedNetwork();
    const { socket, log } = await node(
      { registries: mirrorOf('registry.invalid', registry.port, ours, path) },
      scratch,
    );
    expect(await pullImage(socket, upstream), log()).toBeUndefined();
    expect(registry.asked).toContain(asked);
    expect(await pullImage(socket, 'other.invalid/pause:3.9')).toContain('no such host');
  });

  test('a registry of the user’s own, with a port', async () => {
    const { registry, ours, scratch } = await closedNetwork();
    const own = `registry.example.com:${registry.port}`;
    const image = `${own}/pause:3.9`;
    const registries = { mirrors: [], caPem: ours, caHosts: [own] };
    const { socket, log } = await node({ registries, sandboxImage: image }, scratch, `${configure}\ncheck_registries`);
    expect(await pullImage(socket, image), log()).toBeUndefined();
    expect(registry.asked).toContain('/v2/pause/manifests/3.9');
  });

  test('the folders that a config.toml of the user’s names are used, and it stays', async () => {
    const { registry, ours, scratch } = await closedNetwork();
    const theirs = `mkdir -p /etc/containerd
      containerd_config | sed '/^#/d; s|/etc/containerd/certs.d|/etc/mine|' >/etc/containerd/config.toml
      cp /etc/containerd/config.toml /run/before`;
    const { socket, log } = await node(
      { registries: mirrorOf(undefined, registry.port, ours) },
      scratch,
      `${theirs}\n${configure}\ncmp /run/before /etc/containerd/config.toml\ntest ! -e /etc/containerd/certs.d`,
    );
    expect(await pullImage(socket, upstream), log()).toBeUndefined();
    expect(log()).toContain("is the user's and stays");
  });

  test('a config.toml of the user’s without them stops', async () => {
    const { registry, ours, scratch } = await closedNetwork();
    const theirs = `mkdir -p /etc/containerd
      containerd_config | sed '/^#/d; /^\\[.*registry\\]/,$d' >/etc/containerd/config.toml`;
    const { ended, log } = await node(
      { registries: mirrorOf(undefined, registry.port, ours) },
      scratch,
      `${theirs}\n${configure}`,
    );
    expect(ended, log()).toBe(exitCode('runtime-config'));
    expect(log()).toContain('mirror.example.com');
  });

  test('with another CA the pull fails and says why', async () => {
    const { registry, theirs, scratch } = await closedNetwork();
    const { socket } = await node({ registries: mirrorOf('registry.invalid', registry.port, theirs) }, scratch);
    expect(await pullImage(socket, upstream)).toMatch(/certificate signed by unknown authority|no such host/);
    expect(registry.asked).toEqual([]);
    const own = `registry.example.com:${registry.port}`;
    const second = await closedNetwork();
    const registries = { mirrors: [], caPem: theirs, caHosts: [own] };
    const other = await node({ registries, sandboxImage: `${own}/pause:3.9` }, second.scratch);
    expect(await pullImage(other.socket, `${own}/pause:3.9`)).toContain('certificate signed by unknown authority');
  });

  test('without the mirror the pull fails and says why', async () => {
    const { scratch } = await closedNetwork();
    const { socket } = await node({ registries: none }, scratch);
    expect(await pullImage(socket, upstream)).toContain('no such host');
  });

  test('the check finds another CA, and a mirror that does not answer, before anything is written', async () => {
    const { registry, theirs, scratch } = await closedNetwork();
    const check = 'sleep() { true; }\ncheck_registries';
    const untrusted = await node({ registries: mirrorOf(undefined, registry.port, theirs) }, scratch, check);
    expect(untrusted.ended, untrusted.log()).toBe(exitCode('registry-ca'));
    const silent = await node({ registries: mirrorOf(undefined, 1, theirs) }, scratch, check);
    expect(silent.ended, silent.log()).toBe(exitCode('registry-unreachable'));
  });
});

describe.skipIf(!containerds).each(['', '/cache'])(
  'the tables that containerd before 1.6.18 takes, mirror path "%s"',
  (path) => {
    const node = (registries: Registries, image: string, scratch: string) =>
      startNode(
        containerds?.old ?? '',
        { runtimeVersion: parseVersion('1.4.13')!, sandboxImage: image, registries },
        `${configure}\nif grep config_path /etc/containerd/config.toml; then exit 1; fi`,
        scratch,
      );

    test('a mirror of all registries', async () => {
      const { registry, ours, scratch } = await closedNetwork();
      const { socket, log } = await node(mirrorOf(undefined, registry.port, ours, path), upstream, scratch);
      expect(await pullImage(socket, upstream), log()).toBeUndefined();
      expect(registry.asked).toContain(`${path}/v2/google_containers/pause/manifests/3.9?ns=registry.invalid`);
    });

    test('a registry of the user’s own', async () => {
      const { registry, ours, scratch } = await closedNetwork();
      const own = `registry.example.com:${registry.port}`;
      const registries = { mirrors: [], caPem: ours, caHosts: [own] };
      const { socket, log } = await node(registries, `${own}/pause:3.9`, scratch);
      expect(await pullImage(socket, `${own}/pause:3.9`), log()).toBeUndefined();
    });
  },
);
