/** Where an object goes and where nodes find it: names, keys, endpoints, URLs. Pure. */
import { Failure } from '../errors.ts';
import { isAddress, isLoopback } from './hosts.ts';
import { internalHost, publicEndpoint, regionOfEndpoint } from './regions.ts';
import type { Target } from './types.ts';

export { region } from './regions.ts';

/** Longest value of addNodeScriptPath (G6; alibabacloud-ack-connector). */
const maxUrlBytes = 1024;
/** Longest object key (help.aliyun.com, OSS "Object naming conventions"). */
const maxKeyBytes = 1023;

/** @throws Failure BucketNameInvalid */
export function checkBucketName(bucket: string): void {
  if (!/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw new Failure('BucketNameInvalid', `${JSON.stringify(bucket)} is no bucket name`);
  }
}

/**
 * A key that stands in a URL, in a policy and in a shell word as it is: no character needs quoting, and no part of it is one that curl
 * would fold away before it asks.
 * @throws Failure ObjectKeyInvalid naming what is wrong
 */
export function checkObjectKey(key: string): void {
  const wrong = wrongInKey(key);
  if (wrong !== undefined) throw new Failure('ObjectKeyInvalid', `the object key ${JSON.stringify(key)} ${wrong}`);
}

function wrongInKey(key: string): string | undefined {
  const odd = /[^A-Za-z0-9._~/-]/u.exec(key)?.[0];
  if (key === '') return 'is empty';
  if (key.startsWith('/')) return 'begins with a slash';
  if (key.endsWith('/')) return 'ends with a slash';
  if (odd !== undefined) return `holds ${JSON.stringify(odd)}, which would need quoting in a URL`;
  if (key.split('/').some((part) => part === '' || part === '.' || part === '..')) {
    return 'has a part that is empty, "." or ".."';
  }
  if (key.length > maxKeyBytes) return `is longer than ${maxKeyBytes} characters`;
  return undefined;
}

export interface TargetOptions {
  readonly bucket: string;
  /** As `region()` gives it. */
  readonly region: string;
  /** --oss-endpoint: where to upload. */
  readonly ossEndpoint?: string | undefined;
  /** --oss-cname: the endpoint is a domain that is bound to the bucket (G8). */
  readonly ossCname: boolean;
  /** --node-endpoint: what nodes read. */
  readonly nodeEndpoint?: string | undefined;
}

/**
 * Uploads go to the public endpoint, nodes read by the internal one (G5), and either can be another.
 * @throws Failure BucketNameInvalid, AnswerInvalid for an endpoint that is none, AnswersContradict
 */
export function target(options: TargetOptions): Target {
  const { bucket, region, ossCname } = options;
  checkBucketName(bucket);
  const endpoint = uploadEndpoint(options);
  const host = endpoint.hostname;
  if (ossCname && isAddress(host)) {
    throw new Failure('AnswersContradict', `--oss-cname needs a domain, and --oss-endpoint is the address ${host}`);
  }
  const elsewhere = regionOfEndpoint(host);
  if (elsewhere !== undefined && elsewhere !== region) {
    throw new Failure(
      'AnswersContradict',
      `--oss-endpoint ${host} is in ${elsewhere}, and the bucket's region is ${region}`,
      {
        next: [`Give --region ${elsewhere}, or another --oss-endpoint.`],
      },
    );
  }
  const addressing = ossCname ? 'cname' : isAddress(host) ? 'path' : 'virtual';
  return {
    bucket,
    region,
    endpoint: endpoint.origin,
    nodeBaseUrl: nodeBaseUrl(options, endpoint, addressing),
    addressing,
  };
}

function uploadEndpoint({ bucket, region, ossEndpoint, ossCname }: TargetOptions): URL {
  if (ossEndpoint === undefined) {
    if (ossCname) {
      throw new Failure(
        'AnswersContradict',
        '--oss-cname says that --oss-endpoint is a domain of yours, and none is given',
      );
    }
    return new URL(publicEndpoint(region));
  }
  const endpoint = parseEndpoint('--oss-endpoint', ossEndpoint);
  if (endpoint.pathname !== '/') {
    throw new Failure(
      'AnswerInvalid',
      `--oss-endpoint must be a host without a path, such as ${publicEndpoint(region)}`,
    );
  }
  if (endpoint.protocol === 'http:' && !isLoopback(endpoint.hostname)) {
    throw new Failure('AnswerInvalid', '--oss-endpoint must be https: the script holds a token', {
      next: [`Give --oss-endpoint https://${endpoint.host}.`],
    });
  }
  // The SDK puts the bucket in front by itself.
  if (!ossCname && endpoint.hostname.startsWith(`${bucket}.`))
    endpoint.hostname = endpoint.hostname.slice(bucket.length + 1);
  return endpoint;
}

function nodeBaseUrl(options: TargetOptions, endpoint: URL, addressing: Target['addressing']): string {
  const { bucket, region, nodeEndpoint } = options;
  if (nodeEndpoint === undefined) {
    if (addressing === 'virtual') return `https://${bucket}.${internalHost(region)}`;
    return addressing === 'path' ? `${endpoint.origin}/${bucket}` : endpoint.origin;
  }
  const given = parseEndpoint('--node-endpoint', nodeEndpoint);
  if (given.pathname !== '/') return `${given.origin}${given.pathname.replace(/\/+$/, '')}`;
  if (isAddress(given.hostname)) return `${given.origin}/${bucket}`;
  // OSS's own hosts need the bucket; a domain of the user's leads to it already.
  if (given.hostname.endsWith('.aliyuncs.com') && !given.hostname.startsWith(`${bucket}.`)) {
    return `${given.protocol}//${bucket}.${given.host}`;
  }
  return given.origin;
}

/** `https://` where no scheme is given. The text is not repeated in the message: it may hold a password. */
function parseEndpoint(flag: string, text: string): URL {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  const plain = url && !url.username && !url.password && !url.search && !url.hash;
  if (!plain || !['http:', 'https:'].includes(url.protocol) || /\s/.test(text)) {
    throw new Failure(
      'AnswerInvalid',
      `${flag} must be a host, or an http or https URL of one, without user, password or query`,
    );
  }
  return url;
}

/** Host of an endpoint as a user writes it. @throws Failure AnswerInvalid naming `flag` */
export const endpointHost = (flag: string, text: string): string => parseEndpoint(flag, text).hostname;

/** @param key One that passes checkObjectKey. */
export const objectUrl = (where: Target, key: string): string => `${where.nodeBaseUrl}/${key}`;

/**
 * What the agent accepts as addNodeScriptPath, trimmed (G6).
 * @throws Failure ScriptUrlInvalid
 */
export function checkScriptUrl(text: string): string {
  const url = text.trim();
  const parsed = /^https?:\/\//.test(url) && !/[\s\p{Cc}]/u.test(url) && URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed)
    throw new Failure('ScriptUrlInvalid', 'the URL of the script must begin with http:// or https:// and be one word');
  if (parsed.username || parsed.password) {
    throw new Failure(
      'ScriptUrlInvalid',
      `the URL of the script at ${parsed.host} holds a user name or a password, which every node would see`,
      {
        next: ['Give a URL without one.'],
      },
    );
  }
  const bytes = Buffer.byteLength(url);
  if (bytes > maxUrlBytes) {
    throw new Failure(
      'ScriptUrlInvalid',
      `the URL of the script at ${parsed.host} has ${bytes} bytes, and ${maxUrlBytes} is the most`,
    );
  }
  return url;
}
