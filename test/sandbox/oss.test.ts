/** The OSS: signatures, objects, buckets. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { ask, read, send, sign } from './support.ts';

// A start makes an RSA key, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const script = Buffer.from('#!/bin/bash\necho joined\n');
const put = (key: string, headers: Record<string, string> = {}) => ({
  work: (client: import('ali-oss')) => client.put(key, script, { headers }),
});
const store = async (key: string, headers: Record<string, string> = {}) => ask(sandbox, put(key, headers).work);
const fetchObject = async (key: string) => ask(sandbox, (client) => client.get(key));

describe('signature V4', () => {
  const work = put('signed').work;

  test('a request as ali-oss signs it is taken', async () => {
    expect((await ask(sandbox, work)).status).toBe(200);
  });

  test.each([
    ['an unknown key id', { id: 'LTAIunknown' }, 403, 'InvalidAccessKeyId'],
    ['a wrong secret', { secret: 'wrong' }, 403, 'SignatureDoesNotMatch'],
    ['G1 a clock 16 minutes behind', { skewMs: -16 * 60_000 }, 403, 'RequestTimeTooSkewed'],
    ['G1 a clock 16 minutes ahead', { skewMs: 16 * 60_000 }, 403, 'RequestTimeTooSkewed'],
    ['G2 another region than the bucket is in', { region: 'cn-beijing' }, 403, 'AccessDenied'],
  ])('%s is refused', async (_title, signing, status, code) => {
    const reply = await ask(sandbox, work, signing);
    expect([reply.status, reply.code]).toEqual([status, code]);
  });

  test('a clock 14 minutes off is still taken, and 16 tell how much is allowed', async () => {
    expect((await ask(sandbox, work, { skewMs: -14 * 60_000 })).status).toBe(200);
    const { text } = await ask(sandbox, work, { skewMs: -16 * 60_000 });
    expect(text).toContain('<MaxAllowedSkewMilliseconds>900000</MaxAllowedSkewMilliseconds>');
    const time = (name: string) => Date.parse(new RegExp(`<${name}>([^<]+)`).exec(text)?.[1] ?? '');
    expect(Math.round((time('ServerTime') - time('RequestTime')) / 60_000)).toBe(16);
  });

  test('G2 the refusal names the endpoint of the right region', async () => {
    const { text } = await ask(sandbox, work, { bucket: 'ackone-beijing' });
    expect(text).toContain('<Endpoint>oss-cn-beijing.aliyuncs.com</Endpoint>');
    expect((await ask(sandbox, work, { bucket: 'ackone-beijing', region: 'cn-beijing' })).status).toBe(200);
  });

  test.each([
    ['the key', (url: string) => ({ url: `${url}x` })],
    ['the query', (url: string) => ({ url: `${url}?acl` })],
    ['the method', () => ({ method: 'DELETE' })],
  ])('who changes %s of a signed request is refused', async (_what, change) => {
    const signed = await sign(sandbox, (client) => client.get('signed'));
    expect(await send({ ...signed, ...change(signed.url) })).toMatchObject({
      status: 403,
      code: 'SignatureDoesNotMatch',
    });
  });

  test('so is who changes a header that is signed, or the day of the scope', async () => {
    const signed = await sign(sandbox, work);
    const changed = (headers: Record<string, string>) =>
      send({ ...signed, headers: { ...signed.headers, ...headers } });
    expect(await changed({ 'x-oss-object-acl': 'private' })).toMatchObject({ code: 'SignatureDoesNotMatch' });
    const authorization = signed.headers.authorization ?? '';
    expect(await changed({ authorization: authorization.replace(/\/\d{8}\//, '/20200101/') })).toMatchObject({
      status: 400,
      code: 'InvalidArgument',
    });
  });

  test('the body is guarded by Content-MD5', async () => {
    const signed = await sign(sandbox, work);
    expect(await send({ ...signed, body: 'something else' })).toMatchObject({ status: 400, code: 'InvalidDigest' });
  });

  test('G7 a scope that does not fit the endpoint asked is 400', async () => {
    const signed = await sign(sandbox, work, { region: 'cn-beijing' });
    const address = new URL(signed.url);
    const { request } = await import('node:http');
    const text = await new Promise<string>((done, fail) => {
      const headers = { ...signed.headers, host: 'ackone-sandbox.oss-cn-hangzhou.aliyuncs.com' };
      const outgoing = request(address, { method: 'PUT', headers }, (response) => {
        response.setEncoding('utf8');
        let body = `${response.statusCode} `;
        response.on('data', (chunk: string) => {
          body += chunk;
        });
        response.on('end', () => done(body));
      });
      outgoing.on('error', fail).end(signed.body);
    });
    expect(text).toMatch(
      /^400 .*<Code>InvalidArgument<\/Code><Message>Invalid signing region in Authorization header/s,
    );
  });

  test('V1 is closed, and can be opened', async () => {
    expect(await ask(sandbox, work, { v4: false })).toMatchObject({ status: 403, code: 'InvalidArgument' });
    sandbox.oss.acceptV1 = true;
    expect(await ask(sandbox, work, { v4: false })).toMatchObject({ status: 200 });
    expect(await ask(sandbox, (client) => client.getBucketInfo('ackone-sandbox'), { v4: false })).toMatchObject({
      status: 200,
    });
    expect(await ask(sandbox, work, { v4: false, secret: 'wrong' })).toMatchObject({ code: 'SignatureDoesNotMatch' });
    sandbox.oss.acceptV1 = false;
  });
});

describe('presigned URLs', () => {
  const presign = async (seconds: number) => {
    const { default: AliOss } = await import('ali-oss');
    const client = new AliOss({
      bucket: 'ackone-plain',
      region: 'cn-hangzhou',
      endpoint: sandbox.known.endpoint,
      accessKeyId: sandbox.env.ALIBABA_CLOUD_ACCESS_KEY_ID,
      accessKeySecret: sandbox.env.ALIBABA_CLOUD_ACCESS_KEY_SECRET,
      sldEnable: true,
      authorizationV4: true,
    } as import('ali-oss').Options);
    return client.signatureUrlV4('GET', seconds, undefined, 'presigned.sh');
  };
  const open = (url: string) => send({ url, method: 'GET', headers: {} });
  beforeAll(() => ask(sandbox, put('presigned.sh').work, { bucket: 'ackone-plain' }));

  test('one opens what nobody could read', async () => {
    expect((await read(sandbox, 'ackone-plain/presigned.sh')).status).toBe(403);
    expect(await open(await presign(60))).toMatchObject({ status: 200, text: script.toString() });
  });

  test('one opens its object only, lasts as long as it says, and a week at most', async () => {
    const url = await presign(60);
    expect(await open(url.replace('presigned.sh', 'another.sh'))).toMatchObject({ code: 'SignatureDoesNotMatch' });
    expect(await open(url.replace('x-oss-expires=60', 'x-oss-expires=600'))).toMatchObject({
      code: 'SignatureDoesNotMatch',
    });
    expect(await open(url.replace(/x-oss-date=\d{8}T/, 'x-oss-date=20200101T'))).toMatchObject({
      status: 403,
      code: 'AccessDenied',
      text: expect.stringContaining('Request has expired.'),
    });
    expect(await open(await presign(604_801))).toMatchObject({ status: 400 });
  });
});

describe('objects', () => {
  test('what is put comes back, with what was said of it', async () => {
    const headers = {
      'x-oss-meta-digest': 'abc',
      'x-oss-server-side-encryption': 'AES256',
      'Content-Type': 'text/plain',
    };
    expect((await store('kept/a b+c.sh', headers)).status).toBe(200);
    const { status, text, headers: returned } = await fetchObject('kept/a b+c.sh');
    expect([status, text]).toEqual([200, script.toString()]);
    expect(Object.fromEntries(returned)).toMatchObject({
      'content-type': 'text/plain',
      'x-oss-meta-digest': 'abc',
      'x-oss-server-side-encryption': 'AES256',
      'x-oss-storage-class': 'Standard',
      etag: '"548A949EFD90C4A31616B9E18124FA5D"',
    });
    expect((await ask(sandbox, (client) => client.head('kept/a b+c.sh'))).headers.get('content-length')).toBe('24');
  });

  test('x-oss-forbid-overwrite leaves alone what is there', async () => {
    await store('once');
    expect(await store('once', { 'x-oss-forbid-overwrite': 'true' })).toMatchObject({
      status: 409,
      code: 'FileAlreadyExists',
    });
    expect((await store('another', { 'x-oss-forbid-overwrite': 'true' })).status).toBe(200);
    expect((await store('once')).status).toBe(200);
  });

  test('what is not there is 404, and deleting it is no failure', async () => {
    expect(await fetchObject('none')).toMatchObject({ status: 404, code: 'NoSuchKey' });
    const head = await ask(sandbox, (client) => client.head('none'));
    expect([head.status, head.text]).toEqual([404, '']);
    expect(Buffer.from(head.headers.get('x-oss-err') ?? '', 'base64').toString()).toContain('<Code>NoSuchKey</Code>');
    expect((await ask(sandbox, (client) => client.delete('none'))).status).toBe(204);
  });

  test('ACLs: default until one is put', async () => {
    const aclOf = async () => /<Grant>([^<]+)/.exec((await ask(sandbox, (client) => client.getACL('acl'))).text)?.[1];
    await store('acl');
    expect(await aclOf()).toBe('default');
    expect((await ask(sandbox, (client) => client.putACL('acl', 'private'))).status).toBe(200);
    expect(await aclOf()).toBe('private');
  });

  test('G3 nothing public is put while Block Public Access is on', async () => {
    const refused = { status: 403, code: 'AccessDenied', text: expect.stringContaining('acl is not allowed') };
    expect(await store('public', { 'x-oss-object-acl': 'public-read' })).toMatchObject(refused);
    expect((await fetchObject('public')).status).toBe(404);
    expect(await ask(sandbox, (client) => client.putBucketACL('ackone-sandbox', 'public-read'))).toMatchObject(refused);
  });

  test('listed by prefix, in pages', async () => {
    for (const key of ['list/1', 'list/2', 'list/3']) await store(key);
    const list = async (token?: string) => {
      const query = { prefix: 'list/', 'max-keys': 2, ...(token && { 'continuation-token': token }) };
      const { text } = await ask(sandbox, (client) => client.listV2(query, {}));
      const keys = [...text.matchAll(/<Key>([^<]+)/g)].map(([, key]) => decodeURIComponent(key ?? ''));
      return { keys, next: /<NextContinuationToken>([^<]+)/.exec(text)?.[1] };
    };
    const first = await list();
    expect(first).toEqual({ keys: ['list/1', 'list/2'], next: 'list/2' });
    expect(await list(first.next)).toEqual({ keys: ['list/3'], next: undefined });
  });

  test('they are kept on disk, and no key leads out of the folder', async () => {
    const key = '../../outside';
    const signed = await sign(sandbox, put('kept/encoded').work);
    await send(signed);
    sandbox.oss.files.put('ackone-plain', { key, headers: {}, acl: 'default' }, script);
    const folder = join(sandbox.dir, 'objects', 'ackone-plain');
    const infos = readdirSync(folder).filter((name) => name.endsWith('.json'));
    expect(infos.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).key)).toContain(key);
    expect(readdirSync(join(sandbox.dir, 'objects')).sort()).toEqual(
      expect.arrayContaining(['ackone-plain', 'ackone-sandbox']),
    );
    expect(readdirSync(sandbox.dir)).not.toContain('outside');
    sandbox.oss.files.delete('ackone-plain', key);
  });
});

describe('buckets', () => {
  const refused = (bucket: string) => ask(sandbox, (client) => client.getBucketInfo(bucket), { bucket });

  test('one that is not there is 404, one of somebody else is 403 whatever is asked', async () => {
    expect(await refused('ackone-nowhere')).toMatchObject({ status: 404, code: 'NoSuchBucket' });
    expect(await refused('ackone-foreign')).toMatchObject({ status: 403, code: 'AccessDenied' });
    expect(await ask(sandbox, put('a').work, { bucket: 'ackone-foreign' })).toMatchObject({ code: 'AccessDenied' });
  });

  test('GetBucketInfo, GetBucketLocation, GetBucketAcl', async () => {
    const { text } = await refused('ackone-sandbox');
    for (const element of [
      '<Location>oss-cn-hangzhou</Location>',
      '<BlockPublicAccess>true</BlockPublicAccess>',
      '<Grant>private</Grant>',
      '<StorageClass>Standard</StorageClass>',
      '<ID>1000000000000001</ID>',
      '<IntranetEndpoint>oss-cn-hangzhou-internal.aliyuncs.com</IntranetEndpoint>',
    ]) {
      expect(text).toContain(element);
    }
    const location = await ask(sandbox, (client) => client.getBucketLocation('ackone-sandbox'));
    expect(location.text).toContain('<LocationConstraint>oss-cn-hangzhou</LocationConstraint>');
    const acl = await ask(sandbox, (client) => client.getBucketACL('ackone-sandbox'));
    expect(acl.text).toContain('<Grant>private</Grant>');
  });

  test('ListBuckets lists those of the account', async () => {
    const { text } = await ask(sandbox, (client) => client.listBuckets({}));
    expect([...text.matchAll(/<Name>([^<]+)/g)].map(([, name]) => name)).toEqual([
      'ackone-sandbox',
      'ackone-plain',
      'ackone-beijing',
    ]);
    expect(await read(sandbox, '')).toMatchObject({ status: 403, code: 'AccessDenied' });
  });

  const statement = {
    Effect: 'Allow' as const,
    Principal: ['*'],
    Action: ['oss:GetObject'],
    Resource: ['acs:oss:*:1000000000000001:ackone-plain/a/*'],
  };
  const inVpc = { ...statement, Condition: { StringEquals: { 'acs:SourceVpc': ['vpc-sandbox0000000001'] } } };
  const plain = { bucket: 'ackone-plain' };
  const putPolicy = (policy: object) =>
    ask(sandbox, (client) => client.putBucketPolicy('ackone-plain', policy as never), plain);
  const getPolicy = () => ask(sandbox, (client) => client.getBucketPolicy('ackone-plain'), plain);

  test('a policy: none, put, read back, deleted', async () => {
    expect(await getPolicy()).toMatchObject({ status: 404, code: 'NoSuchBucketPolicy' });
    expect((await putPolicy({ Version: '1', Statement: [inVpc] })).status).toBe(200);
    expect(JSON.parse((await getPolicy()).text)).toEqual({ Version: '1', Statement: [inVpc] });
    const deleted = await ask(sandbox, (client) => client.deleteBucketPolicy('ackone-plain'), plain);
    expect(deleted.status).toBe(204);
    expect((await getPolicy()).status).toBe(404);
  });

  test.each([
    ['no statement', { Version: '1', Statement: [] }, 400, 'InvalidPolicyDocument'],
    ['another version', { Version: '2', Statement: [inVpc] }, 400, 'InvalidPolicyDocument'],
    ['no action', { Version: '1', Statement: [{ ...inVpc, Action: undefined }] }, 400, 'InvalidPolicyDocument'],
    [
      'an unknown operator',
      { Version: '1', Statement: [{ ...statement, Condition: { StringSounds: { 'acs:SourceVpc': ['x'] } } }] },
      400,
      'InvalidPolicyDocument',
    ],
    [
      'the resource of another bucket',
      { Version: '1', Statement: [{ ...inVpc, Resource: ['acs:oss:*:*:ackone-sandbox/*'] }] },
      400,
      'InvalidPolicyDocument',
    ],
    ['G3 everybody while public access is blocked', { Version: '1', Statement: [statement] }, 403, 'AccessDenied'],
  ])('a policy with %s is refused', async (_title, policy, status, code) => {
    expect(await putPolicy(policy)).toMatchObject({ status, code });
    expect((await getPolicy()).status).toBe(404);
  });
});
