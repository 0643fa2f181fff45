/** A client of ali-oss for one attempt: settings without its traps, and a transport of ours that keeps what it saw. */
import type OSS from 'ali-oss';
import { Failure } from '../errors.ts';
import type { Credentials } from './credentials.ts';
import { type Exchange, exchange } from './http.ts';
import type { Target } from './types.ts';

export interface RequestOptions {
  /** For one request. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** False for a dry run: then a request that is no read is a bug and is not sent. */
  readonly mayWrite: boolean;
}

/** What ali-oss's own errors drop: the answer as it came, or why there is none. */
export interface Seen {
  answer?: Exchange;
  thrown?: unknown;
}

/** `parseXML` is there, and missing in its types. */
export type AliClient = OSS & { parseXML(xml: string): Promise<unknown> };

/** A script is 32 KiB at most, and a bucket's policy 16 KiB. */
const maxBytes = 1024 * 1024;
const dayMs = 86_400_000;

/** @param skewMs Server's clock less ours, added to the time that is signed (G1). */
export async function openClient(
  target: Target,
  credentials: Credentials,
  options: RequestOptions,
  seen: Seen,
  skewMs: number,
): Promise<AliClient> {
  const { default: AliOss } = await import('ali-oss');
  const { accessKeyId, accessKeySecret, securityToken: stsToken } = credentials;
  const settings = {
    accessKeyId,
    accessKeySecret,
    ...(stsToken === undefined ? {} : temporary({ accessKeyId, accessKeySecret, stsToken })),
    bucket: target.bucket,
    region: target.region,
    endpoint: target.endpoint,
    secure: target.endpoint.startsWith('https:'),
    cname: target.addressing === 'cname',
    sldEnable: target.addressing === 'path',
    authorizationV4: true,
    timeout: options.timeoutMs,
    amendTimeSkewed: skewMs,
    urllib: { request: transport(options, seen) },
  };
  return new AliOss(settings) as AliClient;
}

/** Without a way to renew them it prints a warning. A client lives for one request, so it never asks. */
const temporary = (keys: { accessKeyId: string; accessKeySecret: string; stsToken: string }) => ({
  stsToken: keys.stsToken,
  refreshSTSToken: async () => keys,
  refreshSTSTokenInterval: dayMs,
});

/** What ali-oss gives to its transport. */
interface AliRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly content?: string | Buffer;
}

const reads = new Set(['GET', 'HEAD']);

function transport({ timeoutMs, signal, mayWrite }: RequestOptions, seen: Seen) {
  return async (url: string, asked: AliRequest) => {
    try {
      if (!mayWrite && !reads.has(asked.method)) {
        throw new Failure('Bug', `a run that must not write was about to send a ${asked.method} to OSS`);
      }
      const answer = await exchange({
        url,
        method: asked.method,
        headers: headersOf(asked.headers),
        body: asked.content === undefined ? undefined : Buffer.from(asked.content),
        timeoutMs,
        maxBytes,
        signal,
      });
      seen.answer = answer;
      const { status, headers, body: data } = answer;
      return { status, headers, data, res: { status, headers, data } };
    } catch (error) {
      seen.thrown = error;
      throw error;
    }
  };
}

/** Without the Host that ali-oss makes up for an address; the URL has the right one, and V4 does not sign it. */
function headersOf(given: AliRequest['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given)
      .filter(([name, value]) => name.toLowerCase() !== 'host' && value !== undefined && value !== null)
      .map(([name, value]) => [name, String(value)]),
  );
}
