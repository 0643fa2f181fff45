import { describe, expect, test } from 'vitest';
import { booleanFlags, droppedIn, isDropped } from '../../src/script/dropped-flags.ts';

describe('flags that kubelet lost', () => {
  test.each([
    ['--cadvisor-port', 11, 12],
    ['--allow-privileged', 14, 15],
    ['--containerized', 15, 16],
    ['--enable-cadvisor-json-endpoints', 20, 21],
    ['--redirect-container-streaming', 21, 22],
    ['--seccomp-profile-root', 22, 23],
    // kubernetes-sigs/kubespray#8924
    ['--network-plugin', 23, 24],
    ['--cni-bin-dir', 23, 24],
    ['--image-pull-progress-deadline', 23, 24],
    ['--docker-tls-key', 23, 24],
    ['--really-crash-for-testing', 23, 24],
    ['--experimental-kernel-memcg-notification', 24, 25],
    ['--logtostderr', 25, 26],
    ['--log-dir', 25, 26],
    // kubernetes/minikube#16112
    ['--container-runtime', 26, 27],
    ['--azure-container-registry-config', 29, 30],
    ['--keep-terminated-pod-volumes', 30, 31],
    ['--cloud-config', 33, 34],
    ['--pod-infra-container-image', 34, 35],
    ['--containerd', 36, 37],
    ['--storage-driver-user', 36, 37],
  ])('%s is known in 1.%i and gone in 1.%i', (flag, last, first) => {
    expect(isDropped(flag, last)).toBe(false);
    expect(isDropped(flag, first)).toBe(true);
    expect(isDropped(flag, 37)).toBe(true);
  });

  test.each([
    '--kubeconfig',
    '--config',
    '--container-runtime-endpoint',
    '--cluster-dns',
    '--v',
    '--vmodule',
    '--log-flush-frequency',
    '--housekeeping-interval',
    '--runonce',
    '--experimental-allocatable-ignore-eviction',
    '--toString',
    'constructor',
    '',
  ])('%s is not among them', (flag) => {
    expect(isDropped(flag, 37)).toBe(false);
  });

  test('each is a name as pflag compares it', () => {
    const names = Object.keys(droppedIn);
    expect(names).toHaveLength(82);
    expect(names.filter((name) => !/^--[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([]);
  });
});

describe('flags that take no next word', () => {
  test.each(['--register-node', '--allow-privileged', '--logtostderr', '--docker-tls', '--fail-swap-on', '--version'])(
    '%s is one',
    (flag) => {
      expect(booleanFlags.has(flag)).toBe(true);
    },
  );

  test.each([
    '--network-plugin',
    '--v',
    '--stderrthreshold',
    '--feature-gates',
    '--docker',
    '--containerd',
    '--docker-tls-ca',
    '--node-labels',
    '--chaos-chance',
  ])('%s takes one', (flag) => {
    expect(booleanFlags.has(flag)).toBe(false);
  });

  test('each is a name as pflag compares it', () => {
    expect(booleanFlags.size).toBe(51);
    expect([...booleanFlags].filter((name) => !/^--[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([]);
  });
});
