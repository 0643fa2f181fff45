import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { Failure } from '../../src/errors.ts';
import { bootstrapOf, parseBootstrapKubeconfig } from '../../src/script/bootstrap-kubeconfig.ts';
import { readYaml } from '../../src/yaml.ts';
import { caPem } from './binary-facts.ts';

const token = 'abcdef.0123456789abcdef';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const clientPem = readFileSync(new URL('./client.pem', import.meta.url), 'utf8');
/** No key that anything was ever signed with. */
const keyPem = '-----BEGIN PRIVATE KEY-----\nZXhhbXBsZQ==\n-----END PRIVATE KEY-----\n';

function kubeconfig(user: object = { token }, cluster: object = {}, more: object = {}): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'default',
    clusters: [
      {
        name: 'one',
        cluster: { server: 'https://192.0.2.10:6443', 'certificate-authority-data': base64(caPem), ...cluster },
      },
    ],
    users: [{ name: 'kubelet-bootstrap', user }],
    contexts: [{ name: 'default', context: { cluster: 'one', user: 'kubelet-bootstrap' } }],
    ...more,
  });
}

const jwt = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;

describe('a kubeconfig of ours', () => {
  test('reads back as what it was made of', () => {
    const { kubeconfig: text, token: shown } = bootstrapOf('[2001:db8::1]:6443', caPem, { kind: 'token', token });
    expect(shown).toBe(token);
    expect(parseBootstrapKubeconfig(readYaml(text))).toEqual({
      user: { kind: 'token', token },
      endpoint: '[2001:db8::1]:6443',
      caPem,
      expiry: { known: false, tokenId: 'abcdef' },
    });
  });

  test('with a certificate has no token', () => {
    const made = bootstrapOf('192.0.2.10:6443', caPem, { kind: 'certificate', certificate: clientPem, key: keyPem });
    expect(made.token).toBe('');
    expect(parse(made.kubeconfig).users).toEqual([
      {
        name: 'kubelet-bootstrap',
        user: { 'client-certificate-data': base64(clientPem), 'client-key-data': base64(keyPem) },
      },
    ]);
  });

  test('keeps a token that YAML would take for something else', () => {
    const made = bootstrapOf('192.0.2.10:6443', caPem, { kind: 'token', token: '123456.1234567890123456' });
    expect(parse(made.kubeconfig).users[0].user.token).toBe('123456.1234567890123456');
    const odd = bootstrapOf('192.0.2.10:6443', caPem, { kind: 'token', token: '12e456' });
    expect(parse(odd.kubeconfig).users[0].user.token).toBe('12e456');
  });
});

describe('when it ends', () => {
  test.each([
    ['a bootstrap token', { token }, { known: false, tokenId: 'abcdef' }],
    ['a static token', { token: 'c29tZXRoaW5nLWVsc2U' }, { known: false, tokenId: undefined }],
    ['a JWT', { token: jwt({ exp: 1_893_456_000 }) }, { known: true, at: '2030-01-01T00:00:00.000Z' }],
    ['a JWT without an end', { token: jwt({}) }, { known: true, at: undefined }],
    ['a JWT whose end is no time', { token: jwt({ exp: -1e300 }) }, { known: false, tokenId: undefined }],
    ['a JWT that ends too late', { token: jwt({ exp: 1e300 }) }, { known: false, tokenId: undefined }],
    ['three parts that are no JWT', { token: 'aaa.bbb.ccc' }, { known: false, tokenId: undefined }],
    [
      'a client certificate',
      { 'client-certificate-data': base64(clientPem), 'client-key-data': base64(keyPem) },
      { known: true, at: '2126-11-08T18:35:47.000Z' },
    ],
  ])('%s', (_, user, expiry) => {
    expect(parseBootstrapKubeconfig(readYaml(kubeconfig(user))).expiry).toEqual(expiry);
  });
});

test('server and CA may be missing', () => {
  const text = kubeconfig({ token }, { server: undefined, 'certificate-authority-data': undefined });
  expect(parseBootstrapKubeconfig(readYaml(text))).toMatchObject({ endpoint: undefined, caPem: undefined });
});

describe('what is refused', () => {
  test.each([
    ['no YAML', 'a: [', 'is no YAML at line 1'],
    ['a list', '- a', 'is no kubeconfig'],
    ['nothing', '', 'is no kubeconfig'],
    ['no current-context', kubeconfig({ token }, {}, { 'current-context': '' }), 'has no current-context'],
    ['a context that is not there', kubeconfig({ token }, {}, { contexts: [] }), 'has no context default'],
    ['no user', kubeconfig({ token }, {}, { users: [] }), 'has no user for its context default'],
    ['users that are none', kubeconfig({ token }, {}, { users: 'root' }), 'is no kubeconfig at users'],
    ['an exec plugin', kubeconfig({ exec: { command: 'aws' } }), 'logs in by exec, and a node can only use'],
    ['a token in a file', kubeconfig({ tokenFile: '/t' }), 'logs in by tokenFile, and'],
    ['a certificate in a file', kubeconfig({ 'client-certificate': '/c' }), 'logs in by client-certificate, and'],
    ['a password', kubeconfig({ username: 'a', password: 'geheim' }), 'logs in by username, and'],
    ['impersonation', kubeconfig({ token, as: 'admin' }), 'logs in by as, and'],
    ['nobody', kubeconfig({}), 'holds neither a token nor a client certificate with its key'],
    ['a token with a line break', kubeconfig({ token: 'a\nb' }), 'has a token that could not be sent as one'],
    [
      'a certificate without a key',
      kubeconfig({ 'client-certificate-data': base64(clientPem) }),
      'holds neither a token',
    ],
    [
      'a certificate that is none',
      kubeconfig({ 'client-certificate-data': base64('x'), 'client-key-data': base64(keyPem) }),
      'has client-certificate-data that is no certificate',
    ],
    [
      'a key that is none',
      kubeconfig({ 'client-certificate-data': base64(clientPem), 'client-key-data': base64('geheim') }),
      'has client-key-data that is no private key',
    ],
    [
      'a CA as a file',
      kubeconfig({ token }, { 'certificate-authority-data': undefined, 'certificate-authority': '/ca' }),
      'names its CA as a file',
    ],
    ['a CA that is none', kubeconfig({ token }, { 'certificate-authority-data': base64('x') }), 'holds no certificate'],
    [
      'another name of the server',
      kubeconfig({ token }, { 'tls-server-name': 'kubernetes' }),
      'reaches its server by tls-server-name, and a node goes there by the address alone',
    ],
    ['a proxy', kubeconfig({ token }, { 'proxy-url': 'http://proxy:3128' }), 'reaches its server by proxy-url, and'],
    [
      'a server with a path',
      kubeconfig({ token }, { server: 'https://a.example.com/k8s' }),
      'names a server that is not https://host:port',
    ],
  ])('%s', (_, text, why) => {
    const error = refusal(text);
    expect(error.code).toBe('AnswerInvalid');
    expect(error.message).toMatch(/^the file of --bootstrap-kubeconfig /);
    expect(error.message).toContain(why);
    for (const secret of [token, 'geheim', '0123456789abcdef']) expect(JSON.stringify(error)).not.toContain(secret);
  });
});

function refusal(text: string): Failure {
  try {
    parseBootstrapKubeconfig(readYaml(text));
  } catch (error) {
    if (error instanceof Failure) return error;
  }
  throw new Error('it was taken');
}
