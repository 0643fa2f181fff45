/** Who may read an object without a signature, by hand from OSS's pages on bucket policies and Block Public Access. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { PolicyStatement } from '../../src/oss/types.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { ask, read } from './support.ts';

// A start makes an RSA key, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

let sandbox: Sandbox;
const key = 'ackone-join/c1/join.sh';
beforeAll(async () => {
  sandbox = await startSandbox();
  await ask(sandbox, (client) => client.put(key, Buffer.from('script')), { bucket: 'ackone-plain' });
});
afterAll(() => sandbox.close());

const bucketOf = (name: string) => sandbox.oss.buckets.find((bucket) => bucket.name === name)!;
const own = 'vpc-sandbox0000000001';
const other = 'vpc-another000000001';
const allow: PolicyStatement = {
  Effect: 'Allow',
  Principal: ['*'],
  Action: ['oss:GetObject'],
  Resource: ['acs:oss:*:1000000000000001:ackone-plain/ackone-join/*'],
};
const fromVpc = (vpc: string): PolicyStatement => ({
  ...allow,
  Condition: { StringEquals: { 'acs:SourceVpc': [vpc] } },
});
const deny = (statement: Partial<PolicyStatement>): PolicyStatement => ({ ...allow, Effect: 'Deny', ...statement });

interface Setting {
  readonly acl?: 'private' | 'public-read';
  readonly objectAcl?: 'default' | 'private' | 'public-read';
  readonly block?: boolean;
  readonly policy?: readonly PolicyStatement[];
  readonly vpc?: string;
}

async function statusWith({ acl = 'private', objectAcl = 'default', block = false, policy, vpc }: Setting) {
  const bucket = bucketOf('ackone-plain');
  Object.assign(bucket, { acl, blockPublicAccess: block });
  bucket.policy = policy && { Version: '1', Statement: policy };
  sandbox.oss.files.setAcl('ackone-plain', sandbox.oss.files.info('ackone-plain', key)!, objectAcl);
  return (await read(sandbox, `ackone-plain/${key}`, vpc)).status;
}
afterEach(() => statusWith({ block: true }));

test.each<[string, number, Setting]>([
  ['a private bucket', 403, {}],
  ['a public bucket', 200, { acl: 'public-read' }],
  ['a public bucket, blocked', 403, { acl: 'public-read', block: true }],
  ['a private object in a public bucket', 403, { acl: 'public-read', objectAcl: 'private' }],
  ['a public object in a private bucket', 200, { objectAcl: 'public-read' }],
  ['a public object, blocked', 403, { objectAcl: 'public-read', block: true }],
  ['a policy for everybody', 200, { policy: [allow] }],
  ['a policy for everybody, blocked', 403, { policy: [allow], block: true }],
  ['a policy for our VPC', 200, { policy: [fromVpc(own)] }],
  ['a policy for our VPC, blocked', 200, { policy: [fromVpc(own)], block: true }],
  ['a policy for our VPC, read from another', 403, { policy: [fromVpc(own)], vpc: other }],
  ['a policy for our VPC, read from none', 403, { policy: [fromVpc(own)], vpc: 'none' }],
  ['a policy for another VPC', 403, { policy: [fromVpc(other)] }],
  ['a policy for any VPC', 200, { policy: [{ ...allow, Condition: { StringLike: { 'acs:SourceVpc': ['vpc-*'] } } }] }],
  [
    'a policy for any VPC, blocked',
    403,
    { policy: [{ ...allow, Condition: { StringLike: { 'acs:SourceVpc': ['vpc-*'] } } }], block: true },
  ],
  [
    'a policy for all but our VPC',
    403,
    { policy: [{ ...allow, Condition: { StringNotEquals: { 'acs:SourceVpc': [own] } } }] },
  ],
  [
    'a policy for all but our VPC, read from none',
    200,
    { policy: [{ ...allow, Condition: { StringNotEquals: { 'acs:SourceVpc': [own] } } }], vpc: 'none' },
  ],
  ['a policy for another prefix', 403, { policy: [{ ...allow, Resource: ['acs:oss:*:*:ackone-plain/other/*'] }] }],
  ['a policy for the bucket alone', 403, { policy: [{ ...allow, Resource: ['acs:oss:*:*:ackone-plain'] }] }],
  ['a policy of another region', 403, { policy: [{ ...allow, Resource: ['acs:oss:cn-beijing:*:ackone-plain/*'] }] }],
  ['a policy of our region', 200, { policy: [{ ...allow, Resource: ['acs:oss:oss-cn-hangzhou:*:ackone-plain/*'] }] }],
  ['a policy for another account', 403, { policy: [{ ...allow, Principal: ['1000000000000002'] }] }],
  ['a policy for another action', 403, { policy: [{ ...allow, Action: ['oss:PutObject'] }] }],
  ['a policy for oss:Get*', 200, { policy: [{ ...allow, Action: ['oss:Get*'] }] }],
  ['a deny beside an allow', 403, { policy: [fromVpc(own), deny({})] }],
  ['a deny on a public bucket', 403, { acl: 'public-read', policy: [deny({})] }],
  [
    'a deny for other VPCs than ours',
    200,
    { policy: [fromVpc(own), deny({ Condition: { StringNotEquals: { 'acs:SourceVpc': [own] } } })] },
  ],
  [
    'a deny of what is not https',
    403,
    { policy: [fromVpc(own), deny({ Condition: { Bool: { 'acs:SecureTransport': ['false'] } } })] },
  ],
  [
    'addresses of the VPC',
    200,
    {
      policy: [
        {
          ...allow,
          Condition: { StringEquals: { 'acs:SourceVpc': [own] }, IpAddress: { 'acs:SourceIp': ['192.168.20.0/24'] } },
        },
      ],
      block: true,
    },
  ],
  [
    'other addresses of the VPC',
    403,
    {
      policy: [
        {
          ...allow,
          Condition: { StringEquals: { 'acs:SourceVpc': [own] }, IpAddress: { 'acs:SourceIp': ['192.168.30.0/24'] } },
        },
      ],
    },
  ],
])('%s: %i', async (_title, status, setting) => {
  expect(await statusWith(setting)).toBe(status);
});

test('nobody may write, list or look at anything else', async () => {
  await statusWith({ acl: 'public-read' });
  const url = `${sandbox.known.endpoint}/ackone-plain`;
  for (const [method, path] of [
    ['PUT', `/${key}`],
    ['DELETE', `/${key}`],
    ['GET', `/${key}?acl`],
    ['GET', '/?list-type=2'],
    ['GET', '/?bucketInfo'],
    ['GET', '/?policy'],
  ] as const) {
    expect([method, path, (await fetch(`${url}${path}`, { method })).status]).toEqual([method, path, 403]);
  }
  expect(await statusWith({ acl: 'public-read' })).toBe(200);
});

test("the sandbox's bucket lets its own VPC read ackone-join/, and nothing else", async () => {
  for (const name of [key, 'elsewhere/join.sh']) await ask(sandbox, (client) => client.put(name, Buffer.from('x')));
  expect((await read(sandbox, `ackone-sandbox/${key}`)).status).toBe(200);
  expect((await read(sandbox, `ackone-sandbox/${key}`, other)).status).toBe(403);
  expect((await read(sandbox, 'ackone-sandbox/elsewhere/join.sh')).status).toBe(403);
});

describe('the owner', () => {
  const ownerReads = async () => (await ask(sandbox, (client) => client.get(key), { bucket: 'ackone-plain' })).status;

  test('is not meant by * without a condition, and is by * with one', async () => {
    await statusWith({ policy: [deny({})] });
    expect(await ownerReads()).toBe(200);
    await statusWith({ policy: [deny({ Condition: { StringNotEquals: { 'acs:SourceVpc': [own] } } })] });
    expect(await ownerReads()).toBe(403);
  });
});
