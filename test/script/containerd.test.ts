/** containerd's configuration: ours, the package's, or the user's. */
import { describe, expect, test } from 'vitest';
import { templateFiles } from '../../src/script/templates.ts';
import { parseVersion } from '../../src/script/versions.ts';
import { exitCode, Host } from './bash.ts';
import { exampleInput } from './example-input.ts';

const files = [
  'lib/files.sh',
  'check/check.sh',
  'prepare/service.sh',
  'prepare/containerd-config-2.sh',
  'prepare/containerd.sh',
];
const file = '/etc/containerd/config.toml';
const image = 'registry.example.com/pause:3.9';
/** `rpm` knows no file unless a test says so; `containerd` prints what the folder holds. */
const stubs = (more = '') => `
  SANDBOX_IMAGE=${image} CGROUP_DRIVER=systemd SYSTEMD_CGROUP=true RUNTIME_CONFIG=keep
  rpm() { return 1; }
  containerd() { calls containerd "$@"; cat "$ROOT/$2"; }
  ${more}`;
const configure = (before: string | undefined, { dump = '', defaults = 'default', more = '' } = {}) => {
  const host = new Host({ dump, default: defaults, ...(before !== undefined && { [file]: before }) });
  const result = host.run(files, `${stubs(more)}\nconfigure_containerd`);
  return {
    host,
    ...result,
    now: () => host.read(file),
    restart: () => host.read('/var/lib/ackone-join/restart-containerd.service'),
  };
};
const version2 = `# Written by ackone-join
version = 2
[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "${image}"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
SystemdCgroup = true
`;

describe('SH: the configuration by containerd’s version', () => {
  const text = (version: 1 | 2 | 3, systemd = true) =>
    new Host().run(
      ['lib/files.sh', 'check/check.sh', `prepare/containerd-config-${version}.sh`],
      `SANDBOX_IMAGE=${image} SYSTEMD_CGROUP=${systemd}\ncontainerd_config`,
    ).stdout;
  test.each([
    ['1.2.6', 1],
    ['1.3.7', 2],
    ['1.4.3', 2],
    ['1.7.27', 2],
    ['2.0.0', 3],
    ['2.3.1', 3],
  ])('%s takes version %i', (version, format) => {
    expect(templateFiles(exampleInput({ runtimeVersion: parseVersion(version)! }))).toContain(
      `prepare/containerd-config-${format}.sh`,
    );
  });
  test('C1 C6 version 2', () => {
    expect(text(2)).toBe(version2);
    expect(text(2, false)).toContain('SystemdCgroup = false\n');
  });
  test('C1 C6 version 1', () => {
    expect(text(1)).toBe(
      `# Written by ackone-join\n[plugins.cri]\nsandbox_image = "${image}"\nsystemd_cgroup = true\n`,
    );
  });
  test('C1 C6 version 3 has other names and places', () => {
    expect(text(3)).toBe(`# Written by ackone-join
version = 3
[plugins."io.containerd.cri.v1.images".pinned_images]
sandbox = "${image}"
[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options]
SystemdCgroup = true
`);
  });
});

describe('SH C3: what nobody has decided is replaced, and kept beside', () => {
  test.each([
    ['the package’s, which disables cri', 'disabled_plugins = ["cri"]\n'],
    ['the same with its comments', '#   Copyright\n\ndisabled_plugins = ["cri"]\n#root = "/var/lib/containerd"\n'],
    ['an empty one', ''],
    ['what `containerd config default` prints', 'default'],
  ])('%s', (_what, before) => {
    const { now, host, restart, status } = configure(before);
    expect(status).toBe(0);
    expect(now()).toBe(version2);
    expect(host.read(`${file}.before-ackone-join`)).toBe(before);
    expect(restart()).toBe('');
  });
  test('one that its package knows and finds unchanged', () => {
    const { now } = configure('version = 2\n', { more: 'rpm() { echo containerd.io-1.6.28; }' });
    expect(now()).toBe(version2);
  });
  test('none at all', () => {
    expect(configure(undefined).now()).toBe(version2);
  });
  test('ours of another day, without a copy', () => {
    const { now, host } = configure('# Written by ackone-join\nold\n');
    expect(now()).toBe(version2);
    expect(() => host.read(`${file}.before-ackone-join`)).toThrow();
  });
  test('ours as it should be: no restart', () => {
    const { restart } = configure(version2);
    expect(restart).toThrow();
  });
});

describe('SH: a file of the user’s stays, if containerd with it does what the cluster needs', () => {
  const mine = 'version = 2\n# mine\nroot = "/data"\n';
  const fits = `disabled_plugins = []\n  sandbox_image = "${image}"\n   SystemdCgroup = true\n`;
  test('it fits', () => {
    const { now, status, stderr } = configure(mine, { dump: fits });
    expect(status).toBe(0);
    expect(now()).toBe(mine);
    expect(stderr).toContain('is the user’s and stays'.replace('’', "'"));
  });
  test('C6 another sandbox image is a warning', () => {
    const { status, stderr } = configure(mine, { dump: fits.replace(image, 'registry.k8s.io/pause:3.6') });
    expect(status).toBe(0);
    expect(stderr).toContain('warning');
  });
  test.each([
    ['C3 cri disabled', fits.replace('[]', '["cri"]')],
    ['C3 cri disabled by its long name, in single quotes', fits.replace('[]', "['io.containerd.grpc.v1.cri']")],
    ['C3 cri disabled among others', fits.replace('[]', '["a", "io.containerd.grpc.v1.cri"]')],
    ['C1 another cgroup driver', fits.replace('true', 'false')],
    ['C1 no word of the cgroup driver', fits.replace(/.*SystemdCgroup.*\n/, '')],
  ])('%s stops', (_what, dump) => {
    const { now, status } = configure(mine, { dump });
    expect(status).toBe(exitCode('runtime-config'));
    expect(now()).toBe(mine);
  });
  test('a file that the package ships, changed by the user, is the user’s', () => {
    const more = `rpm() { [[ $1 == -qf ]] && echo containerd.io-1.6.28 || { echo "S.5....T.  c $ROOT${file}"; return 1; }; }`;
    expect(configure(mine, { dump: fits, more }).now()).toBe(mine);
  });
  test('--runtime-config replace replaces it', () => {
    const { now, host } = configure(mine, { dump: fits, more: 'RUNTIME_CONFIG=replace' });
    expect(now()).toBe(version2);
    expect(host.read(`${file}.before-ackone-join`)).toBe(mine);
  });
});

describe('SH: a unit is restarted when something changed or it does not run, and else left alone', () => {
  const run = (active: boolean, due: boolean, restarts = true) => {
    const host = new Host(due ? { '/var/lib/ackone-join/restart-x.service': '' } : {});
    const result = host.run(
      files,
      `
      sleep() { true; }
      active=${active}
      systemctl() {
        calls systemctl "$@"
        case $1 in
          is-active) $active ;;
          restart) ${restarts ? 'active=true' : 'return 1'} ;;
        esac
      }
      python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$ROOT/socket"
      ensure_running x.service "$ROOT/socket"`,
    );
    return { host, status: result.status, calls: host.calls().filter((call) => !call.includes('is-active')) };
  };
  test('running, nothing due', () => {
    expect(run(true, false).calls).toEqual(['systemctl daemon-reload', 'systemctl enable x.service']);
  });
  test('C3 running, but a change is due: restart, not start', () => {
    const { calls, host } = run(true, true);
    expect(calls.at(-1)).toBe('systemctl restart x.service');
    expect(() => host.read('/var/lib/ackone-join/restart-x.service')).toThrow();
  });
  test('not running', () => {
    expect(run(false, false).calls.at(-1)).toBe('systemctl restart x.service');
  });
  test('one that does not start ends the script, and the restart stays due', () => {
    const { status, host } = run(true, true, false);
    expect(status).toBe(exitCode('runtime-start'));
    expect(host.read('/var/lib/ackone-join/restart-x.service')).toBe('');
  });
});

test('SH C3: crictl.yaml is written, not appended to, however often', () => {
  const host = new Host({ '/etc/crictl.yaml': 'runtime-endpoint: unix:///old\n' });
  const write = 'CRI_ENDPOINT=unix:///run/containerd/containerd.sock\nwrite_crictl\nwrite_crictl';
  expect(host.run(files, write).status).toBe(0);
  expect(host.read('/etc/crictl.yaml')).toBe(
    '# Written by ackone-join\nruntime-endpoint: unix:///run/containerd/containerd.sock\nimage-endpoint: unix:///run/containerd/containerd.sock\n',
  );
});
