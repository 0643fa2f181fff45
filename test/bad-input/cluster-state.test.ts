/** Bad input: what stands in the cluster: what nodes need to join, and what ackone-join itself left (cases E5 E7 E8 J2). */
import { table } from './table.ts';

table('what the cluster lacks for a node to join', [
  {
    title: 'E7 a binary cluster',
    given: () => ({ words: ['init', '--yes', '--context', 'binary'] }),
    exit: 3,
    code: 'BinaryCluster',
    says: /^ConfigMaps kube-public\/cluster-info and kube-system\/kubeadm-config are missing: kubeadm did not install this cluster, and /,
  },
  {
    title: 'J2 no control plane among the nodes',
    given: () => ({ words: ['init', '--yes', '--context', 'no-control-plane'] }),
    exit: 3,
    code: 'NoControlPlane',
    says: /^none of the 2 nodes carries a control-plane label, /,
    next: /like node worker-1, give --kube-version 1\.28\.3 --runtime containerd --runtime-version 1\.6\.28/,
  },
  {
    title: 'J2 no control plane, and a worker whose runtime is a command of its own',
    given: (world) => {
      world.removeNodes(/^cp-/);
      for (const last of [21, 22]) world.node(`cn-hangzhou.192.168.20.${last}`, { runtime: 'x; reboot #://1.6.28' });
      return undefined;
    },
    exit: 3,
    code: 'NoControlPlane',
    says: /^none of the 2 nodes carries a control-plane label, /,
    next: /^Give --kube-version, --runtime and --runtime-version\.$/,
    secret: 'reboot',
  },
  {
    title: 'J2 no nodes at all',
    given: (world) => {
      world.removeNodes();
      return undefined;
    },
    exit: 3,
    code: 'EmptyCluster',
    says: /^the cluster has no nodes to read versions from$/,
    next: /--kube-version, --runtime and --runtime-version/,
  },
  {
    title: 'E7 kubelet-config is missing',
    given: (world) => {
      world.removeConfigMap('kube-system/kubelet-config');
      return undefined;
    },
    exit: 3,
    code: 'KubeadmObjectMissing',
    says: /^ConfigMap kube-system\/kubelet-config is missing, and a joining node reads it$/,
    next: /kubeadm init phase upload-config all/,
  },
  {
    title: 'kubeadm-config that is no YAML',
    given: (world) => {
      world.data('kube-system/kubeadm-config', (data) => {
        data.ClusterConfiguration = '{';
      });
      return undefined;
    },
    exit: 3,
    code: 'KubeadmObjectMissing',
    says: /^ConfigMap kube-system\/kubeadm-config has no YAML in its key ClusterConfiguration$/,
  },
  {
    title: 'E5 cluster-info without its key kubeconfig',
    given: (world) => {
      world.data('kube-public/cluster-info', (data) => {
        delete data.kubeconfig;
      });
      return undefined;
    },
    exit: 3,
    code: 'DiscoveryInvalid',
    says: /^ConfigMap kube-public\/cluster-info has no key kubeconfig$/,
    next: /kubeadm init phase bootstrap-token/,
  },
  {
    title: 'E5 cluster-info with broken base64',
    given: (world) => {
      world.clusterInfo((cluster) => {
        cluster['certificate-authority-data'] = '@@@';
      });
      return undefined;
    },
    exit: 3,
    code: 'DiscoveryInvalid',
    says: /certificate-authority-data that is not base64$/,
  },
  {
    title: 'E5 cluster-info without a CA',
    given: (world) => {
      world.clusterInfo((cluster) => {
        delete cluster['certificate-authority-data'];
      });
      return undefined;
    },
    exit: 3,
    code: 'DiscoveryInvalid',
    says: /^ConfigMap kube-public\/cluster-info has no certificate-authority-data$/,
  },
  {
    title: 'E5 cluster-info with its CA as a file',
    given: (world) => {
      world.clusterInfo((cluster) => {
        delete cluster['certificate-authority-data'];
        cluster['certificate-authority'] = '/etc/kubernetes/pki/ca.crt';
      });
      return undefined;
    },
    exit: 3,
    code: 'DiscoveryInvalid',
    says: /names its CA as the file \/etc\/kubernetes\/pki\/ca\.crt, and kubeadm reads only certificate-authority-data$/,
  },
  {
    title: "a server name that only the old hosts' files know",
    given: (world) => {
      world.clusterInfo((cluster) => {
        cluster.server = 'https://apiserver.cluster.local:6443';
      });
      return undefined;
    },
    exit: 3,
    code: 'ServerUnreachableFromEcs',
    says: /^the API server's name in apiserver\.cluster\.local:6443 is a name that no DNS of the VPC knows/,
    next: /--api-server-ip/,
  },
  {
    title: 'E8 anonymous requests switched off',
    given: (world) => {
      world.cluster.anonymousAuth = false;
      return undefined;
    },
    exit: 3,
    code: 'AnonymousAccessOff',
    says: /^the API server answers 401 to a request for cluster-info without credentials$/,
    next: /--anonymous-auth=true/,
  },
  {
    title: 'E8 cluster-info forbidden to the anonymous',
    given: (world) => {
      world.removeRoleBinding('kube-public', 'kubeadm:bootstrap-signer-clusterinfo');
      return undefined;
    },
    exit: 3,
    code: 'AnonymousAccessForbidden',
    says: /^the API server answers 403 to a request for cluster-info without credentials$/,
    next: /kubeadm init phase bootstrap-token/,
  },
]);

const entry = (more: object) => ({
  number: 1,
  url: 'https://example.com/join.sh',
  toolVersion: '0.1.0',
  time: new Date().toISOString(),
  user: 'somebody@elsewhere',
  state: 'pending',
  ...more,
});
const history = (schema: string, ...entries: object[]) => ({ 'history.json': JSON.stringify({ schema, entries }) });

table('what ackone-join left in the cluster', [
  {
    title: 'a history of a newer version',
    given: (world) => {
      world.addConfigMap('ackone-join', history('ackone-join/history/v2'));
      return undefined;
    },
    exit: 3,
    code: 'HistoryInvalid',
    says: /^ConfigMap kube-system\/ackone-join holds ackone-join\/history\/v2, and this version knows ackone-join\/history\/v1$/,
    next: /newer ackone-join/,
  },
  {
    title: 'a history that is garbage',
    given: (world) => {
      world.addConfigMap('ackone-join', { 'history.json': 'hello' });
      return undefined;
    },
    exit: 3,
    code: 'HistoryInvalid',
    says: /^ConfigMap kube-system\/ackone-join holds something else than a history of ackone-join$/,
  },
  {
    title: 'a history whose entry has no number',
    given: (world) => {
      world.addConfigMap('ackone-join', history('ackone-join/history/v1', entry({ number: 'one' })));
      return undefined;
    },
    exit: 3,
    code: 'HistoryInvalid',
    says: /^ConfigMap kube-system\/ackone-join holds a history that cannot be read at entries\.0\.number$/,
  },
  {
    title: 'another run that is under way',
    given: (world) => {
      const time = new Date(Date.now() - 9 * 60_000).toISOString();
      world.addConfigMap('ackone-join', history('ackone-join/history/v1', entry({ time })));
      return undefined;
    },
    exit: 3,
    code: 'AnotherRun',
    says: /^a run of somebody@elsewhere has been publishing since \d{4}-\d\d-\d\dT[\d:.]+Z, and has not ended$/,
    next: /ten minutes/,
  },
  {
    title: 'a live URL that is not ours',
    given: (world) => {
      world.data('kube-system/ack-agent-config', (data) => {
        data.addNodeScriptPath = 'https://files.example.com/join.sh';
      });
      return undefined;
    },
    exit: 3,
    code: 'ForeignScript',
    says: /^addNodeScriptPath holds https:\/\/files\.example\.com\/join\.sh, which ackone-join did not publish$/,
    next: /--replace-foreign/,
  },
]);
