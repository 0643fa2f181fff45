import type { BinaryInput } from '../../src/script/types.ts';
import { exampleBinary, exampleKubeletConfig, exampleOwnUnit, exampleUnit } from '../script/example-binary.ts';

/** Clusters installed from binaries: every source of kubelet, both runtimes, our unit and one of the user's own. */
export const binaries: Readonly<Record<string, BinaryInput>> = {
  'binary-containerd-1.28-url': exampleBinary(),
  'binary-docker-1.21-path': exampleBinary({
    kubeVersion: { raw: 'v1.21.14', base: '1.21.14', major: 1, minor: 21, patch: 14, suffix: '' },
    kubeRepository: 'legacy',
    runtime: 'docker',
    runtimeVersion: { raw: '20.10.24', base: '20.10.24', major: 20, minor: 10, patch: 24, suffix: '' },
    runtimePackages: ['docker-ce-20.10.24', 'docker-ce-cli-20.10.24', 'containerd.io'],
    criSocket: '/var/run/dockershim.sock',
    sandboxImage: 'registry.aliyuncs.com/google_containers/pause:3.4.1',
    kubelet: { kind: 'path', path: '/usr/local/bin/kubelet' },
    kubeletConfig: exampleKubeletConfig(),
    unit: exampleUnit('/usr/local/bin/kubelet', ['--network-plugin=cni']),
    apiServerIp: '192.0.2.20',
    endpoint: 'apiserver.cluster.local:6443',
  }),
  'binary-containerd-1.36-rpm': exampleBinary({
    kubeVersion: { raw: 'v1.36.0', base: '1.36.0', major: 1, minor: 36, patch: 0, suffix: '' },
    runtimeVersion: { raw: '2.1.4', base: '2.1.4', major: 2, minor: 1, patch: 4, suffix: '' },
    runtimePackages: ['containerd.io-2.1.4'],
    kubePackages: ['kubelet-1.36.0'],
    needsCgroupV2: true,
    sandboxImage: 'registry.aliyuncs.com/google_containers/pause:3.10.1',
    kubelet: { kind: 'rpm' },
    unit: exampleUnit('/usr/bin/kubelet'),
  }),
  'binary-own-unit': exampleBinary({
    kubelet: { kind: 'path', path: '/opt/kubernetes/bin/kubelet', sha256: 'cd'.repeat(32) },
    unit: exampleOwnUnit('/opt/kubernetes/bin/kubelet'),
    kubeProxy: 'on-image',
    postScript: '#!/bin/bash\necho "$ALIBABA_CLOUD_NODE_NAME has joined"\n',
  }),
};
