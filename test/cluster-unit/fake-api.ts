/** An HTTPS server that answers, path by path, what a test wrote down; and remembers what it was asked. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Pair } from './certificates.ts';
import { createAuthority } from './certificates.ts';

export interface Seen {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Gives an answer by itself, or computes one from the request. */
export type Reply = (response: ServerResponse, seen: Seen) => void;

/** A Kubernetes object with 200. */
export const ok = (object: object): Reply => json(200, object);
export const json =
  (code: number, object: object): Reply =>
  (response) =>
    raw(code, JSON.stringify(object), 'application/json')(response, noRequest);
export const raw =
  (code: number, text: string, type = 'text/html'): Reply =>
  (response) =>
    void response.writeHead(code, { 'content-type': type }).end(text);
/** A refusal as the API server words it. */
export const refused = (code: number, reason: string, message = ''): Reply =>
  json(code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, message, code });
export const forbidden = (verb: string, resource: string): Reply =>
  refused(403, 'Forbidden', `${resource} is forbidden: User "jane" cannot ${verb} resource "${resource}"`);
/** Never answers. */
export const silent: Reply = () => undefined;
/** Sends a part of an answer and hangs up. */
export const cut: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 });
  response.write('{"kind":"NodeLi', () => response.destroy());
};

const noRequest: Seen = { method: '', path: '', headers: {}, body: '' };

export interface FakeApi {
  /** `https://127.0.0.1:PORT` */
  readonly url: string;
  readonly port: number;
  /** PEM of the CA that signed its certificate. */
  readonly ca: string;
  /** A folder of the test's own. */
  readonly folder: string;
  readonly seen: readonly Seen[];
  /**
   * @param request `GET /api/v1/nodes`, without a query; what is not scripted is 404.
   * @param replies One after the other; the last one stays.
   */
  on(request: string, ...replies: readonly Reply[]): void;
  /** How often it was asked. */
  count(request: string): number;
  /** The path of a kubeconfig for it, with what a test changes in its cluster and user. */
  kubeconfig(cluster?: object, user?: object, contextName?: string): Promise<string>;
  /** Forgets script and requests. */
  reset(): void;
  close(): Promise<void>;
}

/** Everything but its own address that the certificate is good for. */
const names = ['127.0.0.1', '192.0.2.10', 'localhost', 'api.example.com'];

/** @param certificate Instead of a good one for 127.0.0.1, 192.0.2.10 and api.example.com. */
export async function startFakeApi(certificate?: Pair & { readonly ca: string }): Promise<FakeApi> {
  const authority = certificate ? undefined : await createAuthority('kubernetes');
  const pair = certificate ?? (await authority!.issue(names));
  const ca = certificate?.ca ?? authority!.cert;
  const folder = await mkdtemp(join(tmpdir(), 'ackone-join-fake-api-'));
  const script = new Map<string, Reply[]>();
  const seen: Seen[] = [];

  const server = createServer({ cert: pair.cert, key: pair.key }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url: path = '', headers } = request;
    const asked = { method, path, headers, body: Buffer.concat(chunks).toString() };
    seen.push(asked);
    const replies = script.get(`${method} ${path.split('?')[0]}`) ?? [refused(404, 'NotFound', 'not found')];
    const reply = replies.length > 1 ? replies.shift()! : replies[0]!;
    reply(response, asked);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `https://127.0.0.1:${port}`;
  let files = 0;
  return {
    url,
    port,
    ca,
    folder,
    seen,
    on: (request, ...replies) => void script.set(request, [...replies]),
    count: (request) => seen.filter(({ method, path }) => `${method} ${path.split('?')[0]}` === request).length,
    async kubeconfig(cluster = {}, user = { token: 'user-token' }, contextName = 'lab') {
      files += 1;
      const path = join(folder, `kubeconfig-${files}`);
      const data = { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64'), ...cluster };
      await writeFile(path, stringify(kubeconfigOf(contextName, data, user)));
      return path;
    },
    reset() {
      script.clear();
      seen.length = 0;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** One context, cluster and user, all of one name. */
export const kubeconfigOf = (name: string, cluster: object, user: object): object => ({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': name,
  contexts: [{ name, context: { cluster: name, user: name } }],
  clusters: [{ name, cluster }],
  users: [{ name, user }],
});

export const configMap = (name: string, data: Record<string, string> | null, resourceVersion = '7'): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, resourceVersion },
  data,
});
