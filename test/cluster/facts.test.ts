import { expect, test } from 'vitest';
import { readFacts } from '../../src/cluster/facts.ts';
import { onControlPlane } from './on-control-plane.ts';
import { connectWith } from './users.ts';

onControlPlane('facts of a cluster that kubeadm made', (cluster) => {
  test('J1 nodes, versions, runtime and regions, each as the API has them', async () => {
    const facts = await readFacts(await connectWith(cluster.kubeconfig, true));
    expect(facts.context).toBe('kubernetes-admin@lab');
    expect(facts.clusterName).toBe('lab');
    expect(facts.kubeconfigServer).toBe('https://192.0.2.10:6443');
    expect(facts.serverVersion).toStrictEqual({ value: cluster.version, source: 'GET /version' });
    expect(facts.nodeRegions).toStrictEqual(['cn-hangzhou']);
    const nodes = [...(facts.nodes ?? [])].sort((one, other) => one.name.localeCompare(other.name));
    expect(nodes.map(({ name, controlPlane, ready, region }) => ({ name, controlPlane, ready, region }))).toStrictEqual(
      [
        { name: 'cn-hangzhou.192.0.2.21', controlPlane: false, ready: true, region: 'cn-hangzhou' },
        { name: 'cn-hangzhou.192.0.2.22', controlPlane: false, ready: true, region: 'cn-hangzhou' },
        { name: 'cp-1', controlPlane: true, ready: true, region: undefined },
        { name: 'cp-2', controlPlane: true, ready: true, region: undefined },
        { name: 'cp-3', controlPlane: true, ready: true, region: undefined },
      ],
    );
    expect(nodes[2]).toMatchObject({
      kubeletVersion: cluster.version,
      runtime: 'containerd://1.7.28',
      osImage: 'Ubuntu 22.04.4 LTS',
      architecture: 'amd64',
      addresses: ['192.0.2.11'],
      criSocket: undefined,
    });
    expect(nodes[3]).toMatchObject({ criSocket: 'unix:///run/containerd/containerd.sock' });
  });

  test("C1 what kubeadm's ConfigMaps say", async () => {
    const facts = await readFacts(await connectWith(cluster.kubeconfig, true));
    expect(facts.kubeadm).toStrictEqual({
      value: {
        kubernetesVersion: cluster.version,
        imageRepository: 'registry.example.com/google_containers',
        controlPlaneEndpoint: '192.0.2.10:6443',
        clusterName: 'lab',
      },
      source: 'ConfigMap kube-system/kubeadm-config',
    });
    expect(facts.kubelet).toMatchObject({
      value: { cgroupDriver: 'systemd' },
      source: 'ConfigMap kube-system/kubelet-config',
    });
    expect(facts.kubeProxyMode).toStrictEqual({ value: 'iptables', source: 'ConfigMap kube-system/kube-proxy' });
    expect(facts.agentConfig).toMatchObject({ addNodeScriptPath: undefined });
    expect(facts.unread).toStrictEqual([]);
  });

  test('E8 cluster-info: its server, its CA, its signatures, and that nobody may read it', async () => {
    const { discovery } = await readFacts(await connectWith(cluster.kubeconfig, true));
    expect(discovery?.source).toBe('ConfigMap kube-public/cluster-info');
    expect(discovery?.value).toMatchObject({
      server: 'https://192.0.2.10:6443',
      caPem: cluster.admin.ca,
      anonymous: 'readable',
    });
    expect(discovery?.value.pins).toHaveLength(1);
    expect(discovery?.value.signedFor).toContain('abcdef');
  });
});
