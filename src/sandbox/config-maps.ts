/** The ConfigMaps of a new cluster: those that kubeadm uploads, and the one of ACK One's agent. */
import { stringify } from 'yaml';
import { type Description, minorOf, port } from './contexts.ts';

interface ConfigMap {
  readonly name: string;
  readonly namespace: string;
  readonly data: Readonly<Record<string, string>>;
}

export function configMapsOf(description: Description, caPem: string): readonly ConfigMap[] {
  const minor = minorOf(description);
  const agent = { enableNodepool: 'true', isInit: 'true' };
  return [
    { name: 'ack-agent-config', namespace: 'kube-system', data: agent },
    // kube-controller-manager publishes it from 1.20 on.
    ...(minor >= 20 ? [{ name: 'kube-root-ca.crt', namespace: 'kube-system', data: { 'ca.crt': caPem } }] : []),
    ...(description.kubeadm ? kubeadmConfigMaps(description, caPem) : []),
  ];
}

function kubeadmConfigMaps(description: Description, caPem: string): readonly ConfigMap[] {
  const { address, version, kubeProxyMode } = description;
  const minor = minorOf(description);
  const kubeadm = {
    apiVersion:
      minor < 15 ? 'kubeadm.k8s.io/v1beta1' : minor < 31 ? 'kubeadm.k8s.io/v1beta3' : 'kubeadm.k8s.io/v1beta4',
    certificatesDir: '/etc/kubernetes/pki',
    clusterName: 'kubernetes',
    controlPlaneEndpoint: `${address}:${port}`,
    imageRepository: 'registry.aliyuncs.com/google_containers',
    kind: 'ClusterConfiguration',
    kubernetesVersion: version,
    networking: { dnsDomain: 'cluster.local', podSubnet: '10.244.0.0/16', serviceSubnet: '10.96.0.0/12' },
  };
  const kubelet = {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    authentication: { anonymous: { enabled: false }, x509: { clientCAFile: '/etc/kubernetes/pki/ca.crt' } },
    cgroupDriver: minor < 20 ? 'cgroupfs' : 'systemd',
    clusterDNS: ['10.96.0.10'],
    clusterDomain: 'cluster.local',
    kind: 'KubeletConfiguration',
    // kubeadm before 1.31 writes what it finds on the first host, here Ubuntu (kubernetes/kubeadm#3034).
    ...(minor >= 20 && { resolvConf: '/run/systemd/resolve/resolv.conf' }),
    rotateCertificates: true,
    staticPodPath: '/etc/kubernetes/manifests',
  };
  const kubeProxy = {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    clusterCIDR: '10.244.0.0/16',
    kind: 'KubeProxyConfiguration',
    // kubeadm leaves the default empty.
    mode: kubeProxyMode === 'iptables' ? '' : kubeProxyMode,
  };
  const cluster = {
    'certificate-authority-data': Buffer.from(caPem).toString('base64'),
    server: `https://${address}:${port}`,
  };
  const clusterInfo = {
    apiVersion: 'v1',
    clusters: [{ cluster, name: '' }],
    contexts: null,
    'current-context': '',
    kind: 'Config',
    preferences: {},
    users: null,
  };
  const system = (name: string, key: string, document: object) => ({
    name,
    namespace: 'kube-system',
    data: { [key]: yaml(document) },
  });
  return [
    system('kubeadm-config', 'ClusterConfiguration', kubeadm),
    system(kubeletConfigName(minor), 'kubelet', kubelet),
    system('kube-proxy', 'config.conf', kubeProxy),
    { name: 'cluster-info', namespace: 'kube-public', data: { kubeconfig: yaml(clusterInfo) } },
  ];
}

const yaml = (document: object) => stringify(document, { lineWidth: 0 });
export const kubeletConfigName = (minor: number) => (minor < 24 ? `kubelet-config-1.${minor}` : 'kubelet-config');
