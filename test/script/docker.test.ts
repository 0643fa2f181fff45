/** docker and cri-dockerd. */
import { describe, expect, test } from 'vitest';
import { exitCode, Host } from './bash.ts';

const files = ['lib/files.sh', 'lib/host.sh', 'check/check.sh', 'prepare/service.sh', 'prepare/docker.sh'];
const file = '/etc/docker/daemon.json';
const stubs = (driver: string, more = '') => `
  CGROUP_DRIVER=systemd OVERLAY_CHECK=yes RUNTIME_CONFIG=keep
  uname() { echo 3.10.0-1160.el7.x86_64; }
  docker() { echo ${driver}; }
  ensure_running() { calls ensure_running "$@"; }
  ${more}`;
const configure = (before: string | undefined, more = '', driver = 'systemd') => {
  const host = new Host(before === undefined ? {} : { [file]: before });
  const result = host.run(files, `${stubs(driver, more)}\nconfigure_docker\nconfigure_docker`);
  return { host, ...result, json: () => JSON.parse(host.read(file)) };
};
const due = (host: Host) => () => host.read('/var/lib/ackone-join/restart-docker.service');

describe('SH B10: daemon.json', () => {
  test('there was none, nor its folder', () => {
    const { json, host, status } = configure(undefined);
    expect(status).toBe(0);
    expect(json()).toEqual({
      'exec-opts': ['native.cgroupdriver=systemd'],
      'log-driver': 'json-file',
      'log-opts': { 'max-size': '100m' },
      'storage-driver': 'overlay2',
      'storage-opts': ['overlay2.override_kernel_check=true'],
    });
    expect(due(host)()).toBe('');
  });
  test.each([
    ['a kernel from 4 on', 'uname() { echo 4.18.0; }'],
    ['docker from 19.03 on', 'OVERLAY_CHECK=no'],
  ])('overlay2 need not be forced on %s', (_what, more) => {
    expect(configure(undefined, more).json()).not.toHaveProperty('storage-opts');
  });
  test('C1 cgroupfs', () => {
    expect(configure(undefined, 'CGROUP_DRIVER=cgroupfs', 'cgroupfs').json()['exec-opts']).toEqual([
      'native.cgroupdriver=cgroupfs',
    ]);
  });
  test('the user’s keeps all that it says, gets the driver, and a copy stays', () => {
    const before = '{"registry-mirrors": ["https://m.example.com"], "log-driver": "journald", "exec-opts": ["a=b"]}';
    const { json, host } = configure(before);
    expect(json()).toEqual({
      'registry-mirrors': ['https://m.example.com'],
      'log-driver': 'journald',
      'exec-opts': ['a=b', 'native.cgroupdriver=systemd'],
    });
    expect(host.read(`${file}.before-ackone-join`)).toBe(before);
  });
  test('the user’s that has the driver stays byte for byte, without a restart', () => {
    const before = '{ "exec-opts":["native.cgroupdriver=systemd"]}';
    const { host } = configure(before);
    expect(host.read(file)).toBe(before);
    expect(due(host)).toThrow();
  });
  test('C1 the user’s that has another driver stops', () => {
    const before = '{"exec-opts": ["native.cgroupdriver=cgroupfs"]}';
    const { host, status, stderr } = configure(before);
    expect(status).toBe(exitCode('runtime-config'));
    expect(stderr).toContain('native.cgroupdriver=cgroupfs');
    expect(host.read(file)).toBe(before);
  });
  test('--runtime-config replace takes over the driver alone', () => {
    const { json } = configure(
      '{"exec-opts": ["native.cgroupdriver=cgroupfs"], "bip": "192.0.2.1/24"}',
      'RUNTIME_CONFIG=replace',
    );
    expect(json()).toEqual({ 'exec-opts': ['native.cgroupdriver=systemd'], bip: '192.0.2.1/24' });
  });
  test('what is no JSON stops, and stays', () => {
    const { host, status } = configure('{oops');
    expect(status).toBe(exitCode('runtime-config'));
    expect(host.read(file)).toBe('{oops');
  });
});

test('SH C1: what docker itself says is what counts', () => {
  expect(configure(undefined, '', 'cgroupfs').status).toBe(exitCode('runtime-config'));
  expect(configure(undefined, '', 'nonsense')).toMatchObject({ status: 0, stderr: expect.stringContaining('warning') });
});

describe('SH C4: cri-dockerd', () => {
  const run = (installed: boolean, more = '') => {
    const host = new Host();
    const result = host.run(
      [...files, 'lib/retry.sh', 'lib/repositories.sh', 'prepare/cri-dockerd.sh'],
      `
      ${stubs('systemd')}
      CRI_DOCKERD_URL=https://example.com/cri-dockerd.rpm SANDBOX_IMAGE=registry.example.com/pause:3.9 CRI_ENDPOINT=unix:///var/run/cri-dockerd.sock
      rpm() { ${installed}; }
      fetch() { calls fetch "$1"; }
      yum() { calls yum "$@"; }
      ${more}
      prepare_runtime`,
    );
    return { host, ...result };
  };
  test('its RPM is installed, its unit gets the pause image, socket and service run', () => {
    const { host, status } = run(false);
    expect(status).toBe(0);
    expect(host.calls()).toEqual([
      'ensure_running docker.service /var/run/docker.sock',
      'fetch https://example.com/cri-dockerd.rpm',
      expect.stringMatching(/^yum -yq install \S+\/cri-dockerd\.rpm$/),
      'ensure_running cri-docker.socket /var/run/cri-dockerd.sock',
      'ensure_running cri-docker.service /var/run/cri-dockerd.sock',
    ]);
    expect(host.read('/etc/systemd/system/cri-docker.service.d/10-ackone-join.conf')).toBe(
      '# Written by ackone-join\n[Service]\nExecStart=\nExecStart=/usr/bin/cri-dockerd --container-runtime-endpoint fd:// --network-plugin=cni --pod-infra-container-image=registry.example.com/pause:3.9\n',
    );
  });
  test('one that is there is not fetched', () => {
    expect(
      run(true)
        .host.calls()
        .filter((call) => /^(fetch|yum)/.test(call)),
    ).toEqual([]);
  });
  test('an RPM that cannot be fetched stops', () => {
    const { status, stderr } = run(false, 'fetch() { return 1; }');
    expect(status).toBe(exitCode('download'));
    expect(stderr).toContain('https://example.com/cri-dockerd.rpm');
  });
});
