/** From a context of a kubeconfig to what client-node connects with. */
import type { Cluster as ClientCluster, User as ClientUser } from '@kubernetes/client-node';
import { Failure } from '../errors.ts';
import { nearest } from '../nearest.ts';
import { proxyFor } from '../proxy.ts';
import { quote } from '../quote.ts';
import type { PluginRun } from './exec-plugin.ts';
import { base64, beside, pem } from './inline.ts';
import type { ClusterEntry, Kubeconfig } from './kubeconfig.ts';
import { clientUser } from './user.ts';

export type LoginOptions = Pick<PluginRun, 'env' | 'interactive' | 'timeoutMs' | 'onOutput'>;

export interface Login {
  readonly context: string;
  readonly cluster: ClientCluster;
  readonly user: ClientUser;
  /** proxy-url of the kubeconfig, for every server of this cluster. */
  readonly proxyUrl: string | undefined;
}

/** @throws Failure ContextUnknown, KubeconfigInvalid, ClusterCertificateExpired and those of runPlugin */
export async function logIn(kubeconfig: Kubeconfig, asked: string | undefined, options: LoginOptions): Promise<Login> {
  const { context, clusterName, userName } = choose(kubeconfig, asked);
  const invalid = (reason: string) =>
    new Failure('KubeconfigInvalid', `context ${context} in the kubeconfig ${reason}`);
  const cluster = kubeconfig.clusters.get(clusterName ?? '');
  const user = kubeconfig.users.get(userName ?? '');
  if (!cluster)
    throw invalid(clusterName === undefined ? 'names no cluster' : `names cluster ${clusterName}, which is not there`);
  if (!user) throw invalid(userName === undefined ? 'names no user' : `names user ${userName}, which is not there`);
  const server = serverUrl(cluster.value, clusterName!);
  const proxyUrl = proxyUrlOf(cluster.value, clusterName!);
  const ca = await clusterCa(cluster.value, cluster.folder, clusterName!);
  const run = { ...options, folder: cluster.folder, userName: userName!, cluster: pluginCluster(cluster.value, ca) };
  return {
    context,
    proxyUrl,
    cluster: clientCluster(clusterName!, server, {
      ca,
      proxyUrl: proxyUrl ?? proxyFor(server, options.env),
      serverName: cluster.value['tls-server-name'],
      skipVerify: cluster.value['insecure-skip-tls-verify'] === true,
    }),
    user: await clientUser(user.value, { ...run, folder: user.folder }),
  };
}

/** Contexts are chosen by their exact name, whatever characters it has (H6). */
function choose(kubeconfig: Kubeconfig, asked: string | undefined) {
  const names = [...kubeconfig.contexts.keys()];
  const name = asked ?? kubeconfig.currentContext;
  const found = kubeconfig.contexts.get(name ?? '');
  if (name !== undefined && found) return { context: name, clusterName: found.cluster, userName: found.user };
  const meant = name === undefined ? undefined : nearest(name, names);
  const listed =
    names.length === 0
      ? 'Give another --kubeconfig: this one has no contexts.'
      : `Choose one by --context: ${names.join(', ')}`;
  const next = [...(meant === undefined ? [] : [`Did you mean --context ${quote(meant)}?`]), listed];
  const what = name === undefined ? 'the kubeconfig has no current context' : `the kubeconfig has no context ${name}`;
  throw new Failure('ContextUnknown', what, { next });
}

function serverUrl(cluster: ClusterEntry, name: string): URL {
  const server = cluster.server ?? '';
  if (!URL.canParse(server))
    throw new Failure('KubeconfigInvalid', `cluster ${name} in the kubeconfig has no server URL`);
  const url = new URL(server);
  if (url.username || url.password) {
    const what = `cluster ${name} in the kubeconfig has a user name or a password in its server`;
    throw new Failure('KubeconfigInvalid', what);
  }
  if (url.protocol !== 'https:') {
    throw new Failure(
      'KubeconfigInvalid',
      `cluster ${name} in the kubeconfig has server ${server}, which is not https`,
    );
  }
  return url;
}

function proxyUrlOf(cluster: ClusterEntry, name: string): string | undefined {
  const proxy = cluster['proxy-url'];
  if (proxy !== undefined && !(URL.canParse(proxy) && /^(https?|socks5h?):\/\//.test(proxy))) {
    const what = `cluster ${name} in the kubeconfig has a proxy-url that is no http, https or socks5 URL`;
    throw new Failure('KubeconfigInvalid', what);
  }
  return proxy;
}

async function clusterCa(entry: ClusterEntry, folder: string | undefined, name: string): Promise<string | undefined> {
  const { 'certificate-authority-data': data, 'certificate-authority': path } = entry;
  const owner = `cluster ${name}`;
  if (data !== undefined) return pem(data, `certificate-authority-data of ${owner}`);
  return path === undefined ? undefined : await beside(path, folder, `certificate-authority of ${owner}`);
}

/** A cluster as client-node takes it; also for servers that no kubeconfig names. */
export function clientCluster(
  name: string,
  server: URL,
  rest: { ca: string | undefined; proxyUrl: string | undefined; serverName?: string | undefined; skipVerify: boolean },
): ClientCluster {
  return {
    name,
    server: server.href.replace(/\/$/, ''),
    skipTLSVerify: rest.skipVerify,
    ...(rest.ca !== undefined && { caData: base64(rest.ca) }),
    ...(rest.proxyUrl !== undefined && { proxyUrl: rest.proxyUrl }),
    ...(rest.serverName !== undefined && { tlsServerName: rest.serverName }),
  };
}

/** For KUBERNETES_EXEC_INFO (client-go pkg/apis/clientauthentication/v1 Cluster). */
function pluginCluster(entry: ClusterEntry, ca: string | undefined): PluginRun['cluster'] {
  const config = entry.extensions.find(({ name }) => name === 'client.authentication.k8s.io/exec')?.extension;
  return {
    server: entry.server,
    'tls-server-name': entry['tls-server-name'],
    'insecure-skip-tls-verify': entry['insecure-skip-tls-verify'] ?? undefined,
    'certificate-authority-data': ca === undefined ? undefined : base64(ca),
    'proxy-url': entry['proxy-url'],
    config,
  };
}
