import type { KubeadmInput } from '../../src/script/types.ts';

/** Fixed, so that golden files hold no secret of anybody's. */
export const exampleToken = 'abcdef.0123456789abcdef';

const example: KubeadmInput = {
  style: 'kubeadm',
  toolVersion: '0.0.0-test',
  clusterName: 'example',
  kubeVersion: { raw: 'v1.28.2', base: '1.28.2', major: 1, minor: 28, patch: 2, suffix: '' },
  runtime: 'containerd',
  runtimeVersion: { raw: '1.6.28', base: '1.6.28', major: 1, minor: 6, patch: 28, suffix: '' },
  runtimePackages: ['containerd.io-1.6.28'],
  kubePackages: ['kubelet-1.28.2', 'kubeadm-1.28.2', 'kubectl-1.28.2'],
  elMajors: [],
  kubeRepository: 'minor',
  criSocket: 'unix:///run/containerd/containerd.sock',
  criDockerdUrl: undefined,
  cgroupDriver: 'systemd',
  sandboxImage: 'registry.aliyuncs.com/google_containers/pause:3.9',
  ipvs: false,
  overrideResolvConf: false,
  needsCgroupV2: false,
  minKernel: undefined,
  join: {
    endpoint: '192.0.2.10:6443',
    token: exampleToken,
    pins: ['sha256:e0b1f5e2a7c4d3968f1a0b2c3d4e5f60718293a4b5c6d7e8f9a0b1c2d3e4f506'],
    extraWords: [],
  },
  apiServerIp: undefined,
  mirror: 'auto',
  registries: { mirrors: [], caPem: undefined, caHosts: [] },
  postScript: undefined,
  kubeletExtraArgs: [],
  runtimeConfig: 'keep',
  firewall: 'disable',
  selinux: 'disabled',
  swap: 'disable',
  kernelModules: 'load',
  sysctls: [
    'net.bridge.bridge-nf-call-ip6tables=1',
    'net.bridge.bridge-nf-call-iptables=1',
    'net.ipv4.ip_forward=1',
    'vm.swappiness=0',
  ],
  tools: 'install',
  deadlineSeconds: 900,
  answers: { mirror: 'auto' },
};

/** A whole input for compose: containerd 1.6.28 with Kubernetes 1.28.2, but for what is given. */
export const exampleInput = (overrides: Partial<KubeadmInput> = {}): KubeadmInput => ({ ...example, ...overrides });
