/** The Kubernetes API as plain HTTP: no client library between a test and what the server says. */
import { request } from 'node:https';
import { HttpsProxyAgent } from 'hpagent';
import { parse } from 'yaml';

/** Where an API server is and who asks. */
export interface Connection {
  readonly server: string;
  readonly proxyUrl: string;
  readonly ca: string;
  readonly cert?: string;
  readonly key?: string;
  readonly token?: string;
}

export interface Answer {
  readonly status: number;
  /** Without parameters, for example `application/json`. */
  readonly contentType: string;
  /** Parsed JSON, or the text where it is none. */
  readonly body: unknown;
}

/** A Kubernetes object, as far as tests look into one. */
export interface KubernetesObject {
  readonly metadata: { readonly name: string; readonly resourceVersion: string } & Record<string, unknown>;
  readonly data?: Record<string, string>;
  readonly status?: Record<string, unknown>;
}

interface Kubeconfig {
  'current-context': string;
  contexts: { name: string; context: { cluster: string; user: string } }[];
  clusters: {
    name: string;
    cluster: { server: string; 'proxy-url': string; 'certificate-authority-data': string };
  }[];
  users: {
    name: string;
    user: { 'client-certificate-data'?: string; 'client-key-data'?: string; token?: string };
  }[];
}

/** A context (default: the current one) of a kubeconfig whose certificates are inline and which goes through a proxy. */
export function connectionOf(kubeconfig: string, contextName?: string): Connection {
  const config = parse(kubeconfig) as Kubeconfig;
  const context = named(config.contexts, contextName ?? config['current-context']).context;
  const cluster = named(config.clusters, context.cluster).cluster;
  const user = named(config.users, context.user).user;
  return {
    server: cluster.server,
    proxyUrl: cluster['proxy-url'],
    ca: decoded(cluster['certificate-authority-data']),
    ...(user['client-certificate-data'] && { cert: decoded(user['client-certificate-data']) }),
    ...(user['client-key-data'] && { key: decoded(user['client-key-data']) }),
    ...(user.token && { token: user.token }),
  };
}

const decoded = (base64: string) => Buffer.from(base64, 'base64').toString();

function named<T extends { name: string }>(items: readonly T[], name: string): T {
  const found = items.find((item) => item.name === name);
  if (!found) throw new Error(`the kubeconfig has no ${name}`);
  return found;
}

/** The same server, asked by nobody. */
export const anonymous = ({ server, proxyUrl, ca }: Connection): Connection => ({ server, proxyUrl, ca });

/** The same server, asked by the bearer of `token`. */
export const bearer = (connection: Connection, token: string): Connection => ({ ...anonymous(connection), token });

/** One request. A body that is no string is sent as JSON. */
export function call(
  { server, proxyUrl, token, ...tls }: Connection,
  method: string,
  path: string,
  body?: unknown,
  contentType = 'application/json',
): Promise<Answer> {
  const agent = new HttpsProxyAgent({ proxy: proxyUrl, keepAlive: false });
  const sent = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  const headers = {
    accept: 'application/json',
    // Node tells no length of a DELETE's body by itself, and the server then takes it for none.
    ...(sent !== undefined && { 'content-type': contentType, 'content-length': Buffer.byteLength(sent) }),
    ...(token && { authorization: `Bearer ${token}` }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(path, server), { method, agent, headers, ...tls }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          contentType: response.headers['content-type']?.split(';')[0] ?? '',
          body: read(Buffer.concat(chunks).toString()),
        }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(sent);
  });
}

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
