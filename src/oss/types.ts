/** OSS: where a script goes, and what is known of the bucket. */

export interface Target {
  readonly bucket: string;
  /** `cn-hangzhou`, never `oss-cn-hangzhou`. */
  readonly region: string;
  /** Origin to upload to: `https://oss-cn-hangzhou.aliyuncs.com`, or `http://127.0.0.1:PORT` for the sandbox. */
  readonly endpoint: string;
  /** What nodes read from: `https://BUCKET.oss-cn-hangzhou-internal.aliyuncs.com`, without a trailing slash; the key is appended. */
  readonly nodeBaseUrl: string;
  /** `virtual`: bucket in the host name; `path`: bucket first in the path (IP endpoints); `cname`: the endpoint is bound to the bucket. */
  readonly addressing: 'virtual' | 'path' | 'cname';
}

/** An unknown says why, so that nothing is guessed in silence. */
export type Known<T> = { readonly known: true; readonly value: T } | { readonly known: false; readonly why: string };

export type Principals = string | readonly string[] | { readonly [kind: string]: string | readonly string[] };

export interface PolicyStatement {
  readonly Sid?: string;
  readonly Effect: 'Allow' | 'Deny';
  /** `*`, `["*"]`, account ids, or `{"RAM": ["*"]}`. */
  readonly Principal?: Principals;
  readonly NotPrincipal?: Principals;
  readonly Action?: string | readonly string[];
  readonly NotAction?: string | readonly string[];
  readonly Resource?: string | readonly string[];
  readonly NotResource?: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

export interface PolicyDocument {
  readonly Version: string;
  readonly Statement: readonly PolicyStatement[];
}

export type Acl = 'private' | 'public-read' | 'public-read-write';

export interface BucketFacts {
  readonly region: Known<string>;
  readonly acl: Known<Acl>;
  /** The bucket's own switch or the account's: either blocks. */
  readonly blockPublicAccess: Known<boolean>;
  /** value undefined: the bucket has no policy. */
  readonly policy: Known<PolicyDocument | undefined>;
  /** Account id, for the Resource of a policy. */
  readonly ownerId: Known<string>;
  readonly storageClass: Known<string>;
  readonly versioning: Known<boolean>;
}

export type Access = 'private' | 'vpc' | 'public-read' | 'presigned';

/** Will an anonymous GET from the pool's VPC pass? */
export interface Readability {
  readonly answer: 'yes' | 'no' | 'unknown';
  /** One sentence that names what decided. */
  readonly why: string;
}
