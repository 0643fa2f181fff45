/** Bad input: registries and mirrors of closed networks. */
import { generateKeyPairSync } from 'node:crypto';
import { createAuthority } from '../cluster-unit/certificates.ts';
import { type Row, table } from './table.ts';
import type { World } from './the-world.ts';

const mirror = ['--registry-mirror', 'https://mirror.example.com'];

const typed = (
  title: string,
  words: readonly string[] | ((world: World) => readonly string[] | Promise<readonly string[]>),
  rest: Omit<Row, 'title' | 'given' | 'exit'>,
): Row => ({
  title,
  given: async (world) => ({
    words: ['init', '--yes', ...(typeof words === 'function' ? await words(world) : words)],
  }),
  exit: 2,
  ...rest,
});

/** With a mirror that the CA could be for. */
const ca = (title: string, text: () => string | Promise<string>, says: RegExp, secret?: string) =>
  typed(`--registry-ca: ${title}`, async (world) => [...mirror, '--registry-ca', world.file('ca.pem', await text())], {
    code: 'AnswerInvalid',
    says,
    ...(secret !== undefined && { secret }),
  });

const certificate = async (hours?: number) => {
  const authority = await createAuthority('ca');
  return hours === undefined ? authority.cert : (await authority.issue(['old'], hours)).cert;
};
const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' });
const middleOfKey = String(key).split('\n')[1]!;

table('registries', [
  ...[
    'mirror.example.com',
    'ftp://mirror.example.com',
    'https://u:p@mirror.example.com',
    'https://m/"x',
    'https://m/?a',
  ].map(
    (text): Row =>
      typed(`--registry-mirror ${text}`, ['--registry-mirror', text], {
        code: 'AnswerInvalid',
        says: /^--registry-mirror must be a URL, or REGISTRY=URL$/,
        secret: 'u:p@',
      }),
  ),
  typed('a registry that is no host', ['--registry-mirror', 'google=https://mirror.example.com'], {
    code: 'AnswerInvalid',
    says: /^--registry-mirror google=https:\/\/mirror\.example\.com names the registry google, which is no host name$/,
  }),
  typed('a port that is none', ['--registry-mirror', 'https://mirror.example.com:99999'], {
    code: 'AnswerInvalid',
    says: /^--registry-mirror https:\/\/mirror\.example\.com:99999 holds no URL$/,
  }),
  typed(
    'a mirror of another registry for docker',
    ['--context', 'docker-18.06', '--registry-mirror', 'registry.k8s.io=https://mirror.example.com'],
    {
      code: 'AnswersContradict',
      says: /^docker knows mirrors of docker\.io only, and --registry-mirror names one of registry\.k8s\.io$/,
      next: /--image-repository or --sandbox-image/,
    },
  ),
  typed(
    'a mirror with a path for docker',
    ['--context', 'docker-18.06', '--registry-mirror', 'https://mirror.example.com/hub'],
    {
      code: 'AnswersContradict',
      says: /^docker takes no mirror with a path, such as https:\/\/mirror\.example\.com\/hub$/,
    },
  ),
  typed(
    'a mirror of all registries for containerd 1.2',
    [...mirror, '--runtime-version', '1.2.13', '--kube-version', '1.18.20'],
    {
      code: 'AnswersContradict',
      says: /^containerd 1\.2\.13 knows mirrors of one registry each only$/,
      next: /REGISTRY=URL/,
    },
  ),
  typed('--registry-ca: no such file', [...mirror, '--registry-ca', '/nonexistent/ca.pem'], {
    code: 'AnswerInvalid',
    says: /^--registry-ca: \/nonexistent\/ca\.pem cannot be read: /,
  }),
  ca('an empty file', () => '', /^the file of --registry-ca holds no certificate in PEM$/),
  ca(
    'a key',
    () => String(key),
    /^the file of --registry-ca holds a private key, which must not reach a node/,
    middleOfKey,
  ),
  ca(
    'a certificate with its key',
    async () => (await certificate()) + String(key),
    /^the file of --registry-ca holds a private key, which must not reach a node/,
    middleOfKey,
  ),
  ca(
    'a broken certificate behind a good one',
    async () => `${await certificate()}\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`,
    /^the file of --registry-ca holds a certificate that cannot be read, number 2 of 2$/,
  ),
  ca(
    'an expired certificate in the middle',
    async () => [await certificate(), await certificate(-24), await certificate()].join('\n'),
    /^--registry-ca: certificate 2 in \S+ca\.pem expired on \d{4}-/,
  ),
  typed('a CA for nothing', async (world) => ['--registry-ca', world.file('ca.pem', await certificate())], {
    code: 'AnswerMissing',
    says: /^--registry-ca is given, but no https mirror and no registry of your own that it could be for$/,
    next: /HOST=https:\/\/HOST/,
  }),
]);

table('mirrors of packages', [
  ...[
    'nearest',
    'https://u:p@mirror.example.com',
    'https://mirror.example.com/?token=u:p@',
    'https://mirror.example.com/$releasever',
    'https://:80',
    'https://m.example.com/x y',
  ].map(
    (text): Row =>
      typed(`--mirror ${text}`, ['--mirror', text], {
        code: 'AnswerInvalid',
        says: /^--mirror must be one of auto, aliyun, aliyun-internal, upstream, or the URL of a mirror, without user, password and query$/,
        secret: 'u:p@',
      }),
  ),
  typed('--api-server-ip that is none', ['--api-server-ip', 'apiserver.lab'], {
    code: 'AnswerInvalid',
    says: /^--api-server-ip must be an IPv4 or IPv6 address$/,
  }),
]);
