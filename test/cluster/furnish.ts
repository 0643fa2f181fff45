/** Puts into a bare API server what kubeadm and a registration with ACK One would put there. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { type Connection, call, connectionOf, type KubernetesObject } from '../support/raw-api.ts';
import type { Contents } from './control-plane.ts';
import { behindProxy, foreignToken, initPhase, type KubeadmInput } from './kubeadm.ts';
import { agentConfig, nodes } from './objects.ts';

/** `kubeadm init` makes it once, as system:masters (cmd/kubeadm/app/phases/kubeconfig/kubeconfig.go). */
const adminBinding = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: 'kubeadm:cluster-admins' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'kubeadm:cluster-admins' }],
};

/** Lets the administrator's kubeconfig in. */
export const admitAdmin = (root: Connection): Promise<void> =>
  create(root, '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', adminBinding);

export const byKubeadm: Contents = { furnish, isReady: isSigned, routes: {} };

async function furnish(input: KubeadmInput, root: Connection, proxyUrl: string): Promise<void> {
  await admitAdmin(root);
  await Promise.all(nodes(input.version).map((node) => create(root, '/api/v1/nodes', node)));
  await create(root, '/api/v1/namespaces/kube-system/configmaps', agentConfig);

  // kubeadm copies the whole cluster entry into cluster-info, so here the proxy must not stand in the file.
  const env = behindProxy(proxyUrl);
  const kubeconfig = ['--kubeconfig', join(input.folder, 'super-admin.conf')];
  await Promise.all([
    initPhase(input, 'published.yaml', 'upload-config all', kubeconfig, env),
    initPhase(input, 'published.yaml', 'bootstrap-token', [...kubeconfig, '--skip-token-print'], env),
    initPhase(input, 'published.yaml', 'addon kube-proxy', kubeconfig, env),
  ]);
}

/** The controller manager is at work once cluster-info is signed for the token that kubeadm made. */
async function isSigned(root: Connection): Promise<boolean> {
  const { body } = await call(root, 'GET', '/api/v1/namespaces/kube-public/configmaps/cluster-info');
  return Boolean((body as KubernetesObject).data?.[`jws-kubeconfig-${foreignToken.id}`]);
}

export async function create(connection: Connection, path: string, object: object): Promise<void> {
  const { status, body } = await call(connection, 'POST', path, object);
  if (status !== 201) throw new Error(`POST ${path}: ${status} ${JSON.stringify(body)}`);
}

/** The kubeconfig `file` with a proxy-url: its text, and the connection that it describes. */
export async function throughProxy(file: string, proxyUrl: string): Promise<{ text: string; connection: Connection }> {
  const config = parse(await readFile(file, 'utf8')) as { clusters: { cluster: Record<string, string> }[] };
  for (const { cluster } of config.clusters) cluster['proxy-url'] = proxyUrl;
  const text = stringify(config);
  return { text, connection: connectionOf(text) };
}

/** Writes the administrator's kubeconfig as the product is to use it, and gives its path. */
export async function adminKubeconfig(folder: string, proxyUrl: string): Promise<string> {
  const path = join(folder, 'kubeconfig');
  await writeFile(path, (await throughProxy(join(folder, 'admin.conf'), proxyUrl)).text, { mode: 0o600 });
  return path;
}
