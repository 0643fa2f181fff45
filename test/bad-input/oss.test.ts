/** Bad input: the bucket, its region, the credentials, and what OSS answers (cases G1 G2 G5 G6 G7 G8). */
import { table } from './table.ts';

const init = (...words: string[]) => ({ words: ['init', '--yes', ...words] });

table('the target', [
  {
    title: 'a bucket name with capitals',
    given: () => init('--bucket', 'My_Bucket'),
    exit: 3,
    code: 'BucketNameInvalid',
    says: /^"My_Bucket" is no bucket name$/,
    next: /3 to 63 of a-z, 0-9 and -/,
  },
  {
    title: 'a bucket name that would lead to another host',
    given: () => init('--bucket', 'evil.example.com/x'),
    exit: 3,
    code: 'BucketNameInvalid',
    says: /^"evil\.example\.com\/x" is no bucket name$/,
  },
  {
    title: 'no bucket at all',
    given: () => ({ env: { ACKONE_JOIN_BUCKET: '' } }),
    exit: 2,
    code: 'AnswerMissing',
    says: /^no bucket is given to upload the script to$/,
    next: /--bucket, or --script-url/,
  },
  {
    title: 'a key with ..',
    given: () => init('--object-key', 'ackone-join/../secret.sh'),
    exit: 3,
    code: 'ObjectKeyInvalid',
    says: /^the object key "ackone-join\/\.\.\/secret\.sh" has a part that is empty, "\." or "\.\."$/,
    next: /--object-key or --object-prefix with letters, digits/,
  },
  {
    title: 'a key that begins with a slash',
    given: () => init('--object-key', '/join.sh'),
    exit: 3,
    code: 'ObjectKeyInvalid',
    says: /^the object key "\/join\.sh" begins with a slash$/,
  },
  {
    title: 'a prefix with a blank and a quote',
    given: () => init('--object-prefix', "my scripts/'x"),
    exit: 3,
    code: 'ObjectKeyInvalid',
    says: /^the object key "my scripts\/'x\/join-[0-9a-f]{12}\.sh" holds " ", which would need quoting in a URL$/,
  },
  {
    title: 'G7 --region hangzhou',
    given: () => init('--region', 'hangzhou'),
    exit: 3,
    code: 'RegionInvalid',
    says: /^"hangzhou" is no region of OSS$/,
    next: /like cn-hangzhou/,
  },
  {
    title: 'G2 a region that is not the one of the bucket',
    given: () => init('--bucket', 'ackone-beijing'),
    exit: 5,
    code: 'WrongEndpoint',
    says: /^bucket ackone-beijing is (in cn-beijing, not in cn-hangzhou|not in cn-hangzhou: .*oss-cn-beijing\.aliyuncs\.com)$/,
    next: /--region cn-beijing/,
  },
  {
    title: 'G5 nodes in another region than the bucket',
    given: (world) => {
      world.node('cn-hangzhou.192.168.20.21', { providerId: 'cn-shanghai.i-uf6example000000001' });
      return init('--node-endpoint', 'https://oss-cn-hangzhou-internal.aliyuncs.com');
    },
    exit: 3,
    code: 'RegionMismatch',
    says: /^bucket ackone-sandbox is in cn-hangzhou, but nodes are in cn-shanghai and would read it by https:\/\/ackone-sandbox\.oss-cn-hangzhou-internal\.aliyuncs\.com$/,
    next: /--node-region/,
  },
  {
    title: 'an endpoint of another region than the bucket',
    given: () => init('--oss-endpoint', 'https://oss-cn-beijing.aliyuncs.com'),
    exit: 2,
    code: 'AnswersContradict',
    says: /^--oss-endpoint oss-cn-beijing\.aliyuncs\.com is in cn-beijing, and the bucket's region is cn-hangzhou$/,
    next: /--region cn-beijing/,
  },
  {
    title: 'an endpoint by which the token would go in the clear',
    given: () => init('--oss-endpoint', 'http://files.example.com'),
    exit: 2,
    code: 'AnswerInvalid',
    says: /^--oss-endpoint must be https: the script holds a token$/,
    next: /https:\/\/files\.example\.com/,
  },
  {
    title: 'an object that nodes could not read',
    given: () => init('--bucket', 'ackone-plain'),
    exit: 3,
    code: 'NodesCannotRead',
    says: /^nodes could not read http:\/\/127\.0\.0\.1:\d+\/ackone-plain\/.*: the bucket ACL is private, and the bucket has no policy$/,
    next: /--access vpc/,
  },
  {
    title: 'public-read without the name of the bucket',
    given: () => init('--access', 'public-read'),
    exit: 3,
    code: 'ConfirmationMissing',
    says: /^--access public-read lets everybody on the internet read the token in the script$/,
    next: /--confirm ackone-sandbox/,
  },
]);

const get = /^GET \/ackone-sandbox/;

table('answers of OSS', [
  {
    title: 'no credentials anywhere',
    given: () => ({ env: { ALIBABA_CLOUD_ACCESS_KEY_ID: '', ALIBABA_CLOUD_ACCESS_KEY_SECRET: '' } }),
    exit: 5,
    code: 'CredentialsMissing',
    says: /^there are no Alibaba Cloud credentials in any of the places where they are looked for$/,
    cause: /^environment variables: not set$/m,
    next: /ALIBABA_CLOUD_ACCESS_KEY_ID and ALIBABA_CLOUD_ACCESS_KEY_SECRET/,
  },
  {
    title: 'half of the credentials',
    given: () => ({ env: { ALIBABA_CLOUD_ACCESS_KEY_SECRET: '' } }),
    exit: 5,
    code: 'CredentialsMissing',
    says: /^there are no Alibaba Cloud credentials/,
    cause: /^environment variables: ALIBABA_CLOUD_ACCESS_KEY_SECRET is not set$/m,
  },
  {
    title: 'a wrong secret',
    given: () => ({ env: { ALIBABA_CLOUD_ACCESS_KEY_SECRET: 'thisIsNotTheSecret000000000000' } }),
    exit: 5,
    code: 'CredentialsInvalid',
    says: /^OSS computes another signature: the access key secret does not belong to the access key id$/,
    cause: /^OSS answered 403 SignatureDoesNotMatch/,
    next: /access key/,
    secret: 'thisIsNotTheSecret',
  },
  {
    title: 'an access key id that nobody knows',
    given: () => ({ env: { ALIBABA_CLOUD_ACCESS_KEY_ID: 'LTAI5tNobodyKnowsThisOne' } }),
    exit: 5,
    code: 'CredentialsInvalid',
    says: /^OSS does not know the access key id, or it is disabled$/,
  },
  {
    title: 'G1 a clock that is 8 h behind, and stays so',
    given: (world) => {
      const now = Date.now();
      const time = (of: number) => new Date(of).toISOString().replace(/\.\d+/, '');
      const times = `<RequestTime>${time(now)}</RequestTime><ServerTime>${time(now + 8 * 3_600_000)}</ServerTime>`;
      world.ossRefuses(get, 403, 'RequestTimeTooSkewed', 'The difference is too large.', times);
      return undefined;
    },
    exit: 5,
    code: 'ClockSkew',
    says: /^the clock of this machine is 8 h behind$/,
    next: /Set the clock/,
  },
  {
    title: 'a bucket that does not exist',
    given: () => init('--bucket', 'ackone-nowhere'),
    exit: 5,
    code: 'BucketMissing',
    says: /^there is no bucket ackone-nowhere$/,
    next: /Check --bucket/,
  },
  {
    title: 'a bucket of somebody else',
    given: () => init('--bucket', 'ackone-foreign'),
    exit: 3,
    code: 'ReadabilityUnknown',
    says: /^it is not known whether nodes can read .*: the credentials lack the right oss:GetBucketPolicy$/,
    next: /allow it \(docs\/permissions\.md\)/,
  },
  {
    title: 'G8 an account that needs a domain of its own',
    given: (world) => {
      const why = 'The default public endpoint is forbidden.';
      world.ossRefuses(get, 400, 'PublicEndpointForbidden', why, '<EC>0048-00000401</EC>');
      return undefined;
    },
    exit: 5,
    code: 'CustomDomainRequired',
    says: /^this account may not reach bucket ackone-sandbox by the default public domain 127\.0\.0\.1:\d+$/,
    next: /--oss-cname/,
  },
  {
    title: 'a page of a proxy in place of OSS',
    given: (world) => {
      world.answers(get, { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Sign in</html>' });
      return undefined;
    },
    exit: 5,
    code: 'OssAnswerInvalid',
    says: /^127\.0\.0\.1:\d+ answered GetBucketPolicy on bucket ackone-sandbox with something that is not from OSS$/,
    cause: /200 with text\/html content/,
  },
  {
    title: 'a page of a proxy that refuses',
    given: (world) => {
      world.answers(get, { status: 403, headers: { 'content-type': 'text/html' }, body: '<html>Blocked</html>' });
      return undefined;
    },
    exit: 5,
    code: 'OssAnswerInvalid',
    says: /^127\.0\.0\.1:\d+ answered GetBucketInfo on bucket ackone-sandbox with something that is not from OSS$/,
    cause: /403 with text\/html content/,
    next: /proxy answers instead/,
  },
  {
    title: '500 again and again',
    given: (world) => {
      world.ossRefuses(get, 500, 'InternalError', 'We encountered an internal error.');
      return undefined;
    },
    exit: 5,
    code: 'OssServerError',
    says: /^OSS failed at GetBucketInfo on bucket ackone-sandbox$/,
    next: /in a minute/,
  },
  {
    title: 'no answer within --timeout',
    given: (world) => {
      world.answers(get, 'hang');
      return init('--timeout', '1s');
    },
    exit: 5,
    code: 'OssUnreachable',
    says: /^GetBucketInfo on bucket ackone-sandbox got no answer from 127\.0\.0\.1:\d+$/,
    cause: /^no answer within 1s$/,
    next: /network and proxy/,
  },
]);

const served = (url: string, env: NodeJS.ProcessEnv = {}) => ({
  ...init('--script-url', url),
  env: { ACKONE_JOIN_BUCKET: '', ACKONE_JOIN_OSS_ENDPOINT: '', ...env },
});

table('a URL of the user', [
  {
    title: 'G6 ftp://',
    given: () => served('ftp://files.example.com/join.sh'),
    exit: 3,
    code: 'ScriptUrlInvalid',
    says: /^the URL of the script must begin with http:\/\/ or https:\/\/ and be one word$/,
  },
  {
    title: 'G6 1025 characters',
    given: () => served(`https://files.example.com/${'x'.repeat(1025 - 26)}`),
    exit: 3,
    code: 'ScriptUrlInvalid',
    says: /^the URL of the script at files\.example\.com has 1025 bytes, and 1024 is the most$/,
    next: /shorter URL/,
  },
  {
    title: 'a password in it',
    given: () => served('https://admin:hunter2hunter2@files.example.com/join.sh'),
    exit: 3,
    code: 'ScriptUrlInvalid',
    says: /^the URL of the script at files\.example\.com holds a user name or a password, which every node would see$/,
    secret: 'hunter2hunter2',
  },
  {
    title: 'it gives something else, and there is no --output-file',
    given: (world) => {
      world.sandbox.oss.buckets[0]!.policy = undefined;
      return served(`${world.sandbox.known.nodeEndpoint}/ackone-sandbox/join.sh`, { ACKONE_JOIN_OUTPUT_FILE: '' });
    },
    exit: 3,
    code: 'ScriptUrlDiffers',
    says: /^http:\/\/127\.0\.0\.1:\d+\/ackone-sandbox\/join\.sh does not give the script that was composed$/,
    next: /--output-file/,
  },
]);
