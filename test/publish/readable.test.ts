import { describe, expect, it } from 'vitest';
import type { Access, Acl, Known, PolicyStatement } from '../../src/oss/types.ts';
import { type ReadFacts, readable } from '../../src/publish/readable.ts';

/** Nodes are in vpc-bp1 and ask by https for example-bucket/ackone-join/c/join.sh, unless a row says otherwise. */
const request = { bucket: 'example-bucket', key: 'ackone-join/c/join.sh', vpcId: 'vpc-bp1' };
const known = <T>(value: T): Known<T> => ({ known: true, value });
const untold = (why: string) => ({ known: false, why }) as const;

const allow = (more: Partial<PolicyStatement> = {}): PolicyStatement => ({
  Effect: 'Allow',
  Principal: ['*'],
  Action: ['oss:GetObject'],
  Resource: ['acs:oss:*:1234567890:example-bucket/ackone-join/*'],
  ...more,
});
const deny = (more: Partial<PolicyStatement> = {}): PolicyStatement => allow({ Effect: 'Deny', ...more });
const vpc = (value: string | readonly string[], operator = 'StringEquals') => ({
  Condition: { [operator]: { 'acs:SourceVpc': value } },
});
const only = (operator: string, key: string, value: string | readonly string[]) => ({
  Condition: { [operator]: { [key]: value } },
});

interface Row {
  readonly acl?: Acl;
  readonly objectAcl?: Acl;
  /** None: the bucket has no policy. */
  readonly policy?: readonly PolicyStatement[];
  /** Block Public Access; off unless said. */
  readonly block?: boolean;
  readonly access?: Access;
  readonly request?: { readonly vpcId?: string | undefined; readonly key?: string; readonly secure?: boolean };
  readonly unknown?: Partial<Pick<ReadFacts, 'bucketAcl' | 'policy' | 'blockPublicAccess'>>;
}

const judge = (row: Row) =>
  readable(
    {
      bucketAcl: known(row.acl ?? 'private'),
      objectAcl: row.objectAcl,
      policy: known(row.policy ? { Version: '1', Statement: row.policy } : undefined),
      blockPublicAccess: known(row.block ?? false),
      ...row.unknown,
    },
    { ...request, ...row.request },
    row.access ?? 'private',
  );

const table: readonly (readonly [answer: 'yes' | 'no' | 'unknown', title: string, row: Row, why: RegExp])[] = [
  // ACLs
  ['no', 'private, no policy', {}, /^the bucket ACL is private, and the bucket has no policy$/],
  ['yes', 'bucket public-read', { acl: 'public-read' }, /^the bucket ACL is public-read$/],
  ['yes', 'bucket public-read-write', { acl: 'public-read-write' }, /^the bucket ACL is public-read-write$/],
  [
    'no',
    'bucket public-read under Block Public Access',
    { acl: 'public-read', block: true },
    /^Block Public Access switches off the bucket ACL public-read/,
  ],
  [
    'yes',
    'object public-read in a private bucket',
    { objectAcl: 'public-read', access: 'public-read' },
    /^the object ACL is public-read$/,
  ],
  [
    'no',
    'object public-read under Block Public Access',
    { objectAcl: 'public-read', block: true, access: 'public-read' },
    /^Block Public Access switches off the object ACL/,
  ],
  [
    'no',
    'object private in a public-read bucket',
    { acl: 'public-read', objectAcl: 'private' },
    /^the object ACL is private/,
  ],

  // Allow by policy
  ['yes', 'everybody', { policy: [allow()] }, /^statement 1 of the bucket policy allows it$/],
  [
    'no',
    'everybody, under Block Public Access',
    { policy: [allow()], block: true },
    /Block Public Access switches off statement 1 of the bucket policy$/,
  ],
  ['yes', 'our VPC', { policy: [allow(vpc('vpc-bp1'))], access: 'vpc' }, /^statement 1/],
  [
    'yes',
    'our VPC, under Block Public Access: a fixed VPC is not public',
    { policy: [allow(vpc(['vpc-bp1']))], block: true, access: 'vpc' },
    /^statement 1/,
  ],
  [
    'no',
    'another VPC',
    { policy: [allow(vpc('vpc-2'))], access: 'vpc' },
    /^the bucket ACL is private, and no statement of the bucket policy allows it$/,
  ],
  ['yes', 'several VPCs, ours among them', { policy: [allow(vpc(['vpc-2', 'vpc-bp1']))] }, /^statement 1/],
  ['no', 'several VPCs, ours not', { policy: [allow(vpc(['vpc-2', 'vpc-3']))] }, /no statement/],
  [
    'unknown',
    'a VPC, and nobody said which one is ours',
    { policy: [allow(vpc('vpc-bp1'))], request: { vpcId: undefined } },
    /it is not known which VPC the nodes are in \(--vpc-id\)/,
  ],
  ['yes', 'any VPC by a pattern', { policy: [allow(vpc('vpc-*', 'StringLike'))] }, /^statement 1/],
  [
    'no',
    'any VPC by a pattern, under Block Public Access: a pattern is public',
    { policy: [allow(vpc('vpc-*', 'StringLike'))], block: true },
    /switches off statement 1/,
  ],
  ['no', 'StringEquals takes no pattern', { policy: [allow(vpc('vpc-*'))] }, /no statement/],
  ['no', 'requests from outside of any VPC only', { policy: [allow(vpc('vpc-*', 'StringNotLike'))] }, /no statement/],
  ['yes', 'all but another VPC', { policy: [allow(vpc('vpc-2', 'StringNotEquals'))] }, /^statement 1/],
  ['no', 'all but our VPC', { policy: [allow(vpc('vpc-bp1', 'StringNotEquals'))] }, /no statement/],
  ['yes', 'all but two others', { policy: [allow(vpc(['vpc-2', 'vpc-3'], 'StringNotEquals'))] }, /^statement 1/],
  [
    'unknown',
    'all but ours and another: what several values of a negation mean is not documented',
    { policy: [allow(vpc(['vpc-bp1', 'vpc-2'], 'StringNotEquals'))] },
    /StringNotEquals acs:SourceVpc/,
  ],
  [
    'unknown',
    'all but another VPC, under Block Public Access',
    { policy: [allow(vpc('vpc-2', 'StringNotEquals'))], block: true },
    /takes a negated condition for public/,
  ],
  [
    'yes',
    'the VPC in other letters, ignoring case',
    { policy: [allow(vpc('VPC-BP1', 'StringEqualsIgnoreCase'))] },
    /^statement 1/,
  ],
  ['no', 'the VPC in other letters', { policy: [allow(vpc('VPC-BP1'))] }, /no statement/],
  [
    'yes',
    'a fixed VPC beside a statement for one account, under Block Public Access',
    { policy: [allow({ Principal: ['2012'] }), allow(vpc('vpc-bp1'))], block: true },
    /^statement 2/,
  ],
  [
    'unknown',
    'a fixed VPC beside a public statement, under Block Public Access',
    { policy: [allow(vpc('vpc-bp1')), allow({ Resource: 'acs:oss:*:1:example-bucket/web/*' })], block: true },
    /beside a public statement/,
  ],

  // Principals, actions, resources
  ['no', 'one account only', { policy: [allow({ Principal: ['20121234'] })] }, /no statement/],
  ['no', 'a RAM user only', { policy: [allow({ Principal: { RAM: ['acs:ram::1:user/x'] } })] }, /no statement/],
  ['yes', 'everybody as {"RAM": ["*"]}', { policy: [allow({ Principal: { RAM: ['*'] } })] }, /^statement 1/],
  [
    'yes',
    'everybody as a bare word',
    { policy: [allow({ Principal: '*', Action: 'oss:GetObject', Resource: '*' })] },
    /^statement 1/,
  ],
  [
    'yes',
    'everybody but one account',
    { policy: [{ ...without('Principal'), NotPrincipal: ['2012'] }] },
    /^statement 1/,
  ],
  [
    'no',
    'nobody, as everybody is left out',
    { policy: [{ ...without('Principal'), NotPrincipal: ['*'] }] },
    /no statement/,
  ],
  ['unknown', 'no Principal at all', { policy: [without('Principal')] }, /without Principal/],
  ['yes', 'oss:Get*', { policy: [allow({ Action: ['oss:Get*'] })] }, /^statement 1/],
  ['yes', 'oss:*', { policy: [allow({ Action: 'oss:*' })] }, /^statement 1/],
  ['yes', 'an action in other letters', { policy: [allow({ Action: 'oss:getobject' })] }, /^statement 1/],
  ['no', 'oss:ListObjects', { policy: [allow({ Action: ['oss:ListObjects', 'oss:GetObjectAcl'] })] }, /no statement/],
  [
    'yes',
    'everything but oss:PutObject',
    { policy: [{ ...without('Action'), NotAction: 'oss:PutObject' }] },
    /^statement 1/,
  ],
  ['no', 'everything but oss:Get*', { policy: [{ ...without('Action'), NotAction: ['oss:Get*'] }] }, /no statement/],
  ['no', 'another prefix', { policy: [allow({ Resource: ['acs:oss:*:1:example-bucket/other/*'] })] }, /no statement/],
  ['no', 'another bucket', { policy: [allow({ Resource: ['acs:oss:*:1:example-bucket-2/*'] })] }, /no statement/],
  [
    'no',
    'the bucket, and not what is in it',
    { policy: [allow({ Resource: ['acs:oss:*:1:example-bucket'] })] },
    /no statement/,
  ],
  [
    'yes',
    'one key exactly',
    { policy: [allow({ Resource: ['acs:oss:*:1:example-bucket/ackone-join/c/join.sh'] })] },
    /^statement 1/,
  ],
  [
    'yes',
    'a key with question marks',
    { policy: [allow({ Resource: ['acs:oss:*:*:example-bucket/ackone-join/?/join.??'] })] },
    /^statement 1/,
  ],
  [
    'yes',
    'all but another prefix',
    { policy: [{ ...without('Resource'), NotResource: ['acs:oss:*:1:example-bucket/other/*'] }] },
    /^statement 1/,
  ],
  [
    'no',
    'all but our prefix',
    { policy: [{ ...without('Resource'), NotResource: 'acs:oss:*:1:example-bucket/ackone-join/*' }] },
    /no statement/,
  ],
  [
    'unknown',
    'a resource of another form',
    { policy: [allow({ Resource: 'example-bucket/*' })] },
    /Resource of a statement stands for/,
  ],
  [
    'unknown',
    'a region in the resource',
    { policy: [allow({ Resource: 'acs:oss:oss-cn-hangzhou:1:example-bucket/*' })] },
    /region in the Resource/,
  ],

  // Other conditions
  [
    'unknown',
    'a range of addresses: a node has a private one',
    { policy: [allow(only('IpAddress', 'acs:SourceIp', ['10.0.0.0/8']))] },
    /IpAddress acs:SourceIp/,
  ],
  ['yes', 'every address', { policy: [allow(only('IpAddress', 'acs:SourceIp', '0.0.0.0/0'))] }, /^statement 1/],
  ['no', 'no address', { policy: [allow(only('NotIpAddress', 'acs:SourceIp', '0.0.0.0/0'))] }, /no statement/],
  ['yes', 'https only', { policy: [allow(only('Bool', 'acs:SecureTransport', 'true'))] }, /^statement 1/],
  [
    'no',
    'https only, and nodes come by http',
    { policy: [allow(only('Bool', 'acs:SecureTransport', 'true'))], request: { secure: false } },
    /no statement/,
  ],
  [
    'unknown',
    'a condition that is not known here',
    { policy: [allow(only('StringLike', 'acs:UserAgent', 'curl*'))] },
    /StringLike acs:UserAgent/,
  ],
  [
    'unknown',
    'an operator that is not known here',
    { policy: [allow(vpc('vpc-bp1', 'StringEqualsIfExists'))] },
    /StringEqualsIfExists/,
  ],
  [
    'unknown',
    'acs:SourceVpcId, whose meaning is not documented',
    { policy: [allow(only('StringEquals', 'acs:SourceVpcId', 'vpc-bp1'))] },
    /acs:SourceVpcId/,
  ],
  [
    'unknown',
    'an element that is not known here',
    { policy: [{ ...allow(), Unless: 'x' } as PolicyStatement] },
    /what Unless means/,
  ],
  [
    'no',
    'a VPC that is another, whatever the unknown condition says',
    {
      policy: [
        allow({ Condition: { StringEquals: { 'acs:SourceVpc': 'vpc-2' }, StringLike: { 'acs:UserAgent': '*' } } }),
      ],
    },
    /no statement/,
  ],
  [
    'yes',
    'an unknown statement beside one that allows',
    { policy: [allow(only('StringLike', 'acs:UserAgent', '*')), allow()] },
    /^statement 2/,
  ],

  // Deny wins
  [
    'no',
    'everybody, and denied to everybody',
    { policy: [allow(), deny()] },
    /^statement 2 of the bucket policy denies it$/,
  ],
  [
    'no',
    'public-read, and denied to everybody',
    { acl: 'public-read', policy: [deny()] },
    /^statement 1 .* denies it$/,
  ],
  [
    'no',
    'our VPC, and denied to all but another',
    { policy: [allow(vpc('vpc-bp1')), deny(vpc('vpc-2', 'StringNotEquals'))] },
    /^statement 2/,
  ],
  [
    'yes',
    'our VPC, and denied to all but ours',
    { policy: [allow(vpc('vpc-bp1')), deny(vpc('vpc-bp1', 'StringNotEquals'))] },
    /^statement 1/,
  ],
  ['yes', 'everybody, and denied to one account', { policy: [allow(), deny({ Principal: ['2012'] })] }, /^statement 1/],
  [
    'yes',
    'everybody, and writing denied',
    { policy: [allow(), deny({ Action: ['oss:PutObject', 'oss:Delete*'] })] },
    /^statement 1/,
  ],
  [
    'yes',
    'everybody, and http denied',
    { policy: [allow(), deny(only('Bool', 'acs:SecureTransport', 'false'))] },
    /^statement 1/,
  ],
  [
    'no',
    'everybody, http denied, and nodes come by http',
    { policy: [allow(), deny(only('Bool', 'acs:SecureTransport', 'false'))], request: { secure: false } },
    /^statement 2/,
  ],
  [
    'unknown',
    'everybody, and denied by address',
    { policy: [allow(), deny(only('NotIpAddress', 'acs:SourceIp', '10.0.0.0/8'))] },
    /^statement 2 .* may deny it/,
  ],
  [
    'no',
    'nobody, and denied by address',
    { policy: [deny(only('NotIpAddress', 'acs:SourceIp', '10.0.0.0/8'))] },
    /no statement/,
  ],
  [
    'no',
    'a Deny holds under Block Public Access too',
    { policy: [allow(vpc('vpc-bp1')), deny(vpc('vpc-*', 'StringLike'))], block: true },
    /^statement 2/,
  ],

  // Signed URLs
  ['yes', 'signed, private, no policy', { access: 'presigned' }, /^the URL is signed/],
  ['yes', 'signed, under Block Public Access', { access: 'presigned', block: true }, /^the URL is signed/],
  [
    'no',
    'signed, and denied to all outside of another VPC',
    { access: 'presigned', policy: [deny(vpc('vpc-2', 'StringNotEquals'))] },
    /^statement 1/,
  ],
  [
    'yes',
    'signed, and denied to all outside of our VPC',
    { access: 'presigned', policy: [deny(vpc('vpc-bp1', 'StringNotEquals'))] },
    /^the URL is signed/,
  ],
  [
    'unknown',
    "signed, and denied to everybody but the bucket's owner",
    { access: 'presigned', policy: [deny()] },
    /the signer is the bucket's owner/,
  ],
  [
    'unknown',
    'signed, and denied to an account that may be the signer',
    { access: 'presigned', policy: [deny({ Principal: ['2012'] })] },
    /Principal names the signer/,
  ],
  [
    'unknown',
    'signed, and the policy is not known',
    { access: 'presigned', unknown: { policy: untold('403') } },
    /^the bucket policy is not known: 403$/,
  ],

  // Facts that are not known
  [
    'unknown',
    'the ACL is not known',
    { unknown: { bucketAcl: untold('no oss:GetBucketInfo') } },
    /^the bucket ACL is not known: no oss:GetBucketInfo$/,
  ],
  [
    'yes',
    'the ACL is not known, and the policy allows',
    { policy: [allow()], unknown: { bucketAcl: untold('x') } },
    /^statement 1/,
  ],
  [
    'yes',
    'the ACL of the bucket is not known, and the object has one',
    { objectAcl: 'public-read', unknown: { bucketAcl: untold('x') } },
    /^the object ACL/,
  ],
  [
    'unknown',
    'the policy is not known',
    { unknown: { policy: untold('403') } },
    /^the bucket policy is not known: 403$/,
  ],
  [
    'unknown',
    'public-read, and the policy is not known: it may deny',
    { acl: 'public-read', unknown: { policy: untold('403') } },
    /^the bucket policy is not known/,
  ],
  [
    'unknown',
    'public-read, and Block Public Access is not known',
    { acl: 'public-read', unknown: { blockPublicAccess: untold('V1 is closed') } },
    /Block Public Access is on: V1 is closed$/,
  ],
  [
    'unknown',
    'everybody, and Block Public Access is not known',
    { policy: [allow()], unknown: { blockPublicAccess: untold('V1 is closed') } },
    /Block Public Access is on: V1 is closed$/,
  ],
  [
    'yes',
    'our VPC, and Block Public Access is not known: it does not matter',
    { policy: [allow(vpc('vpc-bp1'))], unknown: { blockPublicAccess: untold('x') } },
    /^statement 1/,
  ],
  [
    'no',
    'private, and Block Public Access is not known: it does not matter',
    { unknown: { blockPublicAccess: untold('x') } },
    /^the bucket ACL is private/,
  ],
];

function without(element: 'Principal' | 'Action' | 'Resource'): PolicyStatement {
  const { [element]: _left, ...rest } = allow();
  return rest;
}

describe('can nodes read it?', () => {
  it.each(table)('%s: %s', (answer, _title, row, why) => {
    const result = judge(row);
    expect(result.why).toMatch(why);
    expect(result.answer).toBe(answer);
  });

  it('a narrow range of addresses is not public, a wide one is', () => {
    const by = (range: string) =>
      judge({ policy: [allow(only('IpAddress', 'acs:SourceIp', [range]))], block: true }).answer;
    expect([by('10.0.0.0/8'), by('10.0.0.0/7'), by('0.0.0.0/0'), by('2001:db8::/32'), by('2001:db8::/31')]).toEqual([
      'unknown',
      'no',
      'no',
      'unknown',
      'no',
    ]);
  });
});
