/** What went wrong with one request to OSS, before anybody says what it means: read from the answer, free of secrets. */
import * as z from 'zod';
import type { Exchange, ExchangeError } from './http.ts';

export type Trouble =
  | { readonly kind: 'refused'; readonly status: number; readonly error: OssError }
  /** An answer that is not one of OSS: a proxy's page, a redirect, something unreadable. */
  | { readonly kind: 'foreign'; readonly status: number; readonly what: string }
  | { readonly kind: 'none'; readonly reason: ExchangeError['reason']; readonly what: string };

/**
 * Error document of OSS, without what repeats the request (OSSAccessKeyId, StringToSign, ArgumentValue).
 * https://help.aliyun.com/zh/oss/developer-reference/error-responses
 */
export interface OssError {
  readonly code: string;
  /** For comparing only; it is never shown. */
  readonly message: string;
  /** Number of the case in OSS's error handbook, such as `0003-00000001`. */
  readonly ec: string | undefined;
  readonly requestId: string | undefined;
  /** Host that the bucket is to be addressed by (G2). */
  readonly endpoint: string | undefined;
  /** Server's clock less the request's (G1). */
  readonly skewMs: number | undefined;
}

/** Carries a Trouble through retries; store.ts turns it into a Failure in the end. */
export class OssTrouble extends Error {
  override readonly name = 'OssTrouble';

  constructor(readonly trouble: Trouble) {
    super(`OSS: ${trouble.kind}`);
  }
}

/** Whether the same request may pass a little later. */
export function isPassing(trouble: Trouble): boolean {
  if (trouble.kind === 'none') return trouble.reason === 'timeout' || trouble.reason === 'network';
  return trouble.status >= 500;
}

/** Server's clock less the request's, where OSS refused for that reason (G1). */
export const skewOf = (trouble: Trouble): number | undefined =>
  trouble.kind === 'refused' && trouble.error.code === 'RequestTimeTooSkewed' ? trouble.error.skewMs : undefined;

const errorDocument = z.object({
  Code: z.string().regex(/^[A-Za-z][\w.-]{0,99}$/),
  Message: z.string().catch(''),
  EC: z
    .string()
    .regex(/^[\w-]{1,40}$/)
    .optional()
    .catch(undefined),
  RequestId: z
    .string()
    .regex(/^\w{1,64}$/)
    .optional()
    .catch(undefined),
  Endpoint: z
    .string()
    .regex(/^[a-z0-9.-]{1,253}$/i)
    .optional()
    .catch(undefined),
  RequestTime: z.string().optional().catch(undefined),
  ServerTime: z.string().optional().catch(undefined),
});

/** @param parseXml Rejects, or gives whatever the root element holds. */
export async function readTrouble(answer: Exchange, parseXml: (xml: string) => Promise<unknown>): Promise<Trouble> {
  const { status, headers, body } = answer;
  const text = body.length > 0 ? body.toString('utf8') : errorHeader(headers['x-oss-err']);
  const document = errorDocument.safeParse(await parseXml(text).catch(() => undefined));
  if (document.success) return { kind: 'refused', status, error: ossError(document.data, headers.date) };
  if (status >= 300 && status < 400)
    return { kind: 'foreign', status, what: `a redirect to ${redirectHost(headers.location)}` };
  const type = /^[\w.+-]+\/[\w.+-]+/.exec(headers['content-type'] ?? '')?.[0];
  return { kind: 'foreign', status, what: `${status} with ${type ?? 'no'} content` };
}

/** A HEAD has no body: OSS puts the document into a header. */
const errorHeader = (value: string | string[] | undefined): string =>
  typeof value === 'string' ? Buffer.from(value, 'base64').toString('utf8') : '';

function redirectHost(location: string | undefined): string {
  return location !== undefined && URL.canParse(location) ? new URL(location).host : 'another place';
}

function ossError(document: z.output<typeof errorDocument>, date: string | undefined): OssError {
  const server = parsedTime(document.ServerTime) ?? parsedTime(date);
  const request = parsedTime(document.RequestTime) ?? Date.now();
  return {
    code: document.Code,
    message: document.Message,
    ec: document.EC,
    requestId: document.RequestId,
    endpoint: document.Endpoint,
    skewMs: server === undefined ? undefined : server - request,
  };
}

function parsedTime(text: string | undefined): number | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : time;
}
