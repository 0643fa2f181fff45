/** From a context of a kubeconfig to what client-node connects with: files read, plugin run, everything inline. */
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { Cluster as ClientCluster, User as ClientUser } from '@kubernetes/client-node';
import { Failure } from '../errors.ts';
import { nearest } from '../nearest.ts';
import type { PluginRun } from './exec-plugin.ts';
import { runPlugin } from './exec-plugin.ts';
import type { ClusterEntry, Kubeconfig, UserEntry } from './kubeconfig.ts';
import { proxyFor } from './proxy.ts';

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
    new Failure('KubeconfigInvalid', `context ${context} of the kubeconfig ${reason}`);
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
    names.length === 0 ? 'The kubeconfig has no contexts.' : `Choose one by --context: ${names.join(', ')}`;
  const next = [...(meant === undefined ? [] : [`Did you mean --context '${meant}'?`]), listed];
  const what = name === undefined ? 'the kubeconfig has no current context' : `the kubeconfig has no context ${name}`;
  throw new Failure('ContextUnknown', what, { next });
}

function serverUrl(cluster: ClusterEntry, name: string): URL {
  const server = cluster.server ?? '';
  if (!URL.canParse(server))
    throw new Failure('KubeconfigInvalid', `cluster ${name} of the kubeconfig has no server URL`);
  const url = new URL(server);
  if (url.protocol !== 'https:') {
    throw new Failure(
      'KubeconfigInvalid',
      `cluster ${name} of the kubeconfig has server ${server}, which is not https`,
    );
  }
  return url;
}

function proxyUrlOf(cluster: ClusterEntry, name: string): string | undefined {
  const proxy = cluster['proxy-url'];
  if (proxy !== undefined && !/^(https?|socks5h?):\/\/[^/]/.test(proxy)) {
    const what = `cluster ${name} of the kubeconfig has a proxy-url that is no http, https or socks5 URL`;
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

/** PEM in base64, as kubeconfigs have it. */
function pem(base64: string, what: string): string {
  const text = Buffer.from(base64, 'base64').toString('utf8');
  if (!/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(base64) || !text.includes('-----BEGIN ')) {
    throw new Failure('KubeconfigInvalid', `${what} in the kubeconfig is no base64 of a PEM text`);
  }
  return text;
}

/** A file that a kubeconfig names: relative paths start at the kubeconfig's folder (H3). */
async function beside(path: string, folder: string | undefined, what: string): Promise<string> {
  if (folder === undefined && !isAbsolute(path)) {
    const reason = `is the relative path ${path}, and a kubeconfig from standard input has no folder to start from`;
    throw new Failure('KubeconfigInvalid', `${what} ${reason}`, {
      next: ['Give the kubeconfig as a file, or use `kubectl config view --flatten --raw`.'],
    });
  }
  const full = resolve(folder ?? '/', path);
  return readFile(full, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${error.code})`;
    throw new Failure('KubeconfigInvalid', `${what} in the kubeconfig names ${full}, which ${reason}`);
  });
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

const base64 = (text: string) => Buffer.from(text).toString('base64');

type UserRun = Omit<PluginRun, 'exec'>;

async function clientUser(entry: UserEntry, run: UserRun): Promise<ClientUser> {
  const { folder, userName } = run;
  const read = (path: string, key: string) => beside(path, folder, `${key} of user ${userName}`);
  const plugin = entry.exec ? await runPlugin({ ...run, exec: entry.exec }) : undefined;
  const half = async (key: 'client-certificate' | 'client-key') => {
    const data = entry[`${key}-data`];
    if (data !== undefined) return pem(data, `${key}-data of user ${userName}`);
    const path = entry[key];
    return path === undefined ? undefined : read(path, key);
  };
  const certificate = plugin?.certificate ?? (await half('client-certificate'));
  const key = plugin?.key ?? (await half('client-key'));
  if (certificate !== undefined) checkPair(certificate, key, userName);
  const file = entry.tokenFile === undefined ? undefined : (await read(entry.tokenFile, 'tokenFile')).trim();
  const token = plugin?.token ?? file ?? entry.token ?? providerToken(entry, userName);
  if (entry['as-groups'].length > 0) {
    const what = `user ${userName} of the kubeconfig has as-groups, which cannot be sent from here`;
    throw new Failure('KubeconfigInvalid', what, { next: ['Use a context that does not impersonate groups.'] });
  }
  return {
    name: userName,
    ...(certificate !== undefined && { certData: base64(certificate) }),
    ...(key !== undefined && { keyData: base64(key) }),
    ...(token !== undefined && { token }),
    ...(entry.username !== undefined && { username: entry.username, password: entry.password ?? '' }),
    ...(entry.as !== undefined && { impersonateUser: entry.as }),
  };
}

/** kubeadm's client certificates live for a year: say that before the API server says only 401. */
function checkPair(certificate: string, key: string | undefined, userName: string): void {
  const owner = `user ${userName} of the kubeconfig`;
  try {
    if (key === undefined) throw new Error('no key');
    createSecureContext({ cert: certificate, key });
  } catch {
    throw new Failure(
      'KubeconfigInvalid',
      `the client certificate and key of ${owner} are no pair that belongs together`,
    );
  }
  const end = new Date(new X509Certificate(certificate).validTo);
  if (end.getTime() < Date.now()) {
    const what = `the client certificate of ${owner} has expired on ${end.toISOString()}`;
    throw new Failure('ClusterCertificateExpired', what);
  }
}

/** kubectl keeps the token of its oidc provider in the kubeconfig, and renews it there. */
function providerToken(entry: UserEntry, userName: string): string | undefined {
  const provider = entry['auth-provider'];
  if (!provider) return undefined;
  const token = provider.config?.['id-token'];
  if (typeof token === 'string') return token;
  const what = `user ${userName} of the kubeconfig logs in by auth-provider ${provider.name}, which is no longer in use`;
  throw new Failure('KubeconfigInvalid', what, { next: ['Use a credential plugin (exec) instead, as kubectl does.'] });
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
