import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { findRegion, readBucketFacts } from '../../src/oss/bucket.ts';
import { openStore } from '../../src/oss/store.ts';
import { failureFrom } from './failures.ts';
import { type Asked, credentials, type FakeOss, ossError, type Reply, silence, startFakeOss } from './fake-oss.ts';

let oss: FakeOss;
beforeAll(async () => {
  oss = await startFakeOss();
});
afterAll(() => oss.close());
afterEach(() => vi.unstubAllEnvs());

/** Answers by what is asked, since the questions come side by side. */
interface Routes {
  readonly info?: Reply;
  readonly policy?: Reply;
  readonly bucketBlock?: Reply;
  readonly accountBlock?: Reply;
  readonly location?: Reply;
  readonly list?: Reply;
}

function route(routes: Routes): void {
  const of = ({ url, headers }: Asked): Reply | undefined => {
    if (url.includes('bucketInfo')) return routes.info;
    if (url.includes('policy')) return routes.policy;
    if (url.includes('location')) return routes.location;
    if (url.includes('publicAccessBlock'))
      return url.startsWith('/example-bucket') ? routes.bucketBlock : routes.accountBlock;
    return headers.authorization?.startsWith('OSS4') ? routes.list : undefined;
  };
  oss.answer((response, socket) => {
    const reply = of(oss.asked.at(-1)!) ?? ossError(403, 'AccessDenied');
    if (typeof reply === 'function') reply(response, socket);
    else response.writeHead(reply.status, { 'content-type': 'application/xml', ...reply.headers }).end(reply.body);
  });
}

const info = (parts: Readonly<Record<string, string>> = {}): Reply => {
  const all = {
    Location: 'oss-cn-hangzhou',
    StorageClass: 'Standard',
    AccessControlList: '<Grant>private</Grant>',
    Owner: '<DisplayName>1234567890</DisplayName><ID>1234567890</ID>',
    ...parts,
  };
  const body = Object.entries(all).map(([name, value]) => `<${name}>${value}</${name}>`);
  return {
    status: 200,
    body: `<?xml version="1.0"?><BucketInfo><Bucket><Name>example-bucket</Name>${body.join('')}</Bucket></BucketInfo>`,
  };
};
const policy = {
  Version: '1',
  Statement: [{ Effect: 'Allow', Principal: ['*'], Action: ['oss:GetObject'], Resource: ['*'], Extra: { a: 1 } }],
};
const json = (value: unknown): Reply => ({
  status: 200,
  body: JSON.stringify(value),
  headers: { 'content-type': 'application/json' },
});
const block = (on: boolean): Reply => ({
  status: 200,
  body: `<?xml version="1.0"?><PublicAccessBlockConfiguration><BlockPublicAccess>${on}</BlockPublicAccess></PublicAccessBlockConfiguration>`,
});
const noPolicy = ossError(404, 'NoSuchBucketPolicy');
const known = (value: unknown) => ({ known: true, value });

describe('bucket facts', () => {
  it('come from GetBucketInfo, GetBucketPolicy and the account', async () => {
    route({
      info: info({
        BlockPublicAccess: 'false',
        Versioning: 'Enabled',
        AccessControlList: '<Grant>public-read</Grant>',
        StorageClass: 'IA',
      }),
      policy: json(policy),
      accountBlock: block(false),
    });
    expect(await readBucketFacts(oss.store({ mayWrite: false }))).toEqual({
      region: known('cn-hangzhou'),
      acl: known('public-read'),
      blockPublicAccess: known(false),
      policy: known(policy),
      ownerId: known('1234567890'),
      storageClass: known('IA'),
      versioning: known(true),
    });
  });

  it('say that there is no policy and no versioning', async () => {
    route({ info: info({ BlockPublicAccess: 'true' }), policy: noPolicy });
    const facts = await readBucketFacts(oss.store());
    expect(facts.policy).toEqual(known(undefined));
    expect(facts.versioning).toEqual(known(false));
  });

  it.each([
    ["the bucket's switch is on", { info: info({ BlockPublicAccess: 'true' }) }, known(true)],
    [
      "the account's switch is on",
      { info: info({ BlockPublicAccess: 'false' }), accountBlock: block(true) },
      known(true),
    ],
    ['both are off', { info: info({ BlockPublicAccess: 'false' }), accountBlock: block(false) }, known(false)],
    [
      'the account was never set',
      {
        info: info({ BlockPublicAccess: 'false' }),
        accountBlock: ossError(404, 'NoSuchPublicAccessBlockConfiguration'),
      },
      known(false),
    ],
    ['the bucket is asked when its information lacks it', { info: info(), bucketBlock: block(true) }, known(true)],
    ['both asked', { info: info(), bucketBlock: block(false), accountBlock: block(false) }, known(false)],
    [
      'signature V1 is closed',
      { info: info({ BlockPublicAccess: 'false' }), accountBlock: ossError(403, 'InvalidArgument') },
      {
        known: false,
        why: 'Block Public Access of the account: OSS refused with 403 InvalidArgument (the right is missing, or signature V1 is closed for this account)',
      },
    ],
    [
      'something else answers',
      { info: info({ BlockPublicAccess: 'false' }), accountBlock: { status: 200, body: '<html/>' } },
      { known: false, why: 'Block Public Access of the account: OSS gave an answer of another form' },
    ],
    [
      'nobody answers',
      { info: info({ BlockPublicAccess: 'false' }), accountBlock: silence },
      { known: false, why: 'Block Public Access of the account: OSS did not answer in time' },
    ],
  ] satisfies readonly (readonly [string, Routes, unknown])[])(
    'Block Public Access: %s',
    async (_title, routes, fact) => {
      route({ policy: noPolicy, ...routes });
      expect((await readBucketFacts(oss.store({ timeoutMs: 1_000 }))).blockPublicAccess).toEqual(fact);
    },
  );

  it('that may not be read are unknown with the right that is missing, and the run goes on', async () => {
    route({});
    const facts = await readBucketFacts(oss.store());
    const lacks = (right: string) => ({ known: false, why: `the credentials lack the right ${right}` });
    expect(facts).toMatchObject({
      region: lacks('oss:GetBucketInfo'),
      acl: lacks('oss:GetBucketInfo'),
      ownerId: lacks('oss:GetBucketInfo'),
      policy: lacks('oss:GetBucketPolicy'),
    });
    expect(facts.blockPublicAccess.known).toBe(false);
  });

  it('are not guessed from a policy of an unknown form', async () => {
    route({
      info: info({ BlockPublicAccess: 'true' }),
      policy: json({ Version: '1', Statement: { Effect: 'Allow' } }),
    });
    expect((await readBucketFacts(oss.store())).policy).toEqual({
      known: false,
      why: "the bucket's policy is of a form that is not known here",
    });
  });

  it('G2 of a bucket elsewhere stop the run before anything is written', async () => {
    route({ info: info({ Location: 'oss-cn-beijing' }), policy: noPolicy });
    const failure = await failureFrom(readBucketFacts(oss.store()));
    expect(failure.code).toBe('WrongEndpoint');
    expect(failure.message).toBe('bucket example-bucket is in cn-beijing, not in cn-hangzhou');
    expect(failure.next).toEqual(['Give --region cn-beijing.']);
  });

  it.each([
    ['BucketMissing', ossError(404, 'NoSuchBucket')],
    ['CredentialsInvalid', ossError(403, 'InvalidAccessKeyId')],
    ['OssAnswerInvalid', { status: 200, body: '<html>not xml', headers: { 'content-type': 'text/html' } }],
  ] satisfies readonly (readonly [string, Reply])[])('%s ends the run', async (code, reply) => {
    route({ info: reply, policy: reply });
    expect((await failureFrom(readBucketFacts(oss.store()))).code).toBe(code);
  });

  it('by the typed SDK are not asked where a proxy is needed, since it knows none', async () => {
    vi.stubEnv('HTTPS_PROXY', 'http://192.0.2.1:3128');
    const target = {
      ...oss.target(),
      endpoint: 'https://oss-cn-hangzhou.aliyuncs.com',
      addressing: 'virtual',
    } as const;
    const store = openStore(target, credentials, { timeoutMs: 500, mayWrite: false });
    expect(await store.typedSdk.publicAccessBlock('account')).toEqual({
      known: false,
      why: 'the SDK for this question knows no proxy',
    });
  });
});

describe('the region of a bucket', () => {
  const find = () => findRegion('example-bucket', credentials, { timeoutMs: 2_000, mayWrite: false }, oss.url);
  const listOf = (...names: readonly string[]): Reply => ({
    status: 200,
    body: `<?xml version="1.0"?><ListAllMyBucketsResult><Owner><ID>1</ID><DisplayName>1</DisplayName></Owner><Buckets>${names
      .map(
        (name, index) =>
          `<Bucket><Name>${name}</Name><Location>${index === 0 ? 'oss-cn-beijing' : 'oss-cn-qingdao'}</Location></Bucket>`,
      )
      .join('')}</Buckets></ListAllMyBucketsResult>`,
  });

  it('is asked by GetBucketLocation, signed V1', async () => {
    route({
      location: {
        status: 200,
        body: '<?xml version="1.0"?><LocationConstraint>oss-ap-southeast-1</LocationConstraint>',
      },
    });
    expect(await find()).toEqual(known('ap-southeast-1'));
    expect(oss.asked).toHaveLength(1);
    expect(oss.asked[0]!.headers.authorization).toMatch(/^OSS LTAI-test-id:/);
  });

  it('is found in the list of buckets where V1 is closed', async () => {
    route({ location: ossError(403, 'InvalidArgument'), list: listOf('example-bucket', 'example-bucket-2') });
    expect(await find()).toEqual(known('cn-beijing'));
    route({ list: listOf('example-bucket-2', 'example-bucket') });
    expect(await find()).toEqual(known('cn-qingdao'));
    route({ list: listOf('example-bucket') });
    expect(await find()).toEqual(known('cn-beijing'));
  });

  it('stays unknown, with both reasons', async () => {
    route({ location: ossError(403, 'AccessDenied'), list: listOf() });
    expect(await find()).toEqual({
      known: false,
      why: 'GetBucketLocation: OSS refused with 403 AccessDenied (the right is missing, or signature V1 is closed for this account); ListBuckets: no bucket example-bucket among those of this account',
    });
    route({});
    expect(await find()).toMatchObject({
      known: false,
      why: expect.stringContaining('ListBuckets: the credentials lack the right oss:ListBuckets'),
    });
  });

  it('is the one that an endpoint of OSS names', async () => {
    const options = { timeoutMs: 2_000, mayWrite: false };
    route({});
    expect(await findRegion('example-bucket', credentials, options, 'oss-cn-beijing-internal.aliyuncs.com')).toEqual(
      known('cn-beijing'),
    );
    expect(oss.asked).toHaveLength(0);
  });

  it('is asked of OSS where the endpoint is a domain of the user', async () => {
    vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:1');
    vi.stubEnv('NO_PROXY', '');
    const asking = findRegion(
      'example-bucket',
      credentials,
      { timeoutMs: 500, mayWrite: false },
      'https://files.example.com',
    );
    const failure = await failureFrom(asking);
    expect(failure.message).toBe(
      'ListBuckets on bucket example-bucket got no answer from oss-cn-hangzhou.aliyuncs.com',
    );
  });

  it('is no guess when OSS names none', async () => {
    route({ location: { status: 200, body: '<?xml version="1.0"?><LocationConstraint>moon</LocationConstraint>' } });
    expect(await find()).toEqual({ known: false, why: 'OSS names a location that is no region' });
  });
});
