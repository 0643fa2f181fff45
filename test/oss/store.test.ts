import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openStore } from '../../src/oss/store.ts';
import { deleteObject, putObject } from '../../src/oss/write/object.ts';
import { putPolicy } from '../../src/oss/write/policy.ts';
import { failureFrom } from './failures.ts';
import { credentials, type FakeOss, ossError, reset, silence, startFakeOss } from './fake-oss.ts';

let oss: FakeOss;
beforeAll(async () => {
  oss = await startFakeOss();
});
afterAll(() => oss.close());

const key = 'ackone-join/c/join-0123456789ab.sh';
const script = Buffer.from('#!/bin/bash\necho "grüße"\n');

describe('reading', () => {
  it('gives the bytes as they are', async () => {
    const bytes = Buffer.from([0, 255, 10, 13, 195, 40]);
    oss.answer({ status: 200, body: bytes, headers: { 'content-type': 'application/octet-stream' } });
    expect(await oss.store().get(key)).toEqual(bytes);
    expect(oss.asked[0]).toMatchObject({ method: 'GET', url: `/example-bucket/${key}` });
  });

  it('gives an empty object as no bytes, and none as undefined', async () => {
    oss.answer({ status: 200, body: '' });
    expect(await oss.store().get(key)).toEqual(Buffer.alloc(0));
    oss.answer(ossError(404, 'NoSuchKey'));
    expect(await oss.store().get(key)).toBeUndefined();
  });

  it('stops at a body that is larger than any script', async () => {
    oss.answer({ status: 200, body: Buffer.alloc(1024 * 1024 + 1) });
    const failure = await failureFrom(oss.store().get(key));
    expect(failure.code).toBe('OssAnswerInvalid');
    expect(failure.causes).toEqual(['the answer is larger than 1048576 bytes']);
    expect(oss.asked).toHaveLength(1);
  });
});

describe('signatures', () => {
  it('are V4 for the region, with the time of now', async () => {
    oss.answer({ status: 200, body: 'x' });
    await oss.store().get(key);
    const { headers } = oss.asked[0]!;
    const day = new Date().toISOString().slice(0, 10).replaceAll('-', '');
    expect(headers.authorization).toMatch(
      new RegExp(
        `^OSS4-HMAC-SHA256 Credential=LTAI-test-id/${day}/cn-hangzhou/oss/aliyun_v4_request,Signature=[0-9a-f]{64}$`,
      ),
    );
    expect(headers['x-oss-content-sha256']).toBe('UNSIGNED-PAYLOAD');
    expect(headers.host).toBe(`127.0.0.1:${oss.port}`);
  });

  it('of temporary credentials carry the token, and nothing is printed', async () => {
    oss.answer({ status: 200, body: 'x' });
    const store = openStore(
      oss.target(),
      { ...credentials, securityToken: 'sts-token' },
      { timeoutMs: 2_000, mayWrite: false },
    );
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    await store.get(key);
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
    expect(oss.asked[0]!.headers['x-oss-security-token']).toBe('sts-token');
  });
});

it('G8 a domain bound to the bucket is asked without the bucket', async () => {
  oss.answer({ status: 200, body: 'x' });
  const store = openStore(oss.target({ addressing: 'cname' }), credentials, { timeoutMs: 2_000, mayWrite: false });
  await store.get(key);
  expect(oss.asked[0]!.url).toBe(`/${key}`);
});

describe('writing', () => {
  it('puts an object as a node needs it', async () => {
    oss.answer({ status: 200 });
    await putObject(oss.store(), key, script, { metadata: { digest: 'abc', cluster: 'größe' }, overwrite: false });
    expect(oss.asked).toHaveLength(1);
    const { method, url, headers, body } = oss.asked[0]!;
    expect([method, url]).toEqual(['PUT', `/example-bucket/${key}`]);
    expect(body).toEqual(script);
    expect(headers).toMatchObject({
      'content-type': 'text/x-shellscript; charset=utf-8',
      'content-md5': createHash('md5').update(script).digest('base64'),
      'content-length': String(script.length),
      'x-oss-storage-class': 'Standard',
      'x-oss-server-side-encryption': 'AES256',
      'x-oss-forbid-overwrite': 'true',
      'x-oss-meta-digest': 'abc',
      'x-oss-meta-cluster': 'gr%C3%B6%C3%9Fe',
    });
    expect(headers['x-oss-object-acl']).toBeUndefined();
  });

  it('sets an ACL and overwrites when asked to', async () => {
    oss.answer({ status: 200 });
    await putObject(oss.store(), key, script, { metadata: {}, overwrite: true, acl: 'public-read' });
    expect(oss.asked[0]!.headers['x-oss-object-acl']).toBe('public-read');
    expect(oss.asked[0]!.headers['x-oss-forbid-overwrite']).toBeUndefined();
  });

  it('takes a present object with the same bytes for its own, written before the answer was lost', async () => {
    oss.answer(reset, ossError(409, 'FileAlreadyExists'), { status: 200, body: script });
    await putObject(oss.store(), key, script, { metadata: {}, overwrite: false });
    expect(oss.asked.map(({ method }) => method)).toEqual(['PUT', 'PUT', 'GET']);
  });

  it('leaves a present object with other bytes alone', async () => {
    oss.answer(ossError(409, 'FileAlreadyExists'), { status: 200, body: 'something else' });
    const failure = await failureFrom(putObject(oss.store(), key, script, { metadata: {}, overwrite: false }));
    expect(failure.code).toBe('ObjectExists');
    expect(failure.message).toBe(`example-bucket/${key} is there already and holds something else`);
  });

  it('deletes, and is content when there is none', async () => {
    oss.answer({ status: 204 });
    await deleteObject(oss.store(), key);
    expect(oss.asked[0]).toMatchObject({ method: 'DELETE', url: `/example-bucket/${key}` });
    oss.answer(ossError(404, 'NoSuchKey'));
    await deleteObject(oss.store(), key);
  });

  it('puts a policy as JSON', async () => {
    const policy = {
      Version: '1',
      Statement: [{ Effect: 'Allow', Principal: ['*'], Condition: { StringEquals: { 'acs:SourceVpc': ['vpc-1'] } } }],
    } as const;
    oss.answer({ status: 200 });
    await putPolicy(oss.store(), policy);
    expect(oss.asked[0]).toMatchObject({ method: 'PUT', url: '/example-bucket/?policy=' });
    expect(JSON.parse(oss.asked[0]!.body.toString())).toEqual(policy);
  });

  it.each([
    ['an object', () => putObject(oss.store({ mayWrite: false }), key, script, { metadata: {}, overwrite: true })],
    ['a policy', () => putPolicy(oss.store({ mayWrite: false }), { Version: '1', Statement: [] })],
    ['a removal', () => deleteObject(oss.store({ mayWrite: false }), key)],
  ])('a run that must not write sends no request for %s', async (_, write) => {
    oss.answer({ status: 200 });
    const failure = await failureFrom(write);
    expect(failure.code).toBe('Bug');
    expect(oss.asked).toHaveLength(0);
  });
});

describe('retries', () => {
  it.each([
    ['a reset', reset],
    ['503', ossError(503, 'ServiceUnavailable')],
    ['500', ossError(500, 'InternalError')],
    ["a proxy's 502 in HTML", { status: 502, body: '<html>bad gateway', headers: { 'content-type': 'text/html' } }],
  ])('%s twice, and the third answer counts', async (_, trouble) => {
    oss.answer(trouble, trouble, { status: 200, body: 'x' });
    expect(await oss.store().get(key)).toEqual(Buffer.from('x'));
    expect(oss.asked).toHaveLength(3);
  });

  it('a time-out is tried again too', async () => {
    oss.answer(silence, { status: 200, body: 'x' });
    expect(await oss.store({ timeoutMs: 200 }).get(key)).toEqual(Buffer.from('x'));
  });

  it('end after the third trouble', async () => {
    oss.answer(ossError(503, 'ServiceUnavailable'));
    const failure = await failureFrom(oss.store().get(key));
    expect(failure.code).toBe('OssServerError');
    expect(failure.causes).toEqual(['OSS answered 503 ServiceUnavailable (request 5C3D9175B6FC201293AD0001)']);
    expect(oss.asked).toHaveLength(3);
  });

  it('are not for a refusal', async () => {
    oss.answer(ossError(403, 'AccessDenied'));
    await failureFrom(oss.store().get(key));
    expect(oss.asked).toHaveLength(1);
  });

  it('end at once when the run is interrupted', async () => {
    const interrupt = new AbortController();
    oss.answer((response) => {
      interrupt.abort(new Error('interrupted'));
      response.writeHead(503).end();
    });
    await expect(oss.store({ signal: interrupt.signal }).get(key)).rejects.toThrow('interrupted');
    expect(oss.asked).toHaveLength(1);
  });
});

describe('G1 clock skew', () => {
  const eightHours = 8 * 3600_000;
  const skewed = ossError(403, 'RequestTimeTooSkewed', 'The difference is too large.', {
    MaxAllowedSkewMilliseconds: '900000',
    RequestTime: '2026-01-05T02:00:00.000Z',
    ServerTime: '2026-01-05T10:00:00.000Z',
  });
  const signedAt = (index: number) =>
    Date.parse(
      String(oss.asked[index]!.headers['x-oss-date']).replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'),
    );

  it('once: the request is sent again with the time of OSS, and the next one too', async () => {
    oss.answer(skewed, { status: 200, body: 'x' }, { status: 200, body: 'y' });
    const store = oss.store();
    expect(await store.get(key)).toEqual(Buffer.from('x'));
    await store.get(key);
    expect(oss.asked).toHaveLength(3);
    for (const index of [1, 2]) expect(Math.abs(signedAt(index) - signedAt(0) - eightHours)).toBeLessThan(60_000);
  });

  it('always: a typed error that states the offset', async () => {
    oss.answer(skewed);
    const failure = await failureFrom(oss.store().get(key));
    expect(failure.code).toBe('ClockSkew');
    expect(failure.message).toBe('the clock of this machine is 8 h behind');
    expect(oss.asked).toHaveLength(2);
  });

  it('a clock that is ahead, by the Date of an answer without times', async () => {
    const date = new Date(Date.now() - 90 * 60_000).toUTCString();
    oss.answer((response) =>
      response.writeHead(403, { date }).end('<Error><Code>RequestTimeTooSkewed</Code><Message>m</Message></Error>'),
    );
    expect((await failureFrom(oss.store().get(key))).message).toBe('the clock of this machine is 1 h 30 min ahead');
  });

  it('a URL signed by that clock would be refused, so none is made', async () => {
    oss.answer(skewed, { status: 200, body: 'x' });
    const store = oss.store();
    await store.get(key);
    expect((await failureFrom(store.signedUrl(key, 60))).code).toBe('ClockSkew');
  });
});

describe('signed URLs', () => {
  const target = (nodeBaseUrl: string, addressing: 'virtual' | 'path' | 'cname') => ({
    ...oss.target(),
    endpoint: addressing === 'path' ? oss.url : 'https://oss-cn-hangzhou.aliyuncs.com',
    addressing,
    nodeBaseUrl,
  });
  const options = { timeoutMs: 2_000, mayWrite: false };

  it('G5 are on the host that nodes read from, and a GET by V4', async () => {
    const where = target('https://example-bucket.oss-cn-hangzhou-internal.aliyuncs.com', 'virtual');
    const { url, temporary } = await openStore(where, credentials, options).signedUrl(key, 604_800);
    const parsed = new URL(url);
    expect(`${parsed.origin}${parsed.pathname}`).toBe(
      `https://example-bucket.oss-cn-hangzhou-internal.aliyuncs.com/${key}`,
    );
    expect(Object.fromEntries(parsed.searchParams)).toMatchObject({
      'x-oss-signature-version': 'OSS4-HMAC-SHA256',
      'x-oss-expires': '604800',
      'x-oss-credential': expect.stringMatching(/^LTAI-test-id\/\d{8}\/cn-hangzhou\/oss\/aliyun_v4_request$/),
      'x-oss-signature': expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(temporary).toBe(false);
  });

  it('end with temporary credentials, where that is sooner', async () => {
    const sts = { ...credentials, securityToken: 'sts', expiration: '2026-01-05T10:00:00Z' };
    const where = target('http://127.0.0.1:1/example-bucket', 'path');
    const signed = await openStore(where, sts, options).signedUrl(key, 600);
    expect(signed.expires).toBe('2026-01-05T10:00:00.000Z');
    expect(signed.temporary).toBe(true);
    expect(new URL(signed.url).searchParams.get('x-oss-security-token')).toBe('sts');
  });

  it('end by themselves otherwise', async () => {
    const { expires } = await openStore(target('https://files.example.com', 'cname'), credentials, options).signedUrl(
      key,
      600,
    );
    expect(Math.abs(Date.parse(expires) - Date.now() - 600_000)).toBeLessThan(30_000);
  });

  it('last a week at most', async () => {
    const store = openStore(target('https://files.example.com', 'cname'), credentials, options);
    expect((await failureFrom(store.signedUrl(key, 604_801))).code).toBe('AnswerInvalid');
  });
});
