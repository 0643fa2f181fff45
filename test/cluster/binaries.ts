/** A registered cluster that somebody has installed from binaries: nothing of kubeadm's in it, and a kubelet that answers. */
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority } from '../cluster-unit/certificates.ts';
import type { KubernetesObject } from '../support/raw-api.ts';
import { type Connection, call } from '../support/raw-api.ts';
import type { Contents } from './control-plane.ts';
import { admitAdmin, create } from './furnish.ts';
import type { KubeadmInput } from './kubeadm.ts';
import { agentConfig, node, nodes } from './objects.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
export const bindings = `${rbac}/clusterrolebindings`;

const bound = (name: string, role: string, group: string) => ({
  metadata: { name },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: group }],
});
const approver = (kind: string) => `system:certificates.k8s.io:certificatesigningrequests:${kind}`;

/** As kubernetes.io, "TLS bootstrapping", has them, and the right to look for a Node. */
export const bootstrapBindings = [
  bound('create-csrs-for-bootstrapping', 'system:node-bootstrapper', 'system:bootstrappers'),
  bound('auto-approve-csrs-for-group', approver('nodeclient'), 'system:bootstrappers'),
  bound('auto-approve-renewals-for-nodes', approver('selfnodeclient'), 'system:nodes'),
  bound('bootstrappers-get-nodes', 'bootstrappers-get-nodes', 'system:bootstrappers'),
] as const;

const labels = { app: 'kube-proxy' };
const kubeProxy = {
  metadata: { name: 'kube-proxy' },
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'kube-proxy', image: 'kube-proxy' }] } },
  },
};

/** What the kubelet of worker-1 runs with, as far as it matters here. */
export const workerConfig = {
  staticPodPath: '/etc/kubernetes/manifests',
  clusterDNS: ['10.96.0.10'],
  clusterDomain: 'cluster.local',
  cgroupDriver: 'systemd',
};

export interface Kubelet {
  /** On 127.0.0.1. */
  readonly port: number;
  close(): Promise<void>;
}

/** A kubelet that knows its own configuration and nothing else. */
export async function startKubelet(): Promise<Kubelet> {
  const { cert, key } = await (await createAuthority('kubelet')).issue(['worker-1']);
  const server = createServer({ cert, key }, ({ url }, response) => {
    if (url !== '/configz') return void response.writeHead(404).end();
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ kubeletconfig: workerConfig }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const fromBinaries = (kubelet: Kubelet): Contents => ({
  furnish,
  isReady: hasRootCa,
  routes: { '192.0.2.31:10250': kubelet.port },
});

async function furnish({ version }: KubeadmInput, root: Connection): Promise<void> {
  await admitAdmin(root);
  const worker = node({ name: 'worker-1' }, '192.0.2.31', version);
  await Promise.all([
    ...[...nodes(version), worker].map((each) => create(root, '/api/v1/nodes', each)),
    ...bootstrapBindings.map((each) => create(root, bindings, each)),
    create(root, `${rbac}/clusterroles`, {
      metadata: { name: 'bootstrappers-get-nodes' },
      rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }],
    }),
    create(root, '/api/v1/namespaces/kube-system/configmaps', agentConfig),
    create(root, '/apis/apps/v1/namespaces/kube-system/daemonsets', kubeProxy),
  ]);
}

/** The controller manager is at work once it has published the CA. */
async function hasRootCa(root: Connection): Promise<boolean> {
  const { body } = await call(root, 'GET', '/api/v1/namespaces/kube-system/configmaps/kube-root-ca.crt');
  return (body as KubernetesObject).data?.['ca.crt'] !== undefined;
}
