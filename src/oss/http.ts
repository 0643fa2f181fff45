/**
 * One HTTP exchange within bounds: a total time, a largest body, no redirect followed, and the proxy that the
 * environment names. Everything that this room says to a network, but for the typed SDK, passes here.
 */
import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { HttpProxyAgent, HttpsProxyAgent } from 'hpagent';
import { durationText } from '../durations.ts';
import { Failure } from '../errors.ts';
import { proxyFor } from '../proxy.ts';
import { traced } from '../tracing.ts';

export interface Exchange {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface ExchangeRequest {
  readonly url: string;
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
  /** For the whole exchange, the body of the answer included. */
  readonly timeoutMs: number;
  /** Largest body that is read. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** No whole answer came. The message holds no URL, no header and no body. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError';

  constructor(
    readonly reason: 'timeout' | 'network' | 'tls' | 'proxy' | 'size',
    message: string,
  ) {
    super(message);
  }
}

/** @throws ExchangeError, or the reason of `signal` once that is aborted */
export async function exchange(wanted: ExchangeRequest): Promise<Exchange> {
  const { host, pathname, searchParams } = new URL(wanted.url);
  // Values of the query may sign it.
  const query = [...searchParams.keys()].join('&');
  const what = `${wanted.method} ${pathname}${query && `?${query}`}`;
  return traced(
    host,
    what,
    () => exchangeWithin(wanted),
    ({ status }) => status,
  );
}

async function exchangeWithin(wanted: ExchangeRequest): Promise<Exchange> {
  const deadline = AbortSignal.timeout(wanted.timeoutMs);
  const signal = wanted.signal ? AbortSignal.any([wanted.signal, deadline]) : deadline;
  try {
    const response = await send(wanted, signal);
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: await readBody(response, wanted.maxBytes),
    };
  } catch (error) {
    wanted.signal?.throwIfAborted();
    if (error instanceof ExchangeError || error instanceof Failure) throw error;
    if (deadline.aborted) {
      throw new ExchangeError('timeout', `no answer within ${durationText(Math.max(1, wanted.timeoutMs / 1000))}`);
    }
    throw networkError(error);
  }
}

function send(wanted: ExchangeRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const url = new URL(wanted.url);
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        method: wanted.method,
        headers: { ...wanted.headers },
        agent: proxyAgent(url),
        // hpagent bounds its CONNECT by this, which the signal does not reach.
        timeout: wanted.timeoutMs,
        signal,
      },
      resolve,
    );
    outgoing.on('error', reject);
    outgoing.end(wanted.body);
  });
}

/** False: a connection of its own, closed afterwards. There are too few requests to keep any. */
function proxyAgent(url: URL): HttpProxyAgent | HttpsProxyAgent | false {
  const named = proxyFor(url, process.env);
  if (named === undefined) return false;
  const proxy = new URL(named);
  if (!['http:', 'https:'].includes(proxy.protocol)) {
    throw new ExchangeError('proxy', 'the proxy variable of the environment names no http or https proxy');
  }
  return url.protocol === 'https:' ? new HttpsProxyAgent({ proxy }) : new HttpProxyAgent({ proxy });
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Leaving the loop destroys the response, so the rest is not read.
    if (size > maxBytes) throw new ExchangeError('size', `the answer is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Codes of OpenSSL's verification and of Node's TLS, as in https://nodejs.org/api/tls.html#x509-certificate-error-codes. */
const tlsCode = /CERT|CRL|^ERR_(TLS|SSL)|^EPROTO$|SIGNATURE/;

function networkError(error: unknown): ExchangeError {
  if (!(error instanceof Error)) return new ExchangeError('network', 'the connection failed');
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  if (code !== undefined) return new ExchangeError(tlsCode.test(code) ? 'tls' : 'network', code);
  const refusal = /^Bad response: (\d{3})$/.exec(error.message);
  if (refusal) return new ExchangeError('proxy', `the proxy refused the connection with ${refusal[1]}`);
  if (error.message === 'Proxy timeout') return new ExchangeError('timeout', 'the proxy did not answer in time');
  return new ExchangeError('network', 'the connection failed');
}
