import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Failure } from '../../src/errors.ts';
import { failureOf, skewText } from '../../src/oss/errors.ts';
import { openStore } from '../../src/oss/store.ts';
import { putObject } from '../../src/oss/write/object.ts';
import { everythingShown, failureFrom } from './failures.ts';
import { credentials, type FakeOss, ossError, type Reply, reset, silence, startFakeOss } from './fake-oss.ts';

let oss: FakeOss;
beforeAll(async () => {
  oss = await startFakeOss();
});
afterAll(() => oss.close());

const key = 'p/join.sh';
const put = () => putObject(oss.store({ timeoutMs: 300 }), key, Buffer.from('x'), { metadata: {}, overwrite: true });
const request = 'request 5C3D9175B6FC201293AD0001';

const rows: readonly (readonly [
  title: string,
  reply: Reply,
  code: string,
  what: string,
  next: readonly string[] | undefined,
])[] = [
  [
    'G2 a bucket elsewhere: the endpoint of the answer is quoted, and it is no matter of rights',
    ossError(
      403,
      'AccessDenied',
      'The bucket you are attempting to access must be addressed using the specified endpoint.',
      {
        Endpoint: 'oss-cn-beijing.aliyuncs.com',
      },
    ),
    'WrongEndpoint',
    'bucket example-bucket is not in cn-hangzhou: OSS says that it is to be addressed by oss-cn-beijing.aliyuncs.com',
    ['Give --region cn-beijing.'],
  ],
  [
    'G2 an Endpoint that is no host is not repeated',
    ossError(403, 'AccessDenied', 'must be addressed using the specified endpoint', {
      Endpoint: 'evil\u001b[31m $(id)',
    }),
    'WrongEndpoint',
    'bucket example-bucket is not in cn-hangzhou: OSS says that it is to be addressed by another endpoint',
    undefined,
  ],
  [
    'G3 Block Public Access',
    ossError(403, 'AccessDenied', 'Put public object acl is not allowed'),
    'PublicAccessBlocked',
    'OSS refuses to make anything in bucket example-bucket public',
    undefined,
  ],
  [
    'G3 Block Public Access, of a policy',
    ossError(403, 'AccessDenied', 'Put public bucket policy is not allowed'),
    'PublicAccessBlocked',
    'OSS refuses to make anything in bucket example-bucket public',
    undefined,
  ],
  [
    'G7 a region that OSS does not take in a signature',
    ossError(400, 'InvalidArgument', 'Invalid signing region in Authorization header.', { EC: '0002-00000228' }),
    'RegionInvalid',
    'OSS does not accept a signature for region cn-hangzhou on bucket example-bucket',
    ['Give --region with the region of the bucket, written like cn-hangzhou.'],
  ],
  [
    'G8 the default public domain, as documented',
    ossError(400, 'PublicEndpointForbidden', 'Public endpoint is forbidden.', { EC: '0048-00000401' }),
    'CustomDomainRequired',
    'this account may not reach bucket example-bucket by the default public domain 127.0.0.1:PORT',
    undefined,
  ],
  [
    'G8 the default public domain, as AccessDenied',
    ossError(403, 'AccessDenied', 'Please use a custom domain name to access the bucket.'),
    'CustomDomainRequired',
    'this account may not reach bucket example-bucket by the default public domain 127.0.0.1:PORT',
    undefined,
  ],
  ['no such bucket', ossError(404, 'NoSuchBucket'), 'BucketMissing', 'there is no bucket example-bucket', undefined],
  [
    'a right that is missing: action and resource are named',
    ossError(403, 'AccessDenied', 'You have no right to access this object because of bucket acl.'),
    'OssForbidden',
    'the credentials may not do PutObject on example-bucket/p/join.sh',
    [
      "Allow oss:PutObject on acs:oss:*:*:example-bucket/p/join.sh (docs/permissions.md), and look for a Deny in the bucket's policy.",
    ],
  ],
  [
    'an unknown key',
    ossError(403, 'InvalidAccessKeyId'),
    'CredentialsInvalid',
    'OSS does not know the access key id, or it is disabled',
    undefined,
  ],
  [
    'a wrong secret',
    ossError(403, 'SignatureDoesNotMatch'),
    'CredentialsInvalid',
    'OSS computes another signature: the access key secret does not belong to the access key id',
    undefined,
  ],
  [
    'an expired token',
    ossError(403, 'SecurityTokenExpired'),
    'CredentialsInvalid',
    'the security token of the credentials has expired',
    ['Get new temporary credentials, then run the same command again.'],
  ],
  [
    'a wrong token',
    ossError(403, 'InvalidSecurityToken'),
    'CredentialsInvalid',
    'OSS does not accept the security token of the credentials',
    ['Check that ALIBABA_CLOUD_SECURITY_TOKEN belongs to the access key, or unset it.'],
  ],
  [
    'an account in arrears',
    ossError(403, 'UserDisable'),
    'OssForbidden',
    'the account that owns the bucket is disabled in OSS',
    ['Look whether the account is in arrears.'],
  ],
  [
    'an archived object',
    ossError(403, 'InvalidObjectState'),
    'ObjectUnreadable',
    'example-bucket/p/join.sh is archived and cannot be read before it is restored',
    ['Use a bucket with storage class Standard.'],
  ],
  [
    'a KMS key',
    ossError(403, 'AccessDenied', 'This request is forbidden by kms.'),
    'ObjectUnreadable',
    'example-bucket/p/join.sh is encrypted with a KMS key that this request may not use',
    undefined,
  ],
  [
    'a retention policy',
    ossError(409, 'FileImmutable'),
    'OssForbidden',
    'a retention policy protects example-bucket/p/join.sh',
    ['Give --object-prefix with a prefix that no retention policy covers.'],
  ],
  [
    'a refusal that is not known here',
    ossError(400, 'InvalidDigest'),
    'OssRefused',
    'OSS refuses PutObject on example-bucket/p/join.sh',
    undefined,
  ],
  [
    'a code that is a word of JavaScript',
    ossError(400, 'constructor'),
    'OssRefused',
    'OSS refuses PutObject on example-bucket/p/join.sh',
    undefined,
  ],
];

describe('answers of OSS', () => {
  it.each(rows)('%s', async (_title, reply, code, what, next) => {
    oss.answer(reply);
    const failure = await failureFrom(put);
    expect(failure.code).toBe(code);
    expect(failure.message.replace(String(oss.port), 'PORT')).toBe(what);
    if (next) expect(failure.next).toEqual(next);
    expect(failure.next.length).toBeGreaterThan(0);
    expect(failure.causes.join()).toContain(request);
  });

  it('cites status, code, number and request, and none of the text', async () => {
    oss.answer(ossError(403, 'AccessDenied', 'secret words', { EC: '0003-00000001' }));
    expect((await failureFrom(put)).causes).toEqual([`OSS answered 403 AccessDenied (EC 0003-00000001, ${request})`]);
  });
});

describe('no answer of OSS', () => {
  it.each<readonly [string, Reply, string, string]>([
    [
      'HTML of a proxy',
      { status: 502, body: '<html>SECRET', headers: { 'content-type': 'text/html; charset=utf-8' } },
      'OssAnswerInvalid',
      '502 with text/html content',
    ],
    [
      'HTML with status 403',
      { status: 403, body: '<html><p>SECRET', headers: { 'content-type': 'text/html' } },
      'OssAnswerInvalid',
      '403 with text/html content',
    ],
    [
      'JSON',
      { status: 400, body: '{"error":"SECRET"}', headers: { 'content-type': 'application/json' } },
      'OssAnswerInvalid',
      '400 with application/json content',
    ],
    [
      'XML of another service',
      { status: 400, body: '<Other><Code><b/></Code>SECRET</Other>' },
      'OssAnswerInvalid',
      '400 with application/xml content',
    ],
    ['nothing at all', { status: 418, headers: { 'content-type': '' } }, 'OssAnswerInvalid', '418 with no content'],
    [
      'a redirect to another host',
      { status: 302, headers: { location: 'https://login.example.com/?token=SECRET' } },
      'OssAnswerInvalid',
      'a redirect to login.example.com',
    ],
  ])('%s', async (_title, reply, code, cause) => {
    oss.answer(reply);
    const failure = await failureFrom(put);
    expect(failure.code).toBe(code);
    expect(failure.causes).toEqual([cause]);
    expect(everythingShown(failure)).not.toContain('SECRET');
  });

  it('a redirect is not followed', async () => {
    oss.answer({ status: 307, headers: { location: `${oss.url}/elsewhere` } });
    await failureFrom(put);
    expect(oss.asked.map(({ url }) => url)).toEqual(['/example-bucket/p/join.sh']);
  });

  it.each<readonly [string, Reply, string]>([
    ['silence', silence, 'no answer within 1s'],
    ['a reset', reset, 'ECONNRESET'],
  ])('%s', async (_title, reply, cause) => {
    oss.answer(reply);
    const failure = await failureFrom(put);
    expect(failure.code).toBe('OssUnreachable');
    expect(failure.message).toBe(`PutObject on example-bucket/p/join.sh got no answer from 127.0.0.1:${oss.port}`);
    expect(failure.causes).toEqual([cause]);
  });

  it('a body that is cut off is no object', async () => {
    oss.answer((response, socket) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('half', () => socket.destroy());
    });
    expect((await failureFrom(oss.store().get(key))).code).toBe('OssUnreachable');
  });

  it('a port where nobody listens', async () => {
    const closed = await startFakeOss();
    await closed.close();
    const failure = await failureFrom(closed.store().get(key));
    expect(failure.code).toBe('OssUnreachable');
    expect(failure.causes).toEqual(['ECONNREFUSED']);
  });

  it('G5 a time-out of an internal endpoint hints at the VPC', () => {
    const target = {
      ...oss.target(),
      endpoint: 'https://oss-cn-hangzhou-internal.aliyuncs.com',
      addressing: 'virtual',
    } as const;
    const failure = failureOf(
      { kind: 'none', reason: 'timeout', what: 'no answer within 10s' },
      { action: 'PutObject', target, key },
    );
    expect(failure.code).toBe('OssUnreachable');
    expect(failure.causes).toEqual([
      'no answer within 10s',
      'oss-cn-hangzhou-internal.aliyuncs.com answers only inside a VPC of its region',
    ]);
    expect(failure.next[0]).toContain('not in the VPC');
  });

  it('a certificate of a proxy', () => {
    const failure = failureOf(
      { kind: 'none', reason: 'tls', what: 'SELF_SIGNED_CERT_IN_CHAIN' },
      { action: 'PutObject', target: { ...oss.target(), endpoint: 'https://oss-cn-hangzhou.aliyuncs.com' } },
    );
    expect(failure.next).toEqual([
      'If a proxy of yours signs anew what it forwards, name its CA in NODE_EXTRA_CA_CERTS.',
    ]);
  });
});

it.each([
  [8 * 3600_000, '8 h behind'],
  [-20 * 60_000, '20 min ahead'],
  [90 * 60_000, '1 h 30 min behind'],
  [-1_000, 'less than a minute ahead'],
])('a skew of %d ms is %s', (skew, text) => expect(skewText(skew)).toBe(text));

describe('secrets', () => {
  const marked = {
    ...credentials,
    accessKeyId: 'MARKEDID',
    accessKeySecret: 'MARKEDSECRET',
    securityToken: 'MARKEDTOKEN',
  };
  const echo = {
    OSSAccessKeyId: 'MARKEDID',
    SignatureProvided: 'MARKEDSIGNATURE',
    StringToSign: 'PUT MARKEDSECRET MARKEDTOKEN',
    ArgumentValue: 'MARKEDID/20260101/cn-hangzhou/oss/aliyun_v4_request',
    EC: 'MARKED EC',
    RequestTime: 'MARKED',
    ServerTime: 'MARKED',
    Endpoint: 'MARKED/endpoint',
  };
  const codes = [
    'AccessDenied',
    'InvalidAccessKeyId',
    'SignatureDoesNotMatch',
    'SecurityTokenExpired',
    'InvalidSecurityToken',
    'RequestTimeTooSkewed',
    'InvalidArgument',
    'InvalidObjectState',
    'FileAlreadyExists',
    'NoSuchBucket',
    'PublicEndpointForbidden',
    'UserDisable',
    'Unheard',
  ];
  const replies: readonly (readonly [string, Reply])[] = [
    ...codes.map((code) => [code, ossError(403, code, 'MARKED message of MARKEDSECRET', echo)] as const),
    ['signing region', ossError(400, 'InvalidArgument', 'Invalid signing region MARKED', echo)],
    ['500', ossError(500, 'InternalError', 'MARKED', echo)],
    ['a code that is none', ossError(403, 'MARKED code', 'MARKED')],
    ['HTML', { status: 502, body: '<html>MARKEDSECRET', headers: { 'content-type': 'text/html;MARKED' } }],
    ['an odd type', { status: 400, body: 'MARKED', headers: { 'content-type': 'MARKED' } }],
    ['XML that breaks off', { status: 400, body: '<Error><Code>MARKED' }],
    ['a redirect', { status: 301, headers: { location: 'https://MARKED:MARKED@example.com/MARKED' } }],
    ['a good status with a broken policy', { status: 200, body: '{"MARKED' }],
    ['a reset', reset],
    ['silence', silence],
  ];

  it.each(replies)('are in no message, cause or next step: %s', async (_title, reply) => {
    oss.answer(reply);
    const store = openStore(oss.target(), marked, { timeoutMs: 300, mayWrite: true });
    const runs = [
      () => putObject(store, key, Buffer.from('MARKED token'), { metadata: {}, overwrite: true }),
      () => store.call('GetBucketPolicy', (client) => client.getBucketPolicy('example-bucket')),
    ];
    for (const run of runs) {
      const failure: unknown = await run().catch((error: unknown) => error);
      if (failure === undefined) continue;
      expect(failure).toBeInstanceOf(Failure);
      const shown = everythingShown(failure as Failure);
      expect(shown).not.toContain('MARKED');
    }
    expect(JSON.stringify(store)).not.toContain('MARKED');
  });
});
