/** From a trouble with OSS to a Failure that a person can act on (cases.md G). Nothing of the answer's free text is shown. */
import type { FailureCode } from '../errors.ts';
import { Failure } from '../errors.ts';
import { regionOfEndpoint } from './regions.ts';
import type { OssError, Trouble } from './trouble.ts';
import type { Target } from './types.ts';

/** What was asked, for the sentence. */
export interface Asked {
  /** As RAM names it: `PutObject`, `GetBucketPolicy`. */
  readonly action: string;
  readonly target: Target;
  readonly key?: string | undefined;
}

interface Meaning {
  readonly code: FailureCode;
  readonly what: string;
  readonly next?: readonly string[];
}

export function failureOf(trouble: Trouble, asked: Asked): Failure {
  if (trouble.kind === 'none') return unreachable(trouble, asked);
  if (trouble.kind === 'foreign') {
    return new Failure(
      'OssAnswerInvalid',
      `${hostOf(asked)} answered ${asked.action} on ${placeOf(asked)} with something that is not from OSS`,
      {
        causes: [trouble.what],
      },
    );
  }
  const { error, status } = trouble;
  const { code, what, next } = meaningOf(error, status, asked);
  return new Failure(code, what, { causes: [citation(error, status)], ...(next ? { next } : {}) });
}

const placeOf = ({ target, key }: Asked): string =>
  key === undefined ? `bucket ${target.bucket}` : `${target.bucket}/${key}`;
const hostOf = ({ target }: Asked): string => new URL(target.endpoint).host;

/** Enough for OSS's error handbook and for its support: codes, no text of theirs. */
function citation({ code, ec, requestId }: OssError, status: number): string {
  const more = [ec && `EC ${ec}`, requestId && `request ${requestId}`].filter(Boolean).join(', ');
  return `OSS answered ${status} ${code}${more ? ` (${more})` : ''}`;
}

function unreachable({ reason, what }: Extract<Trouble, { kind: 'none' }>, asked: Asked): Failure {
  const host = hostOf(asked);
  if (reason === 'size') {
    return new Failure('OssAnswerInvalid', `${host} gave more for ${placeOf(asked)} than a script can be`, {
      causes: [what],
    });
  }
  return new Failure('OssUnreachable', `${asked.action} on ${placeOf(asked)} got no answer from ${host}`, {
    causes: [what, ...(isInternal(host) ? [`${host} answers only inside a VPC of its region`] : [])],
    ...(nextWhenUnreachable(reason, host) ?? {}),
  });
}

const isInternal = (host: string): boolean => /-internal\.aliyuncs\.com(:\d+)?$/.test(host);

function nextWhenUnreachable(reason: string, host: string): { next: readonly string[] } | undefined {
  if (isInternal(host)) {
    return {
      next: [
        'This machine is most likely not in the VPC: leave out --oss-endpoint, so that the public endpoint is used. Nodes still read by the internal one.',
      ],
    };
  }
  if (reason === 'tls') {
    return { next: ['If a proxy of yours signs anew what it forwards, name its CA in NODE_EXTRA_CA_CERTS.'] };
  }
  return reason === 'proxy'
    ? { next: ['Check HTTPS_PROXY, and name hosts that need no proxy in NO_PROXY.'] }
    : undefined;
}

/** Codes with one meaning only; the others are told apart below. */
const plainMeanings: Readonly<Record<string, (asked: Asked) => Meaning>> = {
  NoSuchBucket: ({ target }) => ({ code: 'BucketMissing', what: `there is no bucket ${target.bucket}` }),
  InvalidBucketName: ({ target }) => ({
    code: 'BucketNameInvalid',
    what: `OSS takes ${target.bucket} for no bucket name`,
  }),
  InvalidAccessKeyId: () => ({
    code: 'CredentialsInvalid',
    what: 'OSS does not know the access key id, or it is disabled',
  }),
  SignatureDoesNotMatch: () => ({
    code: 'CredentialsInvalid',
    what: 'OSS computes another signature: the access key secret does not belong to the access key id',
  }),
  SecurityTokenExpired: () => ({
    code: 'CredentialsInvalid',
    what: 'the security token of the credentials has expired',
    next: ['Get new temporary credentials, then run the same command again.'],
  }),
  InvalidSecurityToken: () => ({
    code: 'CredentialsInvalid',
    what: 'OSS does not accept the security token of the credentials',
    next: ['Check that ALIBABA_CLOUD_SECURITY_TOKEN belongs to the access key, or unset it.'],
  }),
  PublicEndpointForbidden: customDomain,
  UserDisable: () => ({
    code: 'OssForbidden',
    what: 'the account that owns the bucket is disabled in OSS',
    next: ['Look whether the account is in arrears.'],
  }),
  FileAlreadyExists: (asked) => ({
    code: 'ObjectExists',
    what: `${placeOf(asked)} is there already and holds something else`,
  }),
  FileImmutable: (asked) => ({
    code: 'OssForbidden',
    what: `a retention policy protects ${placeOf(asked)}`,
    next: ['Give --object-prefix with a prefix that no retention policy covers.'],
  }),
  InvalidObjectState: (asked) => ({
    code: 'ObjectUnreadable',
    what: `${placeOf(asked)} is archived and cannot be read before it is restored`,
    next: ['Use a bucket with storage class Standard.'],
  }),
};

function meaningOf(error: OssError, status: number, asked: Asked): Meaning {
  const plain = Object.hasOwn(plainMeanings, error.code) ? plainMeanings[error.code]?.(asked) : undefined;
  if (plain) return plain;
  if (error.code === 'RequestTimeTooSkewed') return clockSkew(error.skewMs);
  if (/signing region/i.test(error.message)) return signingRegion(asked);
  if (/^kms|kms$/i.test(error.code) || /\bKMS\b/i.test(error.message)) {
    return {
      code: 'ObjectUnreadable',
      what: `${placeOf(asked)} is encrypted with a KMS key that this request may not use`,
    };
  }
  if (status >= 500) return { code: 'OssServerError', what: `OSS failed at ${asked.action} on ${placeOf(asked)}` };
  if (status === 403) return forbidden(error, asked);
  return { code: 'OssRefused', what: `OSS refuses ${asked.action} on ${placeOf(asked)}` };
}

/** 403 AccessDenied has many reasons; only the message and the error's number tell them apart. */
function forbidden(error: OssError, asked: Asked): Meaning {
  const { target } = asked;
  if (error.endpoint !== undefined || /addressed using the specified endpoint/i.test(error.message)) {
    const elsewhere = regionOfEndpoint(error.endpoint ?? '');
    return {
      code: 'WrongEndpoint',
      what: `bucket ${target.bucket} is not in ${target.region}: OSS says that it is to be addressed by ${error.endpoint ?? 'another endpoint'}`,
      ...(elsewhere === undefined ? {} : { next: [`Give --region ${elsewhere}.`] }),
    };
  }
  if (/public .*(acl|policy).* not allowed/i.test(error.message)) {
    return { code: 'PublicAccessBlocked', what: `OSS refuses to make anything in bucket ${target.bucket} public` };
  }
  if (error.ec === '0048-00000401' || /custom domain/i.test(error.message)) return customDomain(asked);
  return {
    code: 'OssForbidden',
    what: `the credentials may not do ${asked.action} on ${placeOf(asked)}`,
    next: [
      `Allow oss:${asked.action} on acs:oss:*:*:${target.bucket}${asked.key === undefined ? '' : `/${asked.key}`} (docs/permissions.md), and look for a Deny in the bucket's policy.`,
    ],
  };
}

/** 400 PublicEndpointForbidden, EC 0048-00000401, for accounts since 2025-03-20 (help.aliyun.com, OSS 0048-00000401; G8). */
function customDomain({ target }: Asked): Meaning {
  return {
    code: 'CustomDomainRequired',
    what: `this account may not reach bucket ${target.bucket} by the default public domain ${new URL(target.endpoint).host}`,
  };
}

/** InvalidArgument, EC 0002-00000228: the region signed for is none, or is not the bucket's (G7). */
function signingRegion({ target }: Asked): Meaning {
  return {
    code: 'RegionInvalid',
    what: `OSS does not accept a signature for region ${target.region} on bucket ${target.bucket}`,
    next: ['Give --region with the region of the bucket, written like cn-hangzhou.'],
  };
}

function clockSkew(skewMs: number | undefined): Meaning {
  return { code: 'ClockSkew', what: `the clock of this machine is ${skewMs === undefined ? 'off' : skewText(skewMs)}` };
}

/** `8 h behind`, `20 min ahead`, `1 h 30 min behind`. @param skewMs Server's clock less ours */
export function skewText(skewMs: number): string {
  const minutes = Math.round(Math.abs(skewMs) / 60_000);
  const parts = [Math.floor(minutes / 60) && `${Math.floor(minutes / 60)} h`, minutes % 60 && `${minutes % 60} min`];
  return `${parts.filter(Boolean).join(' ') || 'less than a minute'} ${skewMs > 0 ? 'behind' : 'ahead'}`;
}
