/** Registries on the node: files of ours and of the user's, and whether what they name answers. */
import { describe, expect, test } from 'vitest';
import { exitCode, Host } from './bash.ts';
import { makeCa, makeCertificate, tlsServer } from './tls-server.ts';

const mirror = 'https://m.example.com';
const hostsToml = `[host."${mirror}"]\ncapabilities = ["pull", "resolve"]\nca = "/etc/containerd/ackone-join-ca.crt"`;
const root = '/etc/containerd/certs.d';

describe('SH: folders of registries for containerd', () => {
  const files = [
    'lib/files.sh',
    'check/check.sh',
    'prepare/service.sh',
    'prepare/containerd-config-2.sh',
    'prepare/containerd-registries.sh',
    'prepare/containerd.sh',
  ];
  /** Runs twice; `dump` is what `containerd config dump` prints. */
  const configure = (before: Readonly<Record<string, string>>, { dump = '', more = '' } = {}) => {
    const host = new Host({ dump, default: 'default', ...before });
    const result = host.run(
      files,
      `SANDBOX_IMAGE=registry.example.com/pause:3.9 CGROUP_DRIVER=systemd SYSTEMD_CGROUP=true RUNTIME_CONFIG=keep
      REGISTRY_TOML='[plugins."io.containerd.grpc.v1.cri".registry]
config_path = "${root}"'
      REGISTRY_MIRRORS=(${mirror}) REGISTRY_CA=PEM REGISTRY_CA_HOSTS=(m.example.com) REGISTRY_CA_FILE=$ROOT/etc/containerd/ackone-join-ca.crt
      REGISTRY_FOLDERS=$ROOT${root}
      REGISTRY_HOSTS=(_default '${hostsToml}' 192.0.2.5:5000 '${hostsToml}')
      rpm() { return 1; }
      containerd() { cat "$ROOT/$2"; }
      ${more}
      configure_containerd
      configure_registries
      configure_containerd
      configure_registries`,
    );
    return { host, ...result };
  };
  const ours = `# Written by ackone-join\n${hostsToml}\n`;
  /** As 1.6 prints it; the transfer service has an option of the same name. */
  const dumpOf = (path: string, more = '') =>
    `disabled_plugins = []\nSystemdCgroup = true\n  [plugins."io.containerd.grpc.v1.cri".registry]\n    config_path = "${path}"\n${more}\n  [plugins."io.containerd.transfer.v1.local"]\n    config_path = "/elsewhere"\n`;
  const mine = { '/etc/containerd/config.toml': 'version = 2\n# mine\n' };

  test('files of ours, by the name with the port, and config.toml leads to them', () => {
    const { host, status, stderr } = configure({});
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(host.read(`${root}/_default/hosts.toml`)).toBe(ours);
    expect(host.read(`${root}/192.0.2.5:5000/hosts.toml`)).toBe(ours);
    expect(host.read('/etc/containerd/ackone-join-ca.crt')).toBe('# Written by ackone-join\nPEM\n');
    expect(host.read('/etc/containerd/config.toml')).toMatch(
      /\n\[plugins\..*\.registry\]\nconfig_path = ".*certs\.d"\n$/,
    );
  });
  test('an older one of ours gives way, without a copy', () => {
    const { host, status } = configure({ [`${root}/_default/hosts.toml`]: '# Written by ackone-join\nold\n' });
    expect(status).toBe(0);
    expect(host.read(`${root}/_default/hosts.toml`)).toBe(ours);
    expect(() => host.read(`${root}/_default/hosts.toml.before-ackone-join`)).toThrow();
  });
  test('the user’s stays where it names the mirror and a CA', () => {
    const theirs = `[host."${mirror}"]\n  ca = "/my/ca.crt"\n`;
    const { host, status, stderr } = configure({ [`${root}/_default/hosts.toml`]: theirs });
    expect(status).toBe(0);
    expect(host.read(`${root}/_default/hosts.toml`)).toBe(theirs);
    expect(stderr).toContain("_default/hosts.toml is the user's and stays");
  });
  test.each([
    ['another mirror', '[host."https://other.example.com"]\nca = "/my/ca.crt"\n', `does not name ${mirror}`],
    ['a mirror of a longer name', `[host."${mirror}.cn"]\nca = "/my/ca.crt"\n`, `does not name ${mirror}`],
    ['no CA', `[host."${mirror}"]\n`, 'names no CA'],
  ])('the user’s with %s stops, and stays', (_what, theirs, why) => {
    const { host, status, stderr } = configure({ [`${root}/_default/hosts.toml`]: theirs });
    expect(status).toBe(exitCode('runtime-config'));
    expect(stderr).toContain(`hosts.toml ${why}`);
    expect(host.read(`${root}/_default/hosts.toml`)).toBe(theirs);
  });
  test('--runtime-config replace replaces it, and keeps a copy', () => {
    const { host, status } = configure(
      { [`${root}/_default/hosts.toml`]: 'theirs\n' },
      { more: 'RUNTIME_CONFIG=replace' },
    );
    expect(status).toBe(0);
    expect(host.read(`${root}/_default/hosts.toml`)).toBe(ours);
    expect(host.read(`${root}/_default/hosts.toml.before-ackone-join`)).toBe('theirs\n');
  });
  test('a folder in the other way of writing a port goes before, so that one is the user’s', () => {
    const file = `${root}/192.0.2.5_5000_/hosts.toml`;
    const { status, stderr } = configure({ [file]: 'server = "https://192.0.2.5:5000"\n' });
    expect(status).toBe(exitCode('runtime-config'));
    expect(stderr).toContain('192.0.2.5_5000_/hosts.toml does not name');
  });

  test('a config.toml of the user’s that leads to a folder: files go there', () => {
    const dump = dumpOf('$ROOT/etc/mine:/etc/docker/certs.d').replace('$ROOT', 'ROOT');
    const { host, status } = configure(mine, { dump, more: `containerd() { sed "s|ROOT|$ROOT|" "$ROOT/$2"; }` });
    expect(status).toBe(0);
    expect(host.read('/etc/mine/_default/hosts.toml')).toBe(ours);
    expect(host.read('/etc/containerd/config.toml')).toBe(mine['/etc/containerd/config.toml']);
    expect(() => host.read(`${root}/_default/hosts.toml`)).toThrow();
  });
  test('one that says it in tables: nothing is written beside', () => {
    const tables = `[plugins.x.registry.mirrors."*"]\nendpoint = ["${mirror}"]\n[plugins.x.registry.configs."m.example.com".tls]`;
    const more = 'hosts_file() { calls hosts_file "$@"; }';
    const { host, status } = configure(mine, { dump: dumpOf('', tables), more });
    expect(status).toBe(0);
    expect(host.calls()).toEqual([]);
  });
  test('one of version 3, whose names stand in single quotes', () => {
    const dump = `SystemdCgroup = true\n[plugins.'io.containerd.cri.v1.images'.registry]\n  config_path = 'ROOT/etc/mine'\n`;
    const { host, status } = configure(mine, { dump, more: `containerd() { sed "s|ROOT|$ROOT|" "$ROOT/$2"; }` });
    expect(status).toBe(0);
    expect(host.read('/etc/mine/_default/hosts.toml')).toBe(ours);
  });
  test.each([
    ['nothing of registries', dumpOf('')],
    ['a mirror without the CA’s host', dumpOf('', `endpoint = ["https://other.example.com"]`)],
  ])('one that says %s stops', (_what, dump) => {
    const { status, stderr } = configure(mine, { dump });
    expect(status).toBe(exitCode('runtime-config'));
    expect(stderr).toContain(`has no config_path for registries, and does not name ${mirror}`);
  });
});

describe('SH: mirrors and CAs for docker', () => {
  const files = ['lib/files.sh', 'lib/host.sh', 'check/check.sh', 'prepare/service.sh', 'prepare/docker.sh'];
  const file = '/etc/docker/daemon.json';
  const configure = (before: string | undefined, { has = `["${mirror}/"]`, more = '' } = {}) => {
    const host = new Host(before === undefined ? {} : { [file]: before });
    const result = host.run(
      [...files, 'prepare/docker-registries.sh'],
      `CGROUP_DRIVER=systemd OVERLAY_CHECK=no RUNTIME_CONFIG=keep REGISTRY_MIRRORS=(${mirror})
      REGISTRY_CA=PEM REGISTRY_CA_HOSTS=(m.example.com 192.0.2.5:5000)
      docker() { [[ $3 == *Mirrors* ]] && echo '${has}' || echo systemd; }
      ensure_running() { calls ensure_running "$@"; }
      ${more}
      configure_docker
      configure_docker`,
    );
    return { host, ...result, json: () => JSON.parse(host.read(file)) };
  };
  const driver = '"exec-opts": ["native.cgroupdriver=systemd"]';
  test('into a new daemon.json, and a CA for each host beside the user’s own', () => {
    const { json, host, status } = configure(undefined);
    expect(status).toBe(0);
    expect(json()['registry-mirrors']).toEqual([mirror]);
    for (const name of ['m.example.com', '192.0.2.5:5000'])
      expect(host.read(`/etc/docker/certs.d/${name}/ackone-join.crt`)).toBe('# Written by ackone-join\nPEM\n');
  });
  test.each([
    ['without mirrors', `{${driver}}`, [mirror]],
    [
      'with others, which stay behind',
      `{${driver}, "registry-mirrors": ["https://o.example.com"]}`,
      [mirror, 'https://o.example.com'],
    ],
  ])('into the user’s %s', (_what, before, mirrors) => {
    const { json, host } = configure(before);
    expect(json()).toEqual({ 'exec-opts': ['native.cgroupdriver=systemd'], 'registry-mirrors': mirrors });
    expect(host.read(`${file}.before-ackone-join`)).toBe(before);
    expect(host.read('/var/lib/ackone-join/restart-docker.service')).toBe('');
  });
  test('the user’s that has it stays byte for byte, also with a slash', () => {
    const before = `{ ${driver}, "registry-mirrors": ["https://o.example.com", "${mirror}/"]}`;
    const { host, status } = configure(before);
    expect(status).toBe(0);
    expect(host.read(file)).toBe(before);
    expect(() => host.read('/var/lib/ackone-join/restart-docker.service')).toThrow();
  });
  test('a docker that does not say so stops', () => {
    const { status, stderr } = configure(undefined, { has: '["https://o.example.com/"]' });
    expect(status).toBe(exitCode('runtime-config'));
    expect(stderr).toContain(`docker has the mirrors ["https://o.example.com/"], without ${mirror}`);
  });
});

describe('SH: phase check asks mirrors and registries', () => {
  const files = ['lib/retry.sh', 'check/registries.sh'];
  const real = (more = '') => {
    const host = new Host();
    makeCa(host, 'ca');
    makeCa(host, 'other');
    makeCertificate(host, 'ca', 'server', '/CN=registry', 'subjectAltName=IP:127.0.0.1');
    const script = `${tlsServer}
      sleep() { true; }
      REGISTRY_URLS=("https://127.0.0.1:$PORT/v2/") REGISTRY_CA=$(cat "$ROOT/ca.crt")
      ${more}
      check_registries`;
    return { host, ...host.run(files, script) };
  };
  test('401 by TLS of the given CA is an answer', () => {
    const { status, host, stderr } = real();
    expect({ status, stderr }).toMatchObject({ status: 0, stderr: expect.stringMatching(/\/v2\/ answers\n$/) });
    expect(host.read('asked')).toBe('/v2/ None\n');
  });
  test('a CA that the host trusts is good beside the given one', () => {
    const more =
      'mkdir -p "$ROOT/etc/pki/tls/certs"; cp "$ROOT/ca.crt" "$ROOT/etc/pki/tls/certs/ca-bundle.crt"; REGISTRY_CA=$(cat "$ROOT/other.crt")';
    expect(real(more).status).toBe(0);
  });
  test.each([
    ['another CA', 'REGISTRY_CA=$(cat "$ROOT/other.crt")'],
    ['no CA', "REGISTRY_CA=''"],
    ['a certificate for another name', 'REGISTRY_URLS=("https://localhost:$PORT/v2/")'],
  ])('%s stops, and is not taken for silence', (_what, more) => {
    const { status, stderr } = real(more);
    expect(status).toBe(exitCode('registry-ca'));
    expect(stderr).toMatch(/https:\/\/\S+\/v2\/: curl: \((60|51)\)/);
    expect(stderr).not.toContain('try 1');
  });
  test('silence stops after three tries', () => {
    const { status, stderr } = real('REGISTRY_URLS=(https://127.0.0.1:1/v2/)');
    expect(status).toBe(exitCode('registry-unreachable'));
    expect(stderr).toContain('try 2 of 3');
    expect(stderr).toMatch(/https:\/\/127\.0\.0\.1:1\/v2\/: curl: \(7\)/);
  });
  test.each([
    ['200', 0],
    ['401', 0],
    ['404', exitCode('registry-unreachable')],
    ['503', exitCode('registry-unreachable')],
  ])('HTTP %s ends with %i', (http, expected) => {
    const { status, stderr } = new Host().run(
      files,
      `REGISTRY_URLS=(http://m.example.com/v2/) REGISTRY_CA=''\ncurl() { printf ${http}; }\ncheck_registries`,
    );
    expect(status).toBe(expected);
    if (expected !== 0) expect(stderr).toContain(`http://m.example.com/v2/ answers with HTTP ${http}`);
  });
  test('every one is asked', () => {
    const host = new Host();
    const script = `REGISTRY_URLS=(http://a/v2/ http://b/v2/) REGISTRY_CA=''\ncurl() { calls "\${!#}"; printf 401; }\ncheck_registries`;
    expect(host.run(files, script).status).toBe(0);
    expect(host.calls()).toEqual(['http://a/v2/', 'http://b/v2/']);
  });
});
