import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { connect } from '../../src/cluster/connect.ts';
import { listContexts } from '../../src/cluster/contexts.ts';
import { createAuthority } from './certificates.ts';
import { type FakeApi, kubeconfigOf, startFakeApi } from './fake-api.ts';
import { asksVersion, options, write } from './lab.ts';
import { rejection } from './rejection.ts';

let api: FakeApi;
beforeAll(async () => {
  api = await startFakeApi();
});
afterEach(() => api.reset());
afterAll(() => api.close());

describe('H3 certificate files', () => {
  test('relative ones lie beside the kubeconfig, wherever the program runs', async () => {
    await write(api, 'lab/pki/ca.pem', api.ca);
    const cluster = { server: api.url, 'certificate-authority': 'pki/ca.pem' };
    const kubeconfig = await write(api, 'lab/config', kubeconfigOf('lab', cluster, {}));
    expect(await asksVersion(api, { kubeconfig })).toBe('v1.28.3');
  });

  test('client certificate, key and tokenFile too', async () => {
    const client = await (await createAuthority('clients')).issue(['jane']);
    await write(api, 'lab/jane.crt', client.cert);
    await write(api, 'lab/jane.key', client.key);
    await write(api, 'lab/jane.token', 'from-file\n');
    const user = { 'client-certificate': 'jane.crt', 'client-key': './jane.key', tokenFile: 'jane.token' };
    const cluster = { server: api.url, 'certificate-authority-data': Buffer.from(api.ca).toString('base64') };
    const kubeconfig = await write(api, 'lab/config-2', kubeconfigOf('lab', cluster, user));
    expect(await asksVersion(api, { kubeconfig })).toBe('v1.28.3');
    expect(api.seen[0]?.headers.authorization).toBe('Bearer from-file');
  });

  test('a missing one is named with its whole path', async () => {
    const cluster = { server: api.url, 'certificate-authority': 'none.pem' };
    const kubeconfig = await write(api, 'lab/config-3', kubeconfigOf('lab', cluster, {}));
    const failure = await rejection(connect(options({ kubeconfig })));
    expect(failure.code).toBe('KubeconfigInvalid');
    expect(failure.message).toBe(
      `certificate-authority of cluster lab in the kubeconfig names ${api.folder}/lab/none.pem, which does not exist`,
    );
  });

  test('relative ones of a kubeconfig from standard input have no folder', async () => {
    const text = stringify(kubeconfigOf('lab', { server: api.url, 'certificate-authority': 'ca.pem' }, {}));
    const machine = { stdin: Readable.from([text]), serviceAccount: '/nowhere' };
    expect(await listContexts({ kubeconfig: '-', env: {} }, machine)).toEqual({ names: ['lab'], current: 'lab' });
    const failure = await rejection(connect(options({ kubeconfig: '-' }), machine));
    expect(failure.code).toBe('KubeconfigInvalid');
    expect(failure.message).toBe(
      'certificate-authority of cluster lab is the relative path ca.pem, and a kubeconfig from standard input has no folder to start from',
    );
  });

  test('inline data that is no base64 of a PEM text is told by its key', async () => {
    const kubeconfig = await api.kubeconfig({ 'certificate-authority-data': '***' });
    const failure = await rejection(connect(options({ kubeconfig })));
    expect(failure.code).toBe('KubeconfigInvalid');
    expect(failure.message).toBe(
      'certificate-authority-data of cluster lab in the kubeconfig is no base64 of a PEM text',
    );
  });

  test('an expired client certificate is told before any request', async () => {
    const client = await (await createAuthority('clients')).issue(['jane'], -1);
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const user = { 'client-certificate-data': base64(client.cert), 'client-key-data': base64(client.key) };
    const failure = await rejection(connect(options({ kubeconfig: await api.kubeconfig({}, user) })));
    expect(failure.code).toBe('ClusterCertificateExpired');
    expect(failure.message).toMatch(/^the client certificate of user lab in the kubeconfig expired on 20/);
  });

  test('a certificate with the key of another is KubeconfigInvalid', async () => {
    const authority = await createAuthority('clients');
    const [one, other] = [await authority.issue(['jane']), await authority.issue(['joe'])];
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const user = { 'client-certificate-data': base64(one.cert), 'client-key-data': base64(other.key) };
    const failure = await rejection(connect(options({ kubeconfig: await api.kubeconfig({}, user) })));
    expect(failure.code).toBe('KubeconfigInvalid');
    expect(failure.message).toContain('are no pair that belongs together');
  });

  test('a server that is not https is KubeconfigInvalid', async () => {
    const kubeconfig = await api.kubeconfig({ server: 'http://127.0.0.1:8080' });
    const failure = await rejection(connect(options({ kubeconfig })));
    expect(failure.code).toBe('KubeconfigInvalid');
    expect(failure.message).toBe('cluster lab in the kubeconfig has server http://127.0.0.1:8080, which is not https');
  });
});

test('a password in the server is KubeconfigInvalid, and not shown', async () => {
  const failure = await rejection(
    connect(options({ kubeconfig: await api.kubeconfig({ server: 'http://a:geheim@x' }) })),
  );
  expect(failure.code).toBe('KubeconfigInvalid');
  expect(failure.message).toBe('cluster lab in the kubeconfig has a user name or a password in its server');
});

describe('other credentials', () => {
  test.each([
    ['a token', { token: 't' }, { authorization: 'Bearer t' }],
    ['a user name and a password', { username: 'jane', password: 'pw' }, { authorization: 'Basic amFuZTpwdw==' }],
    ['somebody to be', { token: 't', as: 'joe' }, { authorization: 'Bearer t', 'impersonate-user': 'joe' }],
    [
      'the token that kubectl keeps for oidc',
      { 'auth-provider': { name: 'oidc', config: { 'id-token': 'o' } } },
      { authorization: 'Bearer o' },
    ],
    ['nothing', {}, {}],
  ])('%s is sent', async (_, user, headers) => {
    expect(await asksVersion(api, { kubeconfig: await api.kubeconfig({}, user) })).toBe('v1.28.3');
    const { authorization, 'impersonate-user': as } = api.seen[0]?.headers ?? {};
    expect({ ...(authorization && { authorization }), ...(as && { 'impersonate-user': as }) }).toEqual(headers);
  });

  test.each([
    [{ 'auth-provider': { name: 'gcp', config: {} } }, 'auth-provider gcp'],
    [{ token: 't', as: 'joe', 'as-groups': ['x'] }, 'as-groups'],
  ])('%j is KubeconfigInvalid', async (user, named) => {
    const failure = await rejection(connect(options({ kubeconfig: await api.kubeconfig({}, user) })));
    expect(failure.code).toBe('KubeconfigInvalid');
    expect(failure.message).toContain(named);
  });

  test('insecure-skip-tls-verify is what it says', async () => {
    const cluster = { 'certificate-authority-data': undefined, 'insecure-skip-tls-verify': true };
    expect(await asksVersion(api, { kubeconfig: await api.kubeconfig(cluster) })).toBe('v1.28.3');
    const untrusted = await api.kubeconfig({ 'certificate-authority-data': undefined });
    expect((await rejection(asksVersion(api, { kubeconfig: untrusted }))).code).toBe('ClusterCertificateUntrusted');
  });
});
