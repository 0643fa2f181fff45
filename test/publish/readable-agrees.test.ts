/**
 * What is worked out of a bucket (src/publish/readable.ts) against what the sandbox's OSS, written apart from it, does with
 * a node's GET. `unknown` agrees with both; a yes or a no must be what happens.
 */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Access, Acl, PolicyDocument, PolicyStatement } from '../../src/oss/types.ts';
import { readable } from '../../src/publish/readable.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { ownerId, vpcId } from '../../src/sandbox/oss/buckets.ts';
import { permit } from '../../src/sandbox/oss/permission.ts';

const bucketName = 'ackone-sandbox';
const key = 'ackone-join/c/join.sh';
const otherVpc = 'vpc-other000000001';

const oneOrMore = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof(value, fc.uniqueArray(value, { minLength: 1, maxLength: 2 })) as fc.Arbitrary<T | T[]>;
const principals = fc.constantFrom<PolicyStatement['Principal'][]>(
  '*',
  ['*'],
  { RAM: ['*'] },
  [ownerId],
  ['2000000000000002'],
  ['2000000000000002', '*'],
);
const actions = oneOrMore(
  fc.constantFrom('oss:GetObject', 'oss:Get*', 'oss:*', '*', 'oss:GetObjectAcl', 'oss:PutObject', 'oss:ListObjects'),
);
const resources = oneOrMore(
  fc.constantFrom(
    '*',
    `acs:oss:*:${ownerId}:${bucketName}/*`,
    `acs:oss:*:${ownerId}:${bucketName}/${key}`,
    `acs:oss:*:${ownerId}:${bucketName}/ackone-join/*`,
    `acs:oss:*:${ownerId}:${bucketName}/ackone-join/?/join.sh`,
    `acs:oss:*:${ownerId}:${bucketName}/elsewhere/*`,
    `acs:oss:*:${ownerId}:${bucketName}`,
    `acs:oss:cn-hangzhou:${ownerId}:${bucketName}/*`,
  ),
);
const vpcs = oneOrMore(fc.constantFrom(vpcId, otherVpc, 'vpc-*', 'vpc-sandbox?000000001', '*'));
const addresses = oneOrMore(fc.constantFrom('192.168.0.0/16', '203.0.113.0/24', '0.0.0.0/0', '192.168.20.21'));
const condition = fc.oneof(
  { weight: 4, arbitrary: fc.record({ StringEquals: fc.record({ 'acs:SourceVpc': vpcs }) }) },
  fc.record({ StringLike: fc.record({ 'acs:SourceVpc': vpcs }) }),
  fc.record({ StringNotEquals: fc.record({ 'acs:SourceVpc': vpcs }) }),
  fc.record({ StringNotLike: fc.record({ 'acs:SourceVpc': vpcs }) }),
  fc.record({ IpAddress: fc.record({ 'acs:SourceIp': addresses }) }),
  fc.record({ NotIpAddress: fc.record({ 'acs:SourceIp': addresses }) }),
  fc.record({ Bool: fc.record({ 'acs:SecureTransport': fc.constantFrom('true', 'false') }) }),
  fc.record({
    StringEquals: fc.record({ 'acs:SourceVpc': vpcs }),
    IpAddress: fc.record({ 'acs:SourceIp': addresses }),
  }),
);
const about = (name: 'Principal' | 'Action' | 'Resource', value: fc.Arbitrary<unknown>) =>
  fc.tuple(fc.constantFrom(...Array(6).fill(name), `Not${name}`), value).map(([element, is]) => ({ [element]: is }));
const statement = fc
  .tuple(
    fc.constantFrom('Allow', 'Allow', 'Allow', 'Deny'),
    about('Principal', principals),
    about('Action', actions),
    about('Resource', resources),
    fc.option(condition, { nil: undefined }),
  )
  .map(
    ([Effect, principal, action, resource, Condition]) =>
      ({ Effect, ...principal, ...action, ...resource, ...(Condition && { Condition }) }) as PolicyStatement,
  );
const policy = fc.option(
  fc.array(statement, { minLength: 1, maxLength: 3 }).map((Statement): PolicyDocument => ({ Version: '1', Statement })),
  { nil: undefined, freq: 8 },
);

const situation = fc.record({
  acl: fc.constantFrom<Acl[]>('private', 'private', 'public-read', 'public-read-write'),
  objectAcl: fc.constantFrom<(Acl | undefined)[]>(undefined, undefined, 'private', 'public-read'),
  blockPublicAccess: fc.boolean(),
  policy,
  vpc: fc.constantFrom(vpcId, otherVpc),
  access: fc.constantFrom<Access[]>('private', 'vpc', 'public-read', 'presigned'),
});
type Situation = typeof situation extends fc.Arbitrary<infer S> ? S : never;

const foretold = ({ acl, objectAcl, blockPublicAccess, policy: document, vpc, access }: Situation) =>
  readable(
    {
      bucketAcl: { known: true, value: acl },
      objectAcl,
      policy: { known: true, value: document },
      blockPublicAccess: { known: true, value: blockPublicAccess },
    },
    // The sandbox is plain http.
    { bucket: bucketName, key, vpcId: vpc, secure: false },
    access,
  );

const bucketOf = ({ acl, blockPublicAccess, policy: document }: Situation) => ({
  name: bucketName,
  region: 'cn-hangzhou',
  ours: true,
  acl,
  blockPublicAccess,
  policy: document,
});

/** What the sandbox's OSS decides of a node's GET. */
function happens(of: Situation): 'yes' | 'no' {
  const request = {
    method: 'GET',
    path: `/${key}`,
    query: new Map<string, string>(),
    headers: { 'x-sandbox-vpc': of.vpc },
    body: Buffer.alloc(0),
  } as unknown as Parameters<typeof permit>[0];
  const signer =
    of.access === 'presigned' ? { keyId: 'LTAI5sandbox', region: 'cn-hangzhou', presigned: true } : undefined;
  const object = { key, acl: of.objectAcl ?? 'default', headers: {} } as unknown as Parameters<typeof permit>[5];
  try {
    permit(request, signer, 'oss:GetObject', bucketOf(of), key, object);
    return 'yes';
  } catch {
    return 'no';
  }
}

it('every yes and every no is what happens', async () => {
  const answers = { yes: 0, no: 0, unknown: 0 };
  await fc.assert(
    fc.property(situation, (of) => {
      const { answer, why } = foretold(of);
      answers[answer] += 1;
      if (answer !== 'unknown') expect([answer, why]).toEqual([happens(of), why]);
    }),
    { seed: 20251201, numRuns: 5000 },
  );
  // Each answer is met often enough for that to mean something.
  for (const count of Object.values(answers)) expect(count).toBeGreaterThan(200);
});

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

it('and is what a GET over HTTP gets', async () => {
  const bucket = sandbox.oss.buckets.find(({ name }) => name === bucketName)!;
  const url = `${sandbox.known.nodeEndpoint}/${bucketName}/${key}`;
  await fc.assert(
    fc.asyncProperty(situation, async (of) => {
      fc.pre(of.access !== 'presigned');
      Object.assign(bucket, bucketOf(of));
      sandbox.oss.files.put(bucketName, { key, headers: {}, acl: of.objectAcl ?? 'default' }, Buffer.from('text'));
      const { status } = await fetch(url, { headers: { 'x-sandbox-vpc': of.vpc } });
      expect([200, 403]).toContain(status);
      const { answer, why } = foretold(of);
      if (answer !== 'unknown') expect([answer, why]).toEqual([status === 200 ? 'yes' : 'no', why]);
    }),
    { seed: 20251201, numRuns: 300 },
  );
});
