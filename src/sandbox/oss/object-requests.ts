/** Requests that name an object. */
import { createHash } from 'node:crypto';
import type { Acl } from '../../oss/types.ts';
import type { Answer, Request } from '../http.ts';
import { accessDenied, noContent, OssError, ok, xml } from './answers.ts';
import { type Bucket, ownerId } from './buckets.ts';
import type { ObjectFiles, ObjectInfo } from './files.ts';

export interface ObjectRequest {
  readonly request: Request;
  readonly bucket: Bucket;
  readonly key: string;
  readonly files: ObjectFiles;
  /** Undefined: there is none. */
  readonly object: ObjectInfo | undefined;
}

/** The operation's name in policies, and what it does. */
export interface Operation<T> {
  readonly action: string;
  readonly run: (input: T) => Answer;
}

/** By method, and by the subresource where the query has one. */
export const objectOperations: Readonly<Record<string, Operation<ObjectRequest>>> = {
  GET: { action: 'oss:GetObject', run: (input) => read(input) },
  HEAD: { action: 'oss:GetObject', run: (input) => read(input) },
  PUT: { action: 'oss:PutObject', run: (input) => put(input) },
  DELETE: { action: 'oss:DeleteObject', run: (input) => remove(input) },
  'GET acl': { action: 'oss:GetObjectAcl', run: (input) => readAcl(input) },
  'PUT acl': { action: 'oss:PutObjectAcl', run: (input) => putAcl(input) },
  'HEAD objectMeta': { action: 'oss:GetObject', run: (input) => read(input) },
};

function read(input: ObjectRequest): Answer {
  const { key, etag, headers, lastModified } = existing(input);
  const described = {
    'content-type': 'application/octet-stream',
    ...headers,
    etag: `"${etag}"`,
    'content-md5': Buffer.from(etag, 'hex').toString('base64'),
    'last-modified': new Date(lastModified).toUTCString(),
    'x-oss-object-type': 'Normal',
  };
  const body = input.files.body(input.bucket.name, key);
  if (input.request.method !== 'HEAD') return ok(described, body);
  return ok({ ...described, 'content-length': String(body.length) });
}

/** Headers of a PutObject that come back with a GET. */
const keptHeaders =
  /^(content-type|content-encoding|content-disposition|cache-control|expires|x-oss-meta-.+|x-oss-storage-class|x-oss-server-side-encryption)$/;

function put({ request, bucket, key, files, object }: ObjectRequest): Answer {
  const { headers, body } = request;
  if (Buffer.byteLength(key) > 1023 || /^[/\\]/.test(key)) {
    throw new OssError(400, 'InvalidObjectName', 'The specified object is not valid.', { ObjectName: key });
  }
  if (object && headers['x-oss-forbid-overwrite'] === 'true') {
    throw new OssError(409, 'FileAlreadyExists', 'The object you specified already exists and can not be overwritten.');
  }
  const digest = createHash('md5').update(body).digest('base64');
  if (headers['content-md5'] !== undefined && headers['content-md5'] !== digest) {
    throw new OssError(400, 'InvalidDigest', 'The Content-MD5 you specified was invalid.');
  }
  const encryption = headers['x-oss-server-side-encryption'];
  if (encryption !== undefined && encryption !== 'AES256') {
    const message = 'The sandbox has no keys of its own: only AES256 is supported.';
    throw new OssError(400, 'InvalidEncryptionAlgorithmError', message);
  }
  const acl = checkedAcl(headers['x-oss-object-acl'], bucket);
  const kept = Object.entries(headers).filter(([name]) => keptHeaders.test(name));
  const stored = { 'x-oss-storage-class': 'Standard', ...(Object.fromEntries(kept) as Record<string, string>) };
  const { etag } = files.put(bucket.name, { key, headers: stored, acl }, body);
  return ok({
    etag: `"${etag}"`,
    'content-md5': digest,
    ...(encryption && { 'x-oss-server-side-encryption': encryption }),
  });
}

/** OSS answers the same whether there was an object or not. */
function remove({ bucket, key, files }: ObjectRequest): Answer {
  files.delete(bucket.name, key);
  return noContent();
}

function readAcl(input: ObjectRequest): Answer {
  const owner = { ID: ownerId, DisplayName: ownerId };
  return xml('AccessControlPolicy', { Owner: owner, AccessControlList: { Grant: existing(input).acl } });
}

function putAcl(input: ObjectRequest): Answer {
  const acl = checkedAcl(input.request.headers['x-oss-object-acl'], input.bucket);
  input.files.setAcl(input.bucket.name, existing(input), acl);
  return ok();
}

function checkedAcl(given: string | string[] | undefined, bucket: Bucket): ObjectInfo['acl'] {
  const acl = String(given ?? 'default') as Acl | 'default';
  if (!['default', 'private', 'public-read', 'public-read-write'].includes(acl)) {
    throw new OssError(400, 'InvalidArgument', 'no such object access control exists', { ArgumentValue: acl });
  }
  if (acl.startsWith('public') && bucket.blockPublicAccess) throw accessDenied('Put public object acl is not allowed');
  return acl;
}

function existing({ object, key }: ObjectRequest): ObjectInfo {
  if (!object) throw new OssError(404, 'NoSuchKey', 'The specified key does not exist.', { Key: key });
  return object;
}
