/** The sandbox's buckets, and what is set on them. */
import type { Acl, PolicyDocument } from '../../oss/types.ts';

export interface Bucket {
  readonly name: string;
  readonly region: string;
  /** False: it belongs to another account, and nothing may be done with it. */
  readonly ours: boolean;
  acl: Acl;
  blockPublicAccess: boolean;
  policy: PolicyDocument | undefined;
}

/** What state.json keeps of a bucket. */
export type SavedBucket = Omit<Bucket, 'policy'> & { readonly policy?: PolicyDocument };

/** Account that owns the buckets. */
export const ownerId = '1000000000000001';
/** VPC of the sandbox's nodes. */
export const vpcId = 'vpc-sandbox0000000001';
export const defaultBucket = { name: 'ackone-sandbox', region: 'cn-hangzhou' };

const fresh = {
  region: defaultBucket.region,
  ours: true,
  acl: 'private',
  blockPublicAccess: true,
  policy: undefined,
} as const;

export const newBuckets = (): readonly Bucket[] => [
  {
    ...fresh,
    name: defaultBucket.name,
    policy: {
      Version: '1',
      Statement: [
        {
          Effect: 'Allow',
          Principal: ['*'],
          Action: ['oss:GetObject'],
          Resource: [`acs:oss:*:${ownerId}:${defaultBucket.name}/ackone-join/*`],
          Condition: { StringEquals: { 'acs:SourceVpc': [vpcId] } },
        },
      ],
    },
  },
  { ...fresh, name: 'ackone-plain' },
  { ...fresh, name: 'ackone-beijing', region: 'cn-beijing' },
  { ...fresh, name: 'ackone-foreign', ours: false },
];
