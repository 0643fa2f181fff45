/**
 * Who signed a request. V4 as facts/oss.md says it (help.aliyun.com, OSS "V4 signature"): in the Authorization header, or
 * in the query of a presigned URL. V1 in the header only, for the SDK that knows nothing newer.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Request } from '../http.ts';
import type { Address } from './address.ts';
import { accessDenied, OssError } from './answers.ts';

export interface AccessKey {
  readonly id: string;
  readonly secret: string;
}

export interface Signer {
  readonly keyId: string;
  /** Region of the V4 scope; V1 names none. */
  readonly region: string | undefined;
  /** By the query of a URL. */
  readonly presigned: boolean;
}

const algorithm = 'OSS4-HMAC-SHA256';
const maxSkewMs = 15 * 60_000;
const maxExpirySeconds = 604_800;

/**
 * @param acceptV1 False as on accounts where V1 is closed.
 * @returns undefined for a request that is not signed.
 */
export function signerOf(request: Request, address: Address, key: AccessKey, acceptV1: boolean): Signer | undefined {
  const { headers, query } = request;
  if (headers.authorization?.startsWith(algorithm)) return byHeader(request, address, key);
  if (query.has('x-oss-signature')) return byQuery(request, address, key);
  if (query.has('Signature') || (headers.authorization !== undefined && !acceptV1)) {
    throw new OssError(403, 'InvalidArgument', 'Signature version V1 is not supported for this account, use V4.');
  }
  return headers.authorization === undefined ? undefined : byV1(request, address, key);
}

interface Signature {
  readonly credential: string;
  readonly date: string;
  readonly signature: string;
  readonly additionalHeaders: string;
}

function byHeader(request: Request, address: Address, key: AccessKey): Signer {
  const { headers } = request;
  const fields = (headers.authorization ?? '').slice(algorithm.length).split(',');
  const given = new Map(fields.map((field) => field.trim().split(/=(.*)/s) as [string, string]));
  const date = String(headers['x-oss-date'] ?? '');
  const signed = {
    credential: given.get('Credential') ?? '',
    date,
    signature: given.get('Signature') ?? '',
    additionalHeaders: given.get('AdditionalHeaders') ?? '',
  };
  checkSkew(timeOf(date));
  return { ...check(request, address, key, signed), presigned: false };
}

function byQuery(request: Request, address: Address, key: AccessKey): Signer {
  const of = (name: string) => request.query.get(name) ?? '';
  if (of('x-oss-signature-version') !== algorithm) {
    throw new OssError(400, 'InvalidArgument', 'Invalid signature version in query.');
  }
  const time = timeOf(of('x-oss-date'));
  const seconds = Number(of('x-oss-expires'));
  if (!(seconds >= 1 && seconds <= maxExpirySeconds)) {
    throw new OssError(400, 'AuthorizationQueryParametersError', 'x-oss-expires must be between 1 and 604800 seconds.');
  }
  if (Date.now() > time + seconds * 1000) throw accessDenied('Request has expired.');
  const signed = {
    credential: of('x-oss-credential'),
    date: of('x-oss-date'),
    signature: of('x-oss-signature'),
    additionalHeaders: of('x-oss-additional-headers'),
  };
  return { ...check(request, address, key, signed), presigned: true };
}

function check(request: Request, address: Address, key: AccessKey, given: Signature) {
  const [id = '', day = '', region = '', product = '', terminator = ''] = given.credential.split('/');
  checkKeyId(id, key);
  if (product !== 'oss' || terminator !== 'aliyun_v4_request' || day !== given.date.slice(0, 8)) {
    throw new OssError(400, 'InvalidArgument', 'Invalid signing scope in Authorization header.');
  }
  const additional = given.additionalHeaders.split(';').filter((name) => name !== '');
  const canonical = canonicalRequest(request, address, additional);
  const scope = [day, region, product, terminator].join('/');
  const toSign = [algorithm, given.date, scope, createHash('sha256').update(canonical).digest('hex')].join('\n');
  const signingKey = [day, region, product, terminator].reduce<Buffer>(hmac, Buffer.from(`aliyun_v4${key.secret}`));
  checkSignature(hmac(signingKey, toSign).toString('hex'), given.signature);
  return { keyId: id, region };
}

const hmac = (secret: Buffer, text: string) => createHmac('sha256', secret).update(text).digest();

function canonicalRequest({ method, query, headers }: Request, address: Address, additional: string[]): string {
  const names = Object.keys(headers).filter(
    (name) => name.startsWith('x-oss-') || name === 'content-type' || name === 'content-md5',
  );
  const signedHeaders = [...new Set([...names, ...additional])].sort();
  const parameters = [...query]
    .filter(([name]) => name !== 'x-oss-signature')
    .map(([name, value]) => (value === '' ? encoded(name) : `${encoded(name)}=${encoded(value)}`))
    .sort();
  return [
    method,
    encoded(resourceOf(address)).replaceAll('%2F', '/'),
    parameters.join('&'),
    ...signedHeaders.map((name) => `${name}:${headerText(headers[name])}`),
    '',
    additional.join(';'),
    headers['x-oss-content-sha256'] ?? 'UNSIGNED-PAYLOAD',
  ].join('\n');
}

const resourceOf = ({ bucket, key }: Address) => (bucket === undefined ? '/' : `/${bucket}/${key}`);
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
/** Node reads header bytes as latin1; OSS reads UTF-8. */
const headerText = (value: string | string[] | undefined) =>
  Buffer.from([value ?? ''].flat().join(','), 'latin1')
    .toString('utf8')
    .trim();

/** Query parameters that V1 signs; those that the sandbox knows. */
const v1Parameters = ['acl', 'bucketInfo', 'location', 'policy', 'policyStatus', 'publicAccessBlock', 'versioning'];

function byV1(request: Request, address: Address, key: AccessKey): Signer {
  const { method, headers, query } = request;
  const [, id = '', signature = ''] = /^OSS ([^:]+):(.+)$/.exec(headers.authorization ?? '') ?? [];
  checkKeyId(id, key);
  const date = String(headers['x-oss-date'] ?? headers.date ?? '');
  checkSkew(Date.parse(date));
  const ossHeaders = Object.keys(headers)
    .filter((name) => name.startsWith('x-oss-'))
    .sort()
    .map((name) => `${name}:${headerText(headers[name])}`);
  const parameters = v1Parameters
    .filter((name) => query.has(name))
    .map((name) => (query.get(name) === '' ? name : `${name}=${query.get(name)}`));
  const resource = resourceOf(address) + (parameters.length > 0 ? `?${parameters.join('&')}` : '');
  const toSign = [
    method,
    headers['content-md5'] ?? '',
    headers['content-type'] ?? '',
    date,
    ...ossHeaders,
    resource,
  ].join('\n');
  checkSignature(createHmac('sha1', key.secret).update(toSign).digest('base64'), signature);
  return { keyId: id, region: undefined, presigned: false };
}

function checkKeyId(id: string, key: AccessKey): void {
  if (id === key.id) return;
  const message = 'The OSS Access Key Id you provided does not exist in our records.';
  throw new OssError(403, 'InvalidAccessKeyId', message, { OSSAccessKeyId: id });
}

function checkSignature(expected: string, given: string): void {
  const [one, two] = [Buffer.from(expected), Buffer.from(given)];
  if (one.length === two.length && timingSafeEqual(one, two)) return;
  throw new OssError(
    403,
    'SignatureDoesNotMatch',
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
  );
}

/** `20261201T120000Z` */
function timeOf(date: string): number {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date);
  return parts ? Date.parse(`${parts[1]}-${parts[2]}-${parts[3]}T${parts[4]}:${parts[5]}:${parts[6]}Z`) : Number.NaN;
}

function checkSkew(time: number): void {
  if (Number.isNaN(time)) throw accessDenied('OSS authentication requires a valid Date.');
  const now = Date.now();
  if (Math.abs(now - time) <= maxSkewMs) return;
  throw new OssError(
    403,
    'RequestTimeTooSkewed',
    'The difference between the request time and the current time is too large.',
    {
      RequestTime: new Date(time).toISOString(),
      ServerTime: new Date(now).toISOString(),
      MaxAllowedSkewMilliseconds: String(maxSkewMs),
    },
  );
}
