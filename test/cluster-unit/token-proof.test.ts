import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { proveBootstrapToken, proveToken } from '../../src/cluster/token.ts';
import { proveBootstrapUser } from '../../src/cluster/token-proof.ts';
import type { DiscoveryFact } from '../../src/cluster/types.ts';
import { type ConnectProxy, startConnectProxy } from '../support/connect-proxy.ts';
import { createAuthority } from './certificates.ts';
import {
  configMap,
  type FakeApi,
  forbidden,
  json,
  ok,
  type Reply,
  refused,
  type Seen,
  startFakeApi,
} from './fake-api.ts';
import { open } from './open.ts';

const reviews = 'POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const clusterInfo = 'GET /api/v1/namespaces/kube-public/configmaps/cluster-info';
const token = { id: 'abcdef', secret: '0123456789abcdef' };
const otherCa = readFileSync(new URL('fixtures/ca-ec.pem', import.meta.url), 'utf8');
const everything = [
  'read of cluster-info without credentials',
  'create certificatesigningrequests',
  'create certificatesigningrequests/nodeclient',
  'get configmaps kube-system/kubeadm-config',
  'get configmaps kube-system/kubelet-config',
  'get nodes',
];

let api: FakeApi;
let proxy: ConnectProxy;
beforeAll(async () => {
  api = await startFakeApi();
  proxy = await startConnectProxy({ '192.0.2.10:6443': api.port });
});
afterEach(() => api.reset());
afterAll(async () => {
  await proxy.close();
  await api.close();
});

const discovery = (server = 'https://192.0.2.10:6443', caPem = api.ca): DiscoveryFact => ({
  server,
  caPem,
  pins: [],
  signedFor: [],
  anonymous: 'readable',
});
type Attributes = Record<string, string>;
const attributesOf = (seen: Seen): Attributes =>
  (JSON.parse(seen.body) as { spec: { resourceAttributes: Attributes } }).spec.resourceAttributes;
const review = (allowed: (attributes: Attributes) => boolean): Reply => {
  return (response, seen) =>
    json(201, { kind: 'SelfSubjectAccessReview', spec: {}, status: { allowed: allowed(attributesOf(seen)) } })(
      response,
      seen,
    );
};
/** The kubeconfig's own server is nowhere: the proof never goes there. */
const prove = async (fact = discovery(), minor = 28, proxyUrl = proxy.url) => {
  const kubeconfig = await api.kubeconfig({ server: 'https://127.0.0.1:1', 'proxy-url': proxyUrl });
  return proveToken(await open(api, { kubeconfig }), fact, token, minor);
};
const readable = () => api.on(clusterInfo, ok(configMap('cluster-info', {})));

describe('a token is proven by use', () => {
  test("at cluster-info's own server by its own CA, through the kubeconfig's proxy", async () => {
    readable();
    api.on(
      reviews,
      review(() => true),
    );
    expect(await prove()).toEqual({ result: 'proven', shown: everything });
    for (const seen of api.seen) {
      const isReview = seen.method === 'POST';
      expect(seen.headers.authorization).toBe(isReview ? 'Bearer abcdef.0123456789abcdef' : undefined);
    }
  });

  test('through HTTPS_PROXY where the kubeconfig names none', async () => {
    readable();
    api.on(
      reviews,
      review(() => true),
    );
    const cluster = await open(api, { env: { HTTPS_PROXY: proxy.url } });
    expect((await proveToken(cluster, discovery(), token, 28)).result).toBe('proven');
  });

  test("with exactly the reviews that kubeadm's RBAC grants", async () => {
    readable();
    api.on(
      reviews,
      review(() => true),
    );
    await prove();
    const asked = api.seen.filter(({ method }) => method === 'POST').map(attributesOf);
    const expected = [
      { group: 'certificates.k8s.io', resource: 'certificatesigningrequests', verb: 'create' },
      {
        group: 'certificates.k8s.io',
        resource: 'certificatesigningrequests',
        subresource: 'nodeclient',
        verb: 'create',
      },
      { namespace: 'kube-system', resource: 'configmaps', name: 'kubeadm-config', verb: 'get' },
      { namespace: 'kube-system', resource: 'configmaps', name: 'kubelet-config', verb: 'get' },
      { resource: 'nodes', verb: 'get' },
    ];
    expect(asked).toEqual(expect.arrayContaining(expected));
    expect(asked).toHaveLength(expected.length + 1);
  });

  test.each([
    [17, 'kubelet-config-1.17', false],
    [18, 'kubelet-config-1.18', true],
    [23, 'kubelet-config-1.23', true],
    [24, 'kubelet-config', true],
  ])('on 1.%i with %s, and get nodes: %s', async (minor, name, nodes) => {
    readable();
    api.on(
      reviews,
      review(() => true),
    );
    const proof = await prove(discovery(), minor);
    const shown = proof.result === 'proven' ? proof.shown : [];
    expect(shown).toContain(`get configmaps kube-system/${name}`);
    expect(shown.includes('get nodes')).toBe(nodes);
  });

  test('after the authenticator has learned of it', async () => {
    readable();
    api.on(
      reviews,
      refused(401, 'Unauthorized'),
      refused(401, 'Unauthorized'),
      review(() => true),
    );
    expect((await prove()).result).toBe('proven');
  });
});

describe('a token is refuted', () => {
  test('where nobody approves its request', async () => {
    readable();
    api.on(
      reviews,
      review(({ subresource }) => subresource !== 'nodeclient'),
    );
    expect(await prove()).toEqual({ result: 'refuted', missing: ['create certificatesigningrequests/nodeclient'] });
  });

  test('where several rights and the anonymous read are missing, each named', async () => {
    api.on(clusterInfo, forbidden('get', 'configmaps'));
    api.on(
      reviews,
      review(({ resource }) => resource === 'nodes'),
    );
    expect(await prove()).toEqual({ result: 'refuted', missing: everything.slice(0, 5) });
  });

  test('where anonymous requests are off', async () => {
    api.on(clusterInfo, refused(401, 'Unauthorized'));
    api.on(
      reviews,
      review(() => true),
    );
    expect(await prove()).toEqual({ result: 'refuted', missing: ['read of cluster-info without credentials'] });
  });

  test('where bootstrap tokens are off: still 401 after the time that a watch may take', {
    timeout: 15_000,
  }, async () => {
    readable();
    api.on(reviews, refused(401, 'Unauthorized'));
    expect(await prove()).toEqual({
      result: 'refuted',
      missing: ['log-in with the token: is --enable-bootstrap-token-auth of kube-apiserver on?'],
    });
    expect(api.count(reviews)).toBeGreaterThan(3);
  });
});

describe('a token is neither proven nor refuted', () => {
  test.each([
    [
      'where the server cannot be reached',
      () => discovery('https://192.0.2.99:6443'),
      'the proxy refuses to connect (502)',
    ],
    ['where the server has another CA', () => discovery(undefined, otherCa), 'is not trusted'],
  ])('%s', async (_, fact, why) => {
    readable();
    api.on(
      reviews,
      review(() => true),
    );
    expect(await prove(fact())).toEqual({ result: 'unreachable', why: expect.stringContaining(why) });
  });

  test('where access reviews are forbidden or fail', async () => {
    for (const [reply, why] of [
      [forbidden('create', 'selfsubjectaccessreviews'), '(403)'],
      [refused(500, 'InternalError'), '(500)'],
    ] as const) {
      readable();
      api.on(reviews, reply);
      expect(await prove()).toEqual({ result: 'unreachable', why: expect.stringContaining(why) });
    }
  });

  test('where cluster-info itself fails', async () => {
    api.on(clusterInfo, refused(503, 'ServiceUnavailable'));
    api.on(
      reviews,
      review(() => true),
    );
    expect(await prove()).toEqual({ result: 'unreachable', why: expect.stringContaining('(503)') });
  });

  test('and its secret half is nowhere in the result', async () => {
    expect(JSON.stringify(await prove(discovery('https://192.0.2.99:6443')))).not.toContain(token.secret);
  });
});

describe('without kubeadm', () => {
  const at = () => ({ server: 'https://192.0.2.10:6443', caPem: api.ca });
  const cluster = async () => open(api, { kubeconfig: await api.kubeconfig({ 'proxy-url': proxy.url }) });
  const asked = () => api.seen.map(attributesOf);
  const requests = { group: 'certificates.k8s.io', resource: 'certificatesigningrequests', verb: 'create' };
  const approval = { ...requests, subresource: 'nodeclient' };
  const texts = ['create certificatesigningrequests', 'create certificatesigningrequests/nodeclient', 'get nodes'];

  test("a token is proven by what such a script does with it, and cluster-info is nobody's business", async () => {
    api.on(
      reviews,
      review(() => true),
    );
    expect(await proveBootstrapToken(await cluster(), at(), token)).toEqual({ result: 'proven', shown: texts });
    // The first one twice: it shows whether the token is let in at all.
    expect(asked()).toEqual([requests, requests, approval, { resource: 'nodes', verb: 'get' }]);
    expect(new Set(api.seen.map(({ headers }) => headers.authorization))).toEqual(
      new Set(['Bearer abcdef.0123456789abcdef']),
    );
  });

  test('a token is refuted with what it lacks', async () => {
    api.on(
      reviews,
      review(({ resource, subresource }) => resource !== 'nodes' && subresource !== 'nodeclient'),
    );
    expect(await proveBootstrapToken(await cluster(), at(), token)).toEqual({
      result: 'refuted',
      missing: ['create certificatesigningrequests/nodeclient', 'get nodes'],
    });
  });

  test('a token that is not let in is refuted, and one whose server is nowhere is not', {
    timeout: 15_000,
  }, async () => {
    api.on(reviews, refused(401, 'Unauthorized'));
    expect(await proveBootstrapToken(await cluster(), at(), token)).toMatchObject({
      missing: ['log-in with the token: is --enable-bootstrap-token-auth of kube-apiserver on?'],
    });
    const nowhere = { ...at(), server: 'https://192.0.2.99:6443' };
    expect(await proveBootstrapToken(await cluster(), nowhere, token)).toMatchObject({ result: 'unreachable' });
  });

  test("a user's own token is shown as it is, and is no newcomer: one 401 is enough", async () => {
    const user = { name: 'token of --bootstrap-kubeconfig', token: 'anything.at-all' };
    api.on(reviews, refused(401, 'Unauthorized'));
    expect(await proveBootstrapUser(await cluster(), at(), user)).toEqual({
      result: 'refuted',
      missing: ['log-in with the token of --bootstrap-kubeconfig'],
    });
    expect(api.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer anything.at-all']);
  });

  test('a client certificate is not asked for Nodes: the script cannot show one before it has joined', async () => {
    const authority = await createAuthority('clients');
    const { cert, key } = await authority.issue(['kubelet-bootstrap']);
    const base64 = (pem: string) => Buffer.from(pem).toString('base64');
    api.on(
      reviews,
      review(() => true),
    );
    const user = { name: 'client certificate', certData: base64(cert), keyData: base64(key) };
    expect(await proveBootstrapUser(await cluster(), at(), user)).toEqual({
      result: 'proven',
      shown: texts.slice(0, 2),
    });
    expect(api.seen.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined, undefined]);
  });
});
