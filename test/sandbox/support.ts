/** Requests to a sandbox, as tests of it need them. */
import { readFileSync } from 'node:fs';
import AliOss from 'ali-oss';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { type Connection, call, connectionOf } from '../support/raw-api.ts';

export const system = '/api/v1/namespaces/kube-system';
export const clusterInfo = '/api/v1/namespaces/kube-public/configmaps/cluster-info';
export const mergePatch = 'application/merge-patch+json';

/** The kubeconfig's user in one of its contexts. */
export function admin(sandbox: Sandbox, context = sandbox.context): Connection {
  const text = readFileSync(sandbox.kubeconfig, 'utf8');
  return connectionOf(text.replace(/^current-context: .*$/m, `current-context: ${context}`));
}

export const get = (connection: Connection, path: string) => call(connection, 'GET', path);

/** `data` of a ConfigMap. */
export async function dataOf(connection: Connection, path: string): Promise<Record<string, string>> {
  return ((await get(connection, path)).body as { data: Record<string, string> }).data;
}

export interface Signed {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

export interface Signing {
  readonly bucket?: string;
  readonly region?: string;
  readonly id?: string;
  readonly secret?: string;
  /** Added to the time that is signed. */
  readonly skewMs?: number;
  readonly v4?: boolean;
}

/** A request as ali-oss signs it, not yet sent. */
export async function sign(
  sandbox: Sandbox,
  work: (client: AliOss) => Promise<unknown>,
  { bucket = 'ackone-sandbox', region = 'cn-hangzhou', id, secret, skewMs = 0, v4 = true }: Signing = {},
): Promise<Signed> {
  let signed: Signed | undefined;
  const request = async (
    url: string,
    asked: { method: string; headers: Record<string, unknown>; content?: Buffer },
  ) => {
    const headers = Object.entries(asked.headers).filter(([name]) => !/^(host|content-length)$/i.test(name));
    signed = {
      url,
      method: asked.method,
      headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
      ...(asked.content && { body: asked.content.toString() }),
    };
    throw new Error('signed, not sent');
  };
  const client = new AliOss({
    bucket,
    region,
    endpoint: sandbox.known.endpoint,
    accessKeyId: id ?? sandbox.env.ALIBABA_CLOUD_ACCESS_KEY_ID,
    accessKeySecret: secret ?? sandbox.env.ALIBABA_CLOUD_ACCESS_KEY_SECRET,
    sldEnable: true,
    authorizationV4: v4,
    amendTimeSkewed: skewMs,
    urllib: { request },
  } as AliOss.Options);
  await work(client).catch(() => undefined);
  if (!signed) throw new Error('ali-oss sent nothing');
  return signed;
}

/** What OSS answered; of an error its code. */
export interface Reply {
  readonly status: number;
  readonly code: string | undefined;
  readonly text: string;
  readonly headers: Headers;
}

export async function send({ url, method, headers, body }: Signed): Promise<Reply> {
  // A text would get a content-type of fetch's own, which nobody signed.
  const response = await fetch(url, { method, headers, ...(body !== undefined && { body: Buffer.from(body) }) });
  const text = await response.text();
  return { status: response.status, code: /<Code>(\w+)/.exec(text)?.[1], text, headers: response.headers };
}

/** Signed by the owner, and sent. */
export const ask = async (sandbox: Sandbox, work: (client: AliOss) => Promise<unknown>, signing: Signing = {}) =>
  send(await sign(sandbox, work, signing));

/** As a node reads: without a signature, from the sandbox's VPC unless another is named. */
export const read = (sandbox: Sandbox, path: string, vpc?: string): Promise<Reply> =>
  send({ url: `${sandbox.known.endpoint}/${path}`, method: 'GET', headers: vpc ? { 'x-sandbox-vpc': vpc } : {} });
