import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { awaitSignature, drawToken, readToken, tokenSecret } from '../../src/cluster/token.ts';
import { createToken, deleteToken } from '../../src/cluster/write/token.ts';
import { configMap, type FakeApi, forbidden, json, ok, raw, refused, startFakeApi } from './fake-api.ts';
import { open, openToWrite } from './open.ts';
import { rejection } from './rejection.ts';

const secrets = '/api/v1/namespaces/kube-system/secrets';
const ours = `${secrets}/bootstrap-token-abcdef`;
const clusterInfo = 'GET /api/v1/namespaces/kube-public/configmaps/cluster-info';
const token = { id: 'abcdef', secret: '0123456789abcdef' };
const now = new Date('2024-02-28T23:59:59.500Z');
const group = 'system:bootstrappers:kubeadm:default-node-token';

let api: FakeApi;
beforeAll(async () => {
  api = await startFakeApi();
});
afterEach(() => api.reset());
afterAll(() => api.close());

const base64 = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
const decoded = (data: Record<string, string> | undefined) =>
  Object.fromEntries(Object.entries(data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]));

describe('E1 a drawn token', () => {
  test('has the form that kubeadm takes, and is another one each time', () => {
    const drawn = Array.from({ length: 200 }, drawToken);
    for (const { id, secret } of drawn) {
      expect(id).toMatch(/^[a-z0-9]{6}$/);
      expect(secret).toMatch(/^[a-z0-9]{16}$/);
    }
    expect(new Set(drawn.map(({ secret }) => secret)).size).toBe(200);
    expect(new Set(drawn.flatMap(({ secret }) => [...secret])).size).toBe(36);
  });
});

describe('E1 the Secret', () => {
  test("without a TTL is kubeadm's, with our label and no expiration", () => {
    const manifest = tokenSecret(token, { style: 'kubeadm', ttlSeconds: 0, groups: [group], now });
    expect({ ...manifest, data: decoded(manifest.data) }).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: 'bootstrap-token-abcdef',
        namespace: 'kube-system',
        labels: { 'app.kubernetes.io/managed-by': 'ackone-join' },
      },
      type: 'bootstrap.kubernetes.io/token',
      data: {
        'token-id': 'abcdef',
        'token-secret': '0123456789abcdef',
        description: 'In the bootstrap script that ackone-join published.',
        'usage-bootstrap-authentication': 'true',
        'usage-bootstrap-signing': 'true',
        'auth-extra-groups': 'system:bootstrappers:kubeadm:default-node-token',
      },
    });
  });

  test('without kubeadm signs nothing', () => {
    const { data } = tokenSecret(token, { style: 'binary', ttlSeconds: 0, groups: [group], now });
    expect(decoded(data)).toMatchObject({ 'usage-bootstrap-authentication': 'true' });
    expect(data).not.toHaveProperty('usage-bootstrap-signing');
  });

  test('with a TTL expires at an RFC 3339 time in UTC', () => {
    const manifest = tokenSecret(token, {
      style: 'kubeadm',
      ttlSeconds: 86_400,
      groups: [group, 'system:bootstrappers:x'],
      now,
    });
    expect(decoded(manifest.data)).toMatchObject({
      expiration: '2024-02-29T23:59:59Z',
      'auth-extra-groups': 'system:bootstrappers:kubeadm:default-node-token,system:bootstrappers:x',
    });
  });

  test('is created once; a taken id is ClusterConflict, so that another one is drawn', async () => {
    api.on(
      `POST ${secrets}`,
      json(201, { kind: 'Secret', apiVersion: 'v1', metadata: {} }),
      refused(409, 'AlreadyExists'),
    );
    const cluster = await openToWrite(api);
    const manifest = tokenSecret(token, { style: 'kubeadm', ttlSeconds: 0, groups: [group], now });
    await createToken(cluster, manifest);
    const sent: unknown = JSON.parse(api.seen[0]?.body ?? '');
    expect(sent).toEqual(manifest);
    const failure = await rejection(createToken(cluster, manifest));
    expect(failure.code).toBe('ClusterConflict');
    expect(failure.message).not.toContain(token.secret);
  });
});

describe('a token that is read', () => {
  const values = {
    'token-id': 'abcdef',
    'token-secret': '0123456789abcdef',
    'usage-bootstrap-authentication': 'true',
    'usage-bootstrap-signing': 'true',
    'auth-extra-groups': group,
  };
  const secret = (data: Record<string, string>, more: object = {}, metadata: object = {}) =>
    ok({ kind: 'Secret', type: 'bootstrap.kubernetes.io/token', metadata, data: base64(data), ...more });
  const read = async (style: 'kubeadm' | 'binary' = 'kubeadm') => readToken(await open(api), 'abcdef', style, now);

  test('tells its terms', async () => {
    api.on(`GET ${ours}`, secret({ ...values, expiration: '2024-03-01T00:00:00Z' }));
    expect(await read()).toEqual({ token, expiration: '2024-03-01T00:00:00Z', groups: [group], usable: true });
  });

  test('without kubeadm need not sign, but must log in', async () => {
    const { 'usage-bootstrap-signing': _, ...signsNothing } = values;
    api.on(`GET ${ours}`, secret(signsNothing));
    expect([(await read('kubeadm'))?.usable, (await read('binary'))?.usable]).toEqual([false, true]);
    api.on(`GET ${ours}`, secret({ ...signsNothing, 'usage-bootstrap-authentication': 'false' }));
    expect((await read('binary'))?.usable).toBe(false);
  });

  test('is undefined when there is none', async () => {
    expect(await read()).toBeUndefined();
  });

  const rows: readonly [string, ReturnType<typeof secret>, boolean][] = [
    ['without expiration', secret(values), true],
    ['with an empty expiration', secret({ ...values, expiration: '' }), true],
    ['that expires in another zone, later', secret({ ...values, expiration: '2024-02-29T08:00:00+08:00' }), true],
    ['that expires in another zone, before', secret({ ...values, expiration: '2024-02-29T07:59:59+08:00' }), false],
    ['that has expired', secret({ ...values, expiration: '2024-02-28T23:59:59Z' }), false],
    ['whose expiration is no RFC 3339 time', secret({ ...values, expiration: '2099-01-01' }), false],
    ['whose expiration is "never"', secret({ ...values, expiration: 'never' }), false],
    ['that may not log in', secret({ ...values, 'usage-bootstrap-authentication': 'false' }), false],
    ['that may not sign', secret({ ...values, 'usage-bootstrap-signing': '1' }), false],
    ['of another id', secret({ ...values, 'token-id': 'zzzzzz' }), false],
    ['with a short secret', secret({ ...values, 'token-secret': 'short' }), false],
    ['with a group that is none of bootstrappers', secret({ ...values, 'auth-extra-groups': 'system:masters' }), false],
    ['of another type', secret(values, { type: 'Opaque' }), false],
    ['without data', secret({}), false],
    ['that is being deleted', secret(values, {}, { deletionTimestamp: '2024-01-01T00:00:00Z' }), false],
  ];
  test.each(rows)('%s: usable or not', async (_, reply, usable) => {
    api.on(`GET ${ours}`, reply);
    expect((await read())?.usable).toBe(usable);
  });
});

describe('E2 the signature', () => {
  const signed = (...ids: string[]) =>
    ok(configMap('cluster-info', Object.fromEntries(ids.map((id) => [`jws-kubeconfig-${id}`, 'x..y']))));

  test('that appears at the 4th read is awaited', async () => {
    api.on(clusterInfo, signed(), signed(), signed(), signed('abcdef'));
    await awaitSignature(await open(api), 'abcdef', { timeoutMs: 10_000 });
    expect(api.count(clusterInfo)).toBe(4);
  });

  test('for another id only is TokenNotSigned, which names the bootstrapsigner', async () => {
    api.on(clusterInfo, signed('zzzzzz', 'abcde'));
    const failure = await rejection(awaitSignature(await open(api), 'abcdef', { timeoutMs: 500 }));
    expect(failure.code).toBe('TokenNotSigned');
    expect(failure.message).toBe('ConfigMap kube-public/cluster-info has no signature for token abcdef after 0.5 s');
    expect(failure.kind.why).toContain('bootstrapsigner');
    expect(api.count(clusterInfo)).toBeGreaterThan(1);
  });

  test('survives an API server that fails now and then', async () => {
    api.on(clusterInfo, refused(500, 'InternalError'), refused(429, 'TooManyRequests'), signed('abcdef'));
    await awaitSignature(await open(api), 'abcdef', { timeoutMs: 10_000 });
    expect(api.count(clusterInfo)).toBe(3);
  });

  test('from an API server that fails all the time ends with what it failed with', async () => {
    api.on(clusterInfo, refused(503, 'ServiceUnavailable'));
    expect((await rejection(awaitSignature(await open(api), 'abcdef', { timeoutMs: 300 }))).code).toBe(
      'ClusterServerError',
    );
  });

  test('that may not be read ends at once', async () => {
    api.on(clusterInfo, forbidden('get', 'configmaps'));
    expect((await rejection(awaitSignature(await open(api), 'abcdef', { timeoutMs: 10_000 }))).code).toBe(
      'ClusterForbidden',
    );
  });

  test('is no longer awaited when the run is ended', async () => {
    api.on(clusterInfo, signed());
    const controller = new AbortController();
    const waiting = awaitSignature(await open(api, { signal: controller.signal }), 'abcdef', { timeoutMs: 60_000 });
    controller.abort(new Error('ended by Ctrl-C'));
    await expect(waiting).rejects.toThrow('ended by Ctrl-C');
  });
});

describe('a token that is taken back', () => {
  const metadata = { name: 'bootstrap-token-abcdef', uid: 'u-1', resourceVersion: '9' };
  const labels = { 'app.kubernetes.io/managed-by': 'ackone-join' };

  test('is deleted only as the object that carries our label', async () => {
    api.on(`GET ${ours}`, ok({ kind: 'Secret', metadata: { ...metadata, labels } }));
    api.on(`DELETE ${ours}`, ok({ kind: 'Status', status: 'Success' }));
    await deleteToken(await openToWrite(api), 'abcdef');
    expect(JSON.parse(api.seen[1]?.body ?? '')).toEqual({ preconditions: { uid: 'u-1', resourceVersion: '9' } });
  });

  test.each([
    ['without a label', {}],
    ["with another one's label", { labels: { 'app.kubernetes.io/managed-by': 'kubespray' } }],
  ])('%s is never touched', async (_, more) => {
    api.on(`GET ${ours}`, ok({ kind: 'Secret', metadata: { ...metadata, ...more } }));
    await deleteToken(await openToWrite(api), 'abcdef');
    expect(api.seen.map(({ method }) => method)).toEqual(['GET']);
  });

  test('and is gone already is no failure, before or in between', async () => {
    const cluster = await openToWrite(api);
    await deleteToken(cluster, 'abcdef');
    api.on(`GET ${ours}`, ok({ kind: 'Secret', metadata: { ...metadata, labels } }));
    await deleteToken(cluster, 'abcdef');
    expect(api.count(`DELETE ${ours}`)).toBe(1);
  });

  test('and was replaced in between is ClusterConflict', async () => {
    api.on(`GET ${ours}`, ok({ kind: 'Secret', metadata: { ...metadata, labels } }));
    api.on(`DELETE ${ours}`, refused(409, 'Conflict'));
    expect((await rejection(deleteToken(await openToWrite(api), 'abcdef'))).code).toBe('ClusterConflict');
  });
});

test('an answer that is none is no token', async () => {
  api.on(`GET ${ours}`, raw(200, '<html>'));
  expect((await rejection(readToken(await open(api), 'abcdef'))).code).toBe('ClusterAnswerInvalid');
});
