/** Faults on request, and the record of what arrived. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { anonymous, type Connection, call } from '../support/raw-api.ts';
import { admin, ask, dataOf, get, mergePatch, read, system } from './support.ts';

// A start makes an RSA key, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

let sandbox: Sandbox;
let owner: Connection;
beforeAll(async () => {
  sandbox = await startSandbox();
  owner = admin(sandbox);
});
afterEach(() => sandbox.faults.clear());
afterAll(() => sandbox.close());

const path = `${system}/configmaps/ack-agent-config`;
const patch = (value: string) => call(owner, 'PATCH', path, { data: { addNodeScriptPath: value } }, mergePatch);
const value = async () => (await dataOf(owner, path)).addNodeScriptPath;

test('an answer instead of the right one, for the second request only', async () => {
  sandbox.faults.add({ request: /^GET \/version$/, nth: 2, effect: { status: 500, body: 'broken' } });
  const answers = [await get(owner, '/version'), await get(owner, '/version'), await get(owner, '/version')];
  expect(answers.map(({ status }) => status)).toEqual([200, 500, 200]);
  expect(answers[1]?.body).toBe('broken');
});

test('as often as is said, and nothing of it has an effect', async () => {
  sandbox.faults.add({ request: /^PATCH .*\/ack-agent-config/, times: 2, effect: { status: 503 } });
  expect([(await patch('1')).status, (await patch('2')).status]).toEqual([503, 503]);
  expect(await value()).toBeUndefined();
  expect((await patch('3')).status).toBe(200);
  expect(await value()).toBe('3');
});

test('a reset before the effect, and one after it', async () => {
  await patch('before');
  sandbox.faults.add({ request: /^PATCH /, effect: 'reset' });
  await expect(patch('lost')).rejects.toThrow();
  expect(await value()).toBe('before');
  sandbox.faults.add({ request: /^PATCH /, nth: 1, effect: 'reset after' });
  await expect(patch('kept')).rejects.toThrow();
  expect(await value()).toBe('kept');
});

test('a truncated answer, of the API and of OSS', async () => {
  sandbox.faults.add({ request: /^GET \/version$/, effect: 'truncate' });
  await expect(get(owner, '/version')).rejects.toThrow();
  await ask(sandbox, (client) => client.put('ackone-join/long', Buffer.from('0123456789')));
  sandbox.faults.add({ request: /^GET \/ackone-sandbox\/ackone-join\/long$/, effect: 'truncate' });
  await expect(read(sandbox, 'ackone-sandbox/ackone-join/long')).rejects.toThrow();
  expect((await read(sandbox, 'ackone-sandbox/ackone-join/long')).text).toBe('0123456789');
});

test('a request that hangs gets nothing until its client goes', async () => {
  sandbox.faults.add({ request: /^GET \/ackone-sandbox\/hangs$/, effect: 'hang' });
  const asked = fetch(`${sandbox.known.endpoint}/ackone-sandbox/hangs`, { signal: AbortSignal.timeout(150) });
  await expect(asked).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('the record names who asked what and got which status, and holds no secret', async () => {
  sandbox.faults.seen.length = 0;
  await get(anonymous(owner), '/api/v1/nodes');
  await patch('4');
  await ask(sandbox, (client) => client.getBucketInfo('ackone-sandbox'));
  const { default: AliOss } = await import('ali-oss');
  const { ALIBABA_CLOUD_ACCESS_KEY_ID: accessKeyId, ALIBABA_CLOUD_ACCESS_KEY_SECRET: accessKeySecret } = sandbox.env;
  const client = new AliOss({
    ...{ accessKeyId, accessKeySecret, bucket: 'ackone-plain', region: 'cn-hangzhou' },
    ...{ endpoint: sandbox.known.endpoint, sldEnable: true, authorizationV4: true },
  } as import('ali-oss').Options);
  const url = await client.signatureUrlV4('GET', 60, undefined, 'a');
  await fetch(url);
  expect(sandbox.faults.seen.slice(0, 3)).toEqual([
    {
      server: 'containerd',
      method: 'GET',
      path: '/api/v1/nodes',
      contentType: undefined,
      user: 'system:anonymous',
      status: 403,
    },
    { server: 'containerd', method: 'PATCH', path, contentType: mergePatch, user: 'kubernetes-admin', status: 200 },
    {
      server: 'oss',
      method: 'GET',
      path: '/ackone-sandbox/?bucketInfo',
      contentType: undefined,
      user: accessKeyId,
      status: 200,
    },
  ]);
  const record = JSON.stringify(sandbox.faults.seen);
  expect(record).toContain('x-oss-expires=60');
  expect(record).not.toContain(new URL(url).searchParams.get('x-oss-signature'));
  expect(record).not.toContain(accessKeySecret);
});
