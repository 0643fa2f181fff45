/** Objects that a registered on-premises cluster has beside those that kubeadm makes. */

/** Three control-plane nodes and two of ECS, each with the status that its kubelet would report. */
export function nodes(version: string): object[] {
  const controlPlane = { labels: { 'node-role.kubernetes.io/control-plane': '' } };
  // kubeadm 1.34 and newer no longer write it (feature gate NodeLocalCRISocket).
  const olderKubeadm = {
    annotations: { 'kubeadm.alpha.kubernetes.io/cri-socket': 'unix:///run/containerd/containerd.sock' },
  };
  const ecs = { labels: { 'alibabacloud.com/external': 'true' } };
  return [
    node({ name: 'cp-1', ...controlPlane }, '192.0.2.11', version),
    node({ name: 'cp-2', ...controlPlane, ...olderKubeadm }, '192.0.2.12', version),
    node({ name: 'cp-3', ...controlPlane, ...olderKubeadm }, '192.0.2.13', version),
    node({ name: 'cn-hangzhou.192.0.2.21', ...ecs }, '192.0.2.21', version, 'cn-hangzhou.i-bp1example1'),
    node({ name: 'cn-hangzhou.192.0.2.22', ...ecs }, '192.0.2.22', version, 'cn-hangzhou.i-bp1example2'),
  ];
}

export function node(metadata: object, address: string, version: string, providerID?: string): object {
  const time = new Date().toISOString();
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata,
    spec: { providerID },
    status: {
      addresses: [{ type: 'InternalIP', address }],
      conditions: [{ type: 'Ready', status: 'True', lastHeartbeatTime: time, lastTransitionTime: time }],
      nodeInfo: {
        architecture: 'amd64',
        bootID: '',
        containerRuntimeVersion: 'containerd://1.7.28',
        kernelVersion: '5.15.0-105-generic',
        kubeProxyVersion: '',
        kubeletVersion: version,
        machineID: '',
        operatingSystem: 'linux',
        osImage: 'Ubuntu 22.04.4 LTS',
        systemUUID: '',
      },
    },
  };
}

/** As the agent's installation leaves it: registered, no script yet, two keys that must survive. */
export const agentConfig = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'ack-agent-config', namespace: 'kube-system' },
  data: { enableNodepool: 'true', isInit: 'true' },
};
