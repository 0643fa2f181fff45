/** Requests that name a bucket and no object, or no bucket at all. */
import * as z from 'zod';
import type { Acl, PolicyDocument } from '../../oss/types.ts';
import type { Answer, Request } from '../http.ts';
import { accessDenied, noContent, OssError, ok, xml } from './answers.ts';
import { type Bucket, ownerId } from './buckets.ts';
import type { ObjectFiles } from './files.ts';
import type { Operation } from './object-requests.ts';
import { isPublic, knownOperator } from './policy.ts';

export interface BucketRequest {
  readonly request: Request;
  readonly bucket: Bucket;
  readonly files: ObjectFiles;
}

const owner = { ID: ownerId, DisplayName: ownerId };
const created = '2026-01-01T00:00:00.000Z';

/** By method and subresource. */
export const bucketOperations: Readonly<Record<string, Operation<BucketRequest>>> = {
  GET: { action: 'oss:ListObjects', run: (input) => listObjects(input) },
  'GET bucketInfo': { action: 'oss:GetBucketInfo', run: ({ bucket }) => xml('BucketInfo', { Bucket: info(bucket) }) },
  'GET location': {
    action: 'oss:GetBucketLocation',
    run: ({ bucket }) => xml('LocationConstraint', `oss-${bucket.region}`),
  },
  'GET acl': {
    action: 'oss:GetBucketAcl',
    run: ({ bucket }) => xml('AccessControlPolicy', { Owner: owner, AccessControlList: { Grant: bucket.acl } }),
  },
  'PUT acl': { action: 'oss:PutBucketAcl', run: (input) => putAcl(input) },
  'GET publicAccessBlock': {
    action: 'oss:GetBucketPublicAccessBlock',
    run: ({ bucket }) => blocked(bucket.blockPublicAccess),
  },
  'GET versioning': { action: 'oss:GetBucketVersioning', run: () => xml('VersioningConfiguration', {}) },
  'GET policy': { action: 'oss:GetBucketPolicy', run: ({ bucket }) => getPolicy(bucket) },
  'PUT policy': { action: 'oss:PutBucketPolicy', run: (input) => putPolicy(input) },
  'DELETE policy': {
    action: 'oss:DeleteBucketPolicy',
    run: ({ bucket }) => {
      bucket.policy = undefined;
      return noContent();
    },
  },
  'GET policyStatus': {
    action: 'oss:GetBucketPolicyStatus',
    run: ({ bucket }) => xml('PolicyStatus', { IsPublic: String((bucket.policy?.Statement ?? []).some(isPublic)) }),
  },
};

/** Requests without a bucket. */
export const serviceOperations: Readonly<Record<string, (buckets: readonly Bucket[]) => Answer>> = {
  GET: (buckets) =>
    xml('ListAllMyBucketsResult', {
      Owner: owner,
      Buckets: { Bucket: buckets.filter(({ ours }) => ours).map(summary) },
      IsTruncated: 'false',
    }),
  // The account's own switch is off.
  'GET publicAccessBlock': () => blocked(false),
};

const blocked = (on: boolean) => xml('PublicAccessBlockConfiguration', { BlockPublicAccess: String(on) });

const summary = ({ name, region }: Bucket) => ({
  Name: name,
  CreationDate: created,
  Location: `oss-${region}`,
  Region: region,
  ExtranetEndpoint: `oss-${region}.aliyuncs.com`,
  IntranetEndpoint: `oss-${region}-internal.aliyuncs.com`,
  StorageClass: 'Standard',
});

const info = (bucket: Bucket) => ({
  ...summary(bucket),
  Owner: owner,
  AccessControlList: { Grant: bucket.acl },
  BlockPublicAccess: String(bucket.blockPublicAccess),
  DataRedundancyType: 'LRS',
  ServerSideEncryptionRule: { SSEAlgorithm: 'None' },
});

/** ListObjectsV2. */
function listObjects({ request: { query }, bucket, files }: BucketRequest): Answer {
  if (query.get('list-type') !== '2') throw new OssError(501, 'NotImplemented', 'The sandbox lists by list-type=2.');
  const prefix = query.get('prefix') ?? '';
  const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
  const most = Number(query.get('max-keys') ?? 100);
  const found = files.list(bucket.name).filter(({ key }) => key.startsWith(prefix) && key > after);
  const page = found.slice(0, most);
  const more = found.length > page.length;
  return xml('ListBucketResult', {
    Name: bucket.name,
    Prefix: prefix,
    MaxKeys: String(most),
    KeyCount: String(page.length),
    IsTruncated: String(more),
    NextContinuationToken: more ? page.at(-1)?.key : undefined,
    Contents: page.map(({ key, etag, size, lastModified }) => ({
      Key: query.get('encoding-type') === 'url' ? encodeURIComponent(key) : key,
      ETag: `"${etag}"`,
      Size: String(size),
      LastModified: lastModified,
      Type: 'Normal',
      StorageClass: 'Standard',
    })),
  });
}

function putAcl({ request, bucket }: BucketRequest): Answer {
  const acl = String(request.headers['x-oss-acl'] ?? '') as Acl;
  if (!['private', 'public-read', 'public-read-write'].includes(acl)) {
    throw new OssError(400, 'InvalidArgument', 'no such bucket access control exists', { ArgumentValue: acl });
  }
  if (acl !== 'private' && bucket.blockPublicAccess) throw accessDenied('Put public bucket acl is not allowed');
  bucket.acl = acl;
  return ok();
}

function getPolicy({ policy, name }: Bucket): Answer {
  if (policy) return ok({ 'content-type': 'application/json' }, JSON.stringify(policy));
  throw new OssError(404, 'NoSuchBucketPolicy', 'The bucket policy does not exist.', { BucketName: name });
}

const texts = z.union([z.string(), z.array(z.string())]);
const principals = z.union([texts, z.record(z.string(), texts)]);
const policyDocument = z.strictObject({
  Version: z.literal('1'),
  Statement: z
    .array(
      z.strictObject({
        Sid: z.string().optional(),
        Effect: z.enum(['Allow', 'Deny']),
        Principal: principals.optional(),
        NotPrincipal: principals.optional(),
        Action: texts.optional(),
        NotAction: texts.optional(),
        Resource: texts.optional(),
        NotResource: texts.optional(),
        Condition: z.record(z.string().refine(knownOperator), z.record(z.string(), texts)).optional(),
      }),
    )
    .min(1),
});

function putPolicy({ request, bucket }: BucketRequest): Answer {
  const policy = parsedPolicy(request.body.toString('utf8'));
  const resources = policy.Statement.flatMap(({ Resource, NotResource }) => [Resource ?? NotResource ?? []].flat());
  const own = new RegExp(`^acs:oss:[^:]*:[^:]*:${bucket.name}(/.*)?$`, 's');
  const complete = policy.Statement.every(
    ({ Principal, NotPrincipal, Action, NotAction, Resource, NotResource }) =>
      (Principal ?? NotPrincipal) && (Action ?? NotAction) && (Resource ?? NotResource),
  );
  if (!complete || !resources.every((resource) => own.test(resource))) throw invalidPolicy();
  if (bucket.blockPublicAccess && policy.Statement.some(isPublic)) {
    throw accessDenied('Put public bucket policy is not allowed');
  }
  bucket.policy = policy;
  return ok();
}

function parsedPolicy(text: string): PolicyDocument {
  try {
    // Without the keys that are not there, as JSON has it.
    return JSON.parse(JSON.stringify(policyDocument.parse(JSON.parse(text)))) as PolicyDocument;
  } catch {
    throw invalidPolicy();
  }
}

const invalidPolicy = () => new OssError(400, 'InvalidPolicyDocument', 'The policy is not a valid bucket policy.');
