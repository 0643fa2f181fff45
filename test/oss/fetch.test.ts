import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { fetchUrl } from '../../src/oss/fetch.ts';
import { exchange } from '../../src/oss/http.ts';
import { openStore } from '../../src/oss/store.ts';
import { type ConnectProxy, startConnectProxy } from '../support/connect-proxy.ts';
import { everythingShown, failureFrom } from './failures.ts';
import { credentials, type FakeOss, type Reply, reset, silence, startFakeOss } from './fake-oss.ts';

let oss: FakeOss;
beforeAll(async () => {
  oss = await startFakeOss();
});
afterAll(() => oss.close());
afterEach(() => vi.unstubAllEnvs());

const options = { timeoutMs: 2_000, maxBytes: 1000 };
const read = (path = '/join.sh', more = {}) => fetchUrl(`${oss.url}${path}`, { ...options, ...more });

describe('--script-url', () => {
  it('is read without credentials, to the byte', async () => {
    const bytes = Buffer.from([35, 33, 0, 255]);
    oss.answer({ status: 200, body: bytes });
    expect(await read('/join.sh?a=b')).toEqual(bytes);
    expect(oss.asked[0]).toMatchObject({ method: 'GET', url: '/join.sh?a=b' });
    expect(oss.asked[0]!.headers.authorization).toBeUndefined();
  });

  it.each<readonly [string, Reply, RegExp]>([
    ['not there', { status: 404, body: 'SECRET' }, /^127\.0\.0\.1:\d+ answers with status 404$/],
    [
      'a redirect',
      { status: 302, headers: { location: 'https://x/SECRET' } },
      /^127\.0\.0\.1:\d+ answers with a redirect \(302\), which a node does not follow$/,
    ],
    ['too large', { status: 200, body: 'x'.repeat(1001) }, /^the answer is larger than 1000 bytes$/],
    ['a reset', reset, /^ECONNRESET$/],
    ['silence', silence, /^no answer within 1s$/],
    ['a body without end', (response) => void response.writeHead(200).write('x'), /^no answer within 1s$/],
  ])('%s is a failure that does not show the query', async (_title, reply, cause) => {
    oss.answer(reply);
    const failure = await failureFrom(read('/join.sh?x-oss-signature=SECRET', { timeoutMs: 500 }));
    expect(failure.code).toBe('ScriptUrlUnreadable');
    expect(failure.message).toBe(`${oss.url}/join.sh could not be read`);
    expect(failure.causes).toEqual([expect.stringMatching(cause)]);
    expect(everythingShown(failure)).not.toContain('SECRET');
  });

  it('exactly as large as allowed is whole', async () => {
    oss.answer({ status: 200, body: 'x'.repeat(1000) });
    expect(await read()).toHaveLength(1000);
  });

  it('ends with the run', async () => {
    oss.answer(silence);
    const interrupt = new AbortController();
    const reading = read('/', { signal: interrupt.signal });
    interrupt.abort(new Error('interrupted'));
    await expect(reading).rejects.toThrow('interrupted');
  });
});

describe('H4 proxies', () => {
  let proxy: ConnectProxy;
  beforeAll(async () => {
    proxy = await startConnectProxy({ 'files.example.com:80': oss.port });
  });
  afterAll(() => proxy.close());
  const get = (url: string) => exchange({ url, method: 'GET', ...options });

  it('the one that the environment names is used', async () => {
    vi.stubEnv('HTTP_PROXY', proxy.url);
    vi.stubEnv('NO_PROXY', '');
    oss.answer({ status: 200, body: 'through' });
    expect((await get('http://files.example.com/a')).body.toString()).toBe('through');
    expect(oss.asked[0]!.headers.host).toBe('files.example.com');
  });

  it('NO_PROXY is honoured', async () => {
    vi.stubEnv('HTTP_PROXY', proxy.url);
    vi.stubEnv('NO_PROXY', 'files.invalid');
    await expect(get('http://files.invalid/a')).rejects.toMatchObject({ reason: 'network' });
  });

  it('the loopback is never proxied', async () => {
    vi.stubEnv('HTTP_PROXY', 'http://192.0.2.1:3128');
    vi.stubEnv('NO_PROXY', '');
    oss.answer({ status: 200, body: 'direct' });
    expect((await get(`${oss.url}/a`)).body.toString()).toBe('direct');
  });

  it('a refusal of the proxy is told as one, for OSS too', async () => {
    vi.stubEnv('HTTPS_PROXY', proxy.url);
    vi.stubEnv('NO_PROXY', '');
    const target = {
      ...oss.target(),
      endpoint: 'https://oss-cn-hangzhou.aliyuncs.com',
      addressing: 'virtual',
    } as const;
    const failure = await failureFrom(openStore(target, credentials, { timeoutMs: 2_000, mayWrite: false }).get('a'));
    expect(failure.code).toBe('OssUnreachable');
    expect(failure.causes).toEqual(['the proxy refused the connection with 502']);
    expect(failure.next).toEqual(['Check HTTPS_PROXY, and name hosts that need no proxy in NO_PROXY.']);
  });

  it('one that never answers is a time-out, and it was asked for the host with the bucket', async () => {
    const wanted: string[] = [];
    const silent = createServer().on('connect', (asked: IncomingMessage) => wanted.push(asked.url ?? ''));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    vi.stubEnv('HTTPS_PROXY', `http://127.0.0.1:${(silent.address() as AddressInfo).port}`);
    vi.stubEnv('NO_PROXY', '');
    const target = {
      ...oss.target(),
      endpoint: 'https://oss-cn-hangzhou.aliyuncs.com',
      addressing: 'virtual',
    } as const;
    const failure = await failureFrom(openStore(target, credentials, { timeoutMs: 200, mayWrite: false }).get('a'));
    silent.closeAllConnections();
    silent.close();
    expect(failure.code).toBe('OssUnreachable');
    expect(new Set(wanted)).toEqual(new Set(['example-bucket.oss-cn-hangzhou.aliyuncs.com:443']));
  });

  it.each([
    ['socks5://user:SECRET@192.0.2.1:1080', 'ScriptUrlUnreadable'],
    ['http://user:SECRET@:99999', 'AnswerInvalid'],
  ])('%s is none that can be used', async (url, code) => {
    vi.stubEnv('HTTP_PROXY', url);
    vi.stubEnv('NO_PROXY', '');
    const failure = await failureFrom(fetchUrl('http://files.example.com/a', options));
    expect(failure.code).toBe(code);
    expect(everythingShown(failure)).not.toContain('SECRET');
  });
});
