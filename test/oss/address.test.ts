import { describe, expect, it } from 'vitest';
import { checkBucketName, checkObjectKey, checkScriptUrl, objectUrl, region, target } from '../../src/oss/address.ts';
import { regionOfEndpoint } from '../../src/oss/regions.ts';
import { failureFrom } from './failures.ts';

describe('region', () => {
  it.each([
    ['oss-cn-hangzhou', 'cn-hangzhou'],
    ['cn-hangzhou', 'cn-hangzhou'],
    ['cn-hangzhou-internal', 'cn-hangzhou'],
    ['oss-cn-hangzhou-internal', 'cn-hangzhou'],
    [' CN-Hangzhou ', 'cn-hangzhou'],
    ['ap-southeast-1', 'ap-southeast-1'],
    ['cn-shanghai-finance-1', 'cn-shanghai-finance-1'],
    ['cn-north-2-gov-1', 'cn-north-2-gov-1'],
    ['oss-cn-hzjbp', 'cn-hangzhou-finance'],
    ['rg-china-mainland', 'rg-china-mainland'],
  ])('G7 %s is %s', (text, id) => expect(region(text)).toBe(id));

  it.each([
    ['hangzhou', 'Write it like cn-hangzhou.'],
    ['beijing', 'Write it like cn-beijing.'],
    ['oss-cn-beijing.aliyuncs.com', 'Write it like cn-beijing.'],
    ['https://b.oss-cn-beijing-internal.aliyuncs.com/key', 'Write it like cn-beijing.'],
    ['cn-hangzhou-i', 'Write it like cn-hangzhou.'],
    ['ap-southeast-1a', 'Write it like ap-southeast-1.'],
    ['accelerate', 'Write it like cn-hangzhou, as the console shows the region of the bucket.'],
    ['oss-accelerate', 'Write it like cn-hangzhou, as the console shows the region of the bucket.'],
    ['oss-accelerate.aliyuncs.com', 'Write it like cn-hangzhou, as the console shows the region of the bucket.'],
    ['singapore', 'Write it like cn-hangzhou, as the console shows the region of the bucket.'],
    ['', 'Write it like cn-hangzhou, as the console shows the region of the bucket.'],
    ['cn_hangzhou', 'Write it like cn-hangzhou, as the console shows the region of the bucket.'],
  ])('G7 %j is none, and the right spelling is named', async (text, next) => {
    const failure = await failureFrom(() => region(text));
    expect(failure.code).toBe('RegionInvalid');
    expect(failure.next).toEqual([next]);
  });

  it.each([
    ['oss-cn-beijing.aliyuncs.com', 'cn-beijing'],
    ['example.oss-cn-beijing-internal.aliyuncs.com', 'cn-beijing'],
    ['oss-cn-hzfinance-internal.aliyuncs.com', 'cn-hangzhou-finance'],
    ['oss-accelerate.aliyuncs.com', undefined],
    ['files.example.com', undefined],
  ])('the endpoint %s is in %s', (host, id) => expect(regionOfEndpoint(host)).toBe(id));
});

describe('bucket names', () => {
  it.each(['abc', 'a-1', 'x'.repeat(63)])('%s is one', (name) => expect(() => checkBucketName(name)).not.toThrow());
  it.each(['ab', 'x'.repeat(64), '-abc', 'abc-', 'Abc', 'a_b', 'a.b', 'a b', 'ä12', ''])('%j is none', async (name) => {
    expect((await failureFrom(() => checkBucketName(name))).code).toBe('BucketNameInvalid');
  });
});

describe('object keys', () => {
  it.each(['join.sh', 'ackone-join/my.cluster_1/join-0123456789ab.sh', 'a/~b', 'x'.repeat(1023)])('%s is one', (key) =>
    expect(() => checkObjectKey(key)).not.toThrow(),
  );
  it.each([
    ['', 'is empty'],
    ['/a', 'begins with a slash'],
    ['a/', 'ends with a slash'],
    ['a/../b', 'has a part that is empty, "." or ".."'],
    ['..', 'has a part that is empty, "." or ".."'],
    ['a/./b', 'has a part that is empty, "." or ".."'],
    ['a//b', 'has a part that is empty, "." or ".."'],
    ['a b', 'holds " ", which would need quoting in a URL'],
    ['a\nb', 'holds "\\n", which would need quoting in a URL'],
    ['a\u001b[31m', 'holds "\\u001b", which would need quoting in a URL'],
    ['a?b', 'holds "?", which would need quoting in a URL'],
    ['a#b', 'holds "#", which would need quoting in a URL'],
    ['a%2e', 'holds "%", which would need quoting in a URL'],
    ['a*', 'holds "*", which would need quoting in a URL'],
    ['a+b', 'holds "+", which would need quoting in a URL'],
    ["a'b", 'holds "\'", which would need quoting in a URL'],
    ['$(id)', 'holds "$", which would need quoting in a URL'],
    ['生产/join.sh', 'holds "生", which would need quoting in a URL'],
    ['😀.sh', 'holds "😀", which would need quoting in a URL'],
    ['x'.repeat(1024), 'is longer than 1023 characters'],
  ])('%j %s', async (key, what) => {
    const failure = await failureFrom(() => checkObjectKey(key));
    expect(failure.code).toBe('ObjectKeyInvalid');
    expect(failure.message.endsWith(what)).toBe(true);
  });
});

describe('targets', () => {
  const base = { bucket: 'example-bucket', region: 'cn-hangzhou', ossCname: false };

  it('G5 uploads to the public endpoint, and nodes read by the internal one', () => {
    const where = target(base);
    expect(where).toEqual({
      bucket: 'example-bucket',
      region: 'cn-hangzhou',
      endpoint: 'https://oss-cn-hangzhou.aliyuncs.com',
      nodeBaseUrl: 'https://example-bucket.oss-cn-hangzhou-internal.aliyuncs.com',
      addressing: 'virtual',
    });
    expect(objectUrl(where, 'ackone-join/c/join.sh')).toBe(
      'https://example-bucket.oss-cn-hangzhou-internal.aliyuncs.com/ackone-join/c/join.sh',
    );
  });

  it('G8 a domain of the user is where to upload and what nodes read', () => {
    const where = target({ ...base, ossEndpoint: 'https://files.example.com', ossCname: true });
    expect(where.endpoint).toBe('https://files.example.com');
    expect(where.nodeBaseUrl).toBe('https://files.example.com');
    expect(where.addressing).toBe('cname');
  });

  it.each([
    [
      'cn-hangzhou-finance',
      'https://oss-cn-hzfinance.aliyuncs.com',
      'https://example-bucket.oss-cn-hzfinance-internal.aliyuncs.com',
    ],
    [
      'cn-shanghai-finance-1',
      'https://oss-cn-shanghai-finance-1-pub.aliyuncs.com',
      'https://example-bucket.oss-cn-shanghai-finance-1-internal.aliyuncs.com',
    ],
    [
      'cn-north-2-gov-1',
      'https://oss-cn-north-2-gov-1.aliyuncs.com',
      'https://example-bucket.oss-cn-north-2-gov-1-internal.aliyuncs.com',
    ],
    [
      'ap-southeast-1',
      'https://oss-ap-southeast-1.aliyuncs.com',
      'https://example-bucket.oss-ap-southeast-1-internal.aliyuncs.com',
    ],
  ])('%s has endpoints of its own', (id, endpoint, nodeBaseUrl) => {
    expect(target({ ...base, region: id })).toMatchObject({ endpoint, nodeBaseUrl });
  });

  it.each([
    ['oss-cn-hangzhou-internal.aliyuncs.com', 'https://oss-cn-hangzhou-internal.aliyuncs.com', 'virtual'],
    ['https://oss-accelerate.aliyuncs.com/', 'https://oss-accelerate.aliyuncs.com', 'virtual'],
    ['https://example-bucket.oss-cn-hangzhou.aliyuncs.com', 'https://oss-cn-hangzhou.aliyuncs.com', 'virtual'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080', 'path'],
    ['http://[::1]:8080', 'http://[::1]:8080', 'path'],
    ['https://192.0.2.7', 'https://192.0.2.7', 'path'],
  ])('--oss-endpoint %s', (ossEndpoint, endpoint, addressing) => {
    expect(target({ ...base, ossEndpoint })).toMatchObject({ endpoint, addressing });
  });

  it.each([
    ['https://nodes.example.com/oss/', 'https://nodes.example.com/oss'],
    ['http://nodes.example.com', 'http://nodes.example.com'],
    ['nodes.example.com', 'https://nodes.example.com'],
    ['oss-cn-hangzhou.aliyuncs.com', 'https://example-bucket.oss-cn-hangzhou.aliyuncs.com'],
    [
      'http://example-bucket.oss-cn-hangzhou-internal.aliyuncs.com',
      'http://example-bucket.oss-cn-hangzhou-internal.aliyuncs.com',
    ],
    ['http://192.0.2.7:8080', 'http://192.0.2.7:8080/example-bucket'],
    ['http://192.0.2.7:8080/example-bucket', 'http://192.0.2.7:8080/example-bucket'],
  ])('--node-endpoint %s', (nodeEndpoint, nodeBaseUrl) => {
    expect(target({ ...base, nodeEndpoint }).nodeBaseUrl).toBe(nodeBaseUrl);
  });

  it('an address as endpoint is also what nodes read, with the bucket in the path', () => {
    expect(target({ ...base, ossEndpoint: 'http://127.0.0.1:8080' }).nodeBaseUrl).toBe(
      'http://127.0.0.1:8080/example-bucket',
    );
  });

  it.each([
    [
      { ossEndpoint: 'http://oss-cn-hangzhou.aliyuncs.com' },
      'AnswerInvalid',
      '--oss-endpoint must be https: the script holds a token',
    ],
    [
      { ossEndpoint: 'http://127.0.0.1.example.com' },
      'AnswerInvalid',
      '--oss-endpoint must be https: the script holds a token',
    ],
    [
      { ossEndpoint: 'ftp://x.example.com' },
      'AnswerInvalid',
      '--oss-endpoint must be a host, or an http or https URL of one, without user, password or query',
    ],
    [
      { ossEndpoint: 'https://u:hunter2@x.example.com' },
      'AnswerInvalid',
      '--oss-endpoint must be a host, or an http or https URL of one, without user, password or query',
    ],
    [
      { ossEndpoint: 'https://x.example.com?a=b' },
      'AnswerInvalid',
      '--oss-endpoint must be a host, or an http or https URL of one, without user, password or query',
    ],
    [
      { nodeEndpoint: 'https://x y' },
      'AnswerInvalid',
      '--node-endpoint must be a host, or an http or https URL of one, without user, password or query',
    ],
    [
      { ossEndpoint: 'https://x.example.com/path' },
      'AnswerInvalid',
      '--oss-endpoint must be a host without a path, such as https://oss-cn-hangzhou.aliyuncs.com',
    ],
    [
      { ossCname: true },
      'AnswersContradict',
      '--oss-cname says that --oss-endpoint is a domain of yours, and none is given',
    ],
    [
      { ossCname: true, ossEndpoint: 'https://192.0.2.7' },
      'AnswersContradict',
      '--oss-cname needs a domain, and --oss-endpoint is the address 192.0.2.7',
    ],
    [
      { ossEndpoint: 'oss-cn-beijing.aliyuncs.com' },
      'AnswersContradict',
      "--oss-endpoint oss-cn-beijing.aliyuncs.com is in cn-beijing, and the bucket's region is cn-hangzhou",
    ],
    [{ bucket: 'No' }, 'BucketNameInvalid', '"No" is no bucket name'],
  ])('%j is refused with %s', async (options, code, message) => {
    const failure = await failureFrom(() => target({ ...base, ...options }));
    expect(failure.code).toBe(code);
    expect(failure.message).toBe(message);
  });
});

describe('script URLs', () => {
  const ofBytes = (bytes: number) => `https://example.com/${'x'.repeat(bytes - 'https://example.com/'.length)}`;

  it.each([
    ['https://example.com/join.sh\n', 'https://example.com/join.sh'],
    ['  http://example.com/join.sh?a=b  ', 'http://example.com/join.sh?a=b'],
    [ofBytes(1024), ofBytes(1024)],
  ])('G6 the agent takes %j', (text, url) => expect(checkScriptUrl(text)).toBe(url));

  it.each([
    ['oss://bucket/key', 'the URL of the script must begin with http:// or https:// and be one word'],
    ['file:///etc/passwd', 'the URL of the script must begin with http:// or https:// and be one word'],
    ['HTTPS://example.com/', 'the URL of the script must begin with http:// or https:// and be one word'],
    ['https://example.com/a b', 'the URL of the script must begin with http:// or https:// and be one word'],
    ['https://example.com/a\nb', 'the URL of the script must begin with http:// or https:// and be one word'],
    ['https://', 'the URL of the script must begin with http:// or https:// and be one word'],
    ['', 'the URL of the script must begin with http:// or https:// and be one word'],
    [ofBytes(1025), 'the URL of the script at example.com has 1025 bytes, and 1024 is the most'],
    [
      `https://example.com/${'ä'.repeat(510)}`,
      'the URL of the script at example.com has 1040 bytes, and 1024 is the most',
    ],
    [
      'https://user:hunter2@example.com/a',
      'the URL of the script at example.com holds a user name or a password, which every node would see',
    ],
  ])('G6 the agent does not take %j', async (text, message) => {
    const failure = await failureFrom(() => checkScriptUrl(text));
    expect(failure.code).toBe('ScriptUrlInvalid');
    expect(failure.message).toBe(message);
  });
});
