/** What every request has in common: the gate, the time limit, and a Failure for each way to go wrong. */
import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, type ConnectOptions, connect } from '../../src/cluster/connect.ts';
import { tokenUser } from '../../src/cluster/token-proof.ts';
import type { FailureCode } from '../../src/errors.ts';
import { cut, type FakeApi, forbidden, json, ok, type Reply, raw, refused, silent, startFakeApi } from './fake-api.ts';
import { rejection } from './rejection.ts';

let api: FakeApi;
beforeAll(async () => {
  api = await startFakeApi();
});
afterEach(() => api.reset());
afterAll(() => api.close());

const open = async (more: Partial<ConnectOptions> & { readonly server?: string } = {}): Promise<Cluster> => {
  const { server, ...options } = more;
  const kubeconfig = await api.kubeconfig(server === undefined ? {} : { server });
  return connect({ kubeconfig, timeoutMs: 2000, readOnly: true, env: {}, ...options });
};
const getKubeadmConfig = (cluster: Cluster) =>
  cluster.core.readNamespacedConfigMap({ namespace: 'kube-system', name: 'kubeadm-config' });
const path = '/api/v1/namespaces/kube-system/configmaps/kubeadm-config';

describe('an answer that is none becomes', () => {
  const rows: readonly [string, Reply, FailureCode, string][] = [
    [
      '401',
      refused(401, 'Unauthorized'),
      'ClusterUnauthorized',
      'URL does not accept the credentials of context lab (401)',
    ],
    ['403', forbidden('get', 'configmaps'), 'ClusterForbidden', 'context lab lacks the right to do so (403)'],
    [
      '403 of an admission policy',
      refused(403, 'Forbidden', 'admission webhook "x" denied the request'),
      'ClusterRejected',
      'URL refuses the request as it stands (403)',
    ],
    [
      '404',
      refused(404, 'NotFound', 'configmaps "kubeadm-config" not found'),
      'ClusterNotFound',
      'there is none (404)',
    ],
    [
      '404 of another server',
      raw(404, '404 page not found', 'text/plain'),
      'ClusterAnswerInvalid',
      'URL answers 404 with something that is no Kubernetes answer',
    ],
    ['409 exists', refused(409, 'AlreadyExists'), 'ClusterConflict', 'it exists already (409)'],
    ['409 changed', refused(409, 'Conflict'), 'ClusterConflict', 'somebody else changed it at the same time (409)'],
    ['422', refused(422, 'Invalid'), 'ClusterRejected', 'URL refuses the request as it stands (422)'],
    ['429', refused(429, 'TooManyRequests'), 'ClusterBusy', 'URL asks to slow down (429)'],
    ['500', refused(500, 'InternalError'), 'ClusterServerError', 'URL failed (500)'],
    ['502 of a proxy', raw(502, '<html>Bad Gateway</html>'), 'ClusterServerError', 'URL failed (502)'],
    ['a redirect', raw(302, ''), 'ClusterAnswerInvalid', 'URL answers 302 with something that is no Kubernetes answer'],
    [
      'truncated JSON',
      raw(200, '{"kind":"ConfigMap","data":{', 'application/json'),
      'ClusterAnswerInvalid',
      'what URL answers is no whole Kubernetes object',
    ],
    [
      'HTML of a proxy',
      raw(200, '<html>Please log in</html>'),
      'ClusterAnswerInvalid',
      'what URL answers is no whole Kubernetes object',
    ],
    [
      'JSON of something else',
      json(200, { status: 'ok' }),
      'ClusterAnswerInvalid',
      'what URL answers is no whole Kubernetes object',
    ],
    [
      'null',
      raw(200, 'null', 'application/json'),
      'ClusterAnswerInvalid',
      'what URL answers is no whole Kubernetes object',
    ],
  ];
  test.each(rows)('%s', async (_, reply, code, reason) => {
    api.on(`GET ${path}`, reply);
    const failure = await rejection(getKubeadmConfig(await open()));
    expect(failure.code).toBe(code);
    expect(failure.message).toBe(
      `could not get configmaps kube-system/kubeadm-config: ${reason.replace('URL', api.url)}`,
    );
  });

  test('403 names the RBAC verb and resource that are missing, and what the server said', async () => {
    api.on(`GET ${path}`, forbidden('get', 'configmaps'));
    expect((await rejection(getKubeadmConfig(await open()))).causes).toEqual([
      'missing: verb "get", resource "configmaps", name "kubeadm-config", namespace "kube-system"',
      'configmaps is forbidden: User "jane" cannot get resource "configmaps"',
    ]);
    api.on('GET /api/v1/nodes', forbidden('list', 'nodes'));
    const nodes = await rejection((await open()).core.listNode());
    expect(nodes.message).toBe('could not list nodes: context lab lacks the right to do so (403)');
    expect(nodes.causes[0]).toBe('missing: verb "list", resource "nodes"');
  });

  test('a refusal of a Secret is never quoted: it may echo what was sent', async () => {
    const secrets = '/api/v1/namespaces/kube-system/secrets';
    api.on(`POST ${secrets}`, refused(422, 'Invalid', 'Secret is invalid: data: "geheim"'));
    const cluster = await open({ readOnly: false });
    const body = { metadata: { name: 'x' }, data: { 'token-secret': 'geheim' } };
    const failure = await rejection(cluster.core.createNamespacedSecret({ namespace: 'kube-system', body }));
    expect(failure.message).toBe(
      `could not create secrets in kube-system: ${api.url} refuses the request as it stands (422)`,
    );
    expect(JSON.stringify({ ...failure, stack: failure.stack })).not.toContain('geheim');
  });

  test('a bootstrap token appears by its id only', async () => {
    const token = { id: 'abcdef', secret: '0123456789abcdef' };
    api.on(`GET ${path}`, refused(401, 'Unauthorized'));
    const cluster = await open();
    const failure = await rejection(
      cluster
        .at(api.url, api.ca, tokenUser(token))
        .core.readNamespacedConfigMap({ namespace: 'kube-system', name: 'kubeadm-config' }),
    );
    expect(api.seen[0]?.headers.authorization).toBe('Bearer abcdef.0123456789abcdef');
    expect(failure.message).toContain('does not accept the credentials of bootstrap token abcdef (401)');
    expect(JSON.stringify({ ...failure, stack: failure.stack })).not.toContain('0123456789abcdef');
  });
});

describe('no answer becomes', () => {
  test('ClusterTimeout at the time limit', async () => {
    api.on('GET /api/v1/nodes', silent);
    const failure = await rejection((await open({ timeoutMs: 300 })).core.listNode());
    expect(failure.code).toBe('ClusterTimeout');
    expect(failure.message).toBe(`could not list nodes: ${api.url} did not answer within 0.3 s`);
  });

  test('ClusterUnreachable where nothing listens', async () => {
    const failure = await rejection((await open({ server: 'https://127.0.0.1:1' })).core.listNode());
    expect(failure.code).toBe('ClusterUnreachable');
    expect(failure.message).toBe('could not list nodes at https://127.0.0.1:1: the connection is refused');
    expect(failure.causes).toEqual(['ECONNREFUSED']);
  });

  test('ClusterUnreachable where the name does not resolve', async () => {
    const failure = await rejection((await open({ server: 'https://api.invalid:6443' })).core.listNode());
    expect(failure.code).toBe('ClusterUnreachable');
    expect(failure.message).toMatch(
      /^could not list nodes at https:\/\/api\.invalid:6443: the name (does not resolve|cannot be resolved at the moment)$/,
    );
  });

  test('ClusterUnreachable where the connection is cut within the answer', async () => {
    api.on('GET /api/v1/nodes', cut);
    const failure = await rejection((await open()).core.listNode());
    expect(failure.code).toBe('ClusterUnreachable');
    expect(failure.message).toBe(`could not list nodes at ${api.url}: the connection was cut`);
  });

  test('ClusterAnswerInvalid where something else than TLS listens', async () => {
    const plain = await listen((socket) => socket.on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')));
    const failure = await rejection((await open({ server: `https://127.0.0.1:${plain.port}` })).core.listNode());
    plain.close();
    expect(failure.code).toBe('ClusterAnswerInvalid');
    expect(failure.message).toContain('does not speak TLS');
  });

  test('ClusterTimeout behind a proxy that never answers, and its connection is given up', async () => {
    let hungUp = false;
    const proxy = await listen((socket) =>
      socket.resume().on('close', () => {
        hungUp = true;
      }),
    );
    const cluster = await open({
      server: 'https://api.example.com:6443',
      env: { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` },
      timeoutMs: 300,
    });
    expect((await rejection(cluster.core.listNode())).code).toBe('ClusterTimeout');
    await expect.poll(() => hungUp).toBe(true);
    proxy.close();
  });

  test('the reason of the signal when the run is ended', async () => {
    api.on('GET /api/v1/nodes', silent);
    const controller = new AbortController();
    const cluster = await open({ signal: controller.signal });
    const request = cluster.core.listNode();
    controller.abort(new Error('ended by Ctrl-C'));
    await expect(request).rejects.toThrow('ended by Ctrl-C');
  });
});

describe('the gate of a run that may only read', () => {
  const namespace = 'kube-system';
  const writes: readonly [string, (cluster: Cluster) => Promise<unknown>][] = [
    ['create secrets in kube-system', ({ core }) => core.createNamespacedSecret({ namespace, body: {} })],
    ['patch configmaps kube-system/x', ({ core }) => core.patchNamespacedConfigMap({ namespace, name: 'x', body: {} })],
    [
      'update configmaps kube-system/x',
      ({ core }) => core.replaceNamespacedConfigMap({ namespace, name: 'x', body: {} }),
    ],
    ['delete secrets kube-system/x', ({ core }) => core.deleteNamespacedSecret({ namespace, name: 'x' })],
    ['deletecollection secrets in kube-system', ({ core }) => core.deleteCollectionNamespacedSecret({ namespace })],
    [
      'create localsubjectaccessreviews in kube-system',
      ({ authorization }) => authorization.createNamespacedLocalSubjectAccessReview({ namespace, body: { spec: {} } }),
    ],
    [
      'create secrets in kube-system',
      ({ at }) => at(api.url, api.ca).core.createNamespacedSecret({ namespace, body: {} }),
    ],
    [
      'create secrets in kube-system',
      ({ anonymous }) => anonymous.core.createNamespacedSecret({ namespace, body: {} }),
    ],
  ];
  test.each(writes)('refuses to %s, and sends nothing', async (operation, write) => {
    const failure = await rejection(write(await open()));
    expect(failure.code).toBe('Bug');
    expect(failure.message).toBe(`a run that may only read tried to ${operation}`);
    expect(api.seen).toEqual([]);
  });

  test('a call that brings its own middleware does not get around it', async () => {
    const call = (await open()).core.deleteNamespacedSecret({ namespace, name: 'x' }, { middleware: [] });
    expect((await rejection(call)).code).toBe('Bug');
    expect(api.seen).toEqual([]);
  });

  test('lets reads and access reviews of oneself and of others pass', async () => {
    api.on('GET /api/v1/nodes', ok({ kind: 'NodeList', items: [] }));
    api.on('POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews', ok({ kind: 'SelfSubjectAccessReview' }));
    api.on('POST /apis/authorization.k8s.io/v1/subjectaccessreviews', ok({ kind: 'SubjectAccessReview' }));
    const cluster = await open();
    await cluster.core.listNode();
    await cluster.authorization.createSelfSubjectAccessReview({ body: { spec: {} } });
    await cluster.authorization.createSubjectAccessReview({ body: { spec: {} } });
    expect(api.seen.map(({ method }) => method)).toEqual(['GET', 'POST', 'POST']);
  });

  test('is open when the run may write', async () => {
    api.on('POST /api/v1/namespaces/kube-system/secrets', ok({ kind: 'Secret' }));
    await (await open({ readOnly: false })).core.createNamespacedSecret({ namespace, body: {} });
    expect(api.count('POST /api/v1/namespaces/kube-system/secrets')).toBe(1);
  });
});

test('a server with a path of its own in front is asked below that path', async () => {
  api.on('GET /k8s/clusters/c-1/api/v1/nodes', forbidden('list', 'nodes'));
  const failure = await rejection((await open({ server: `${api.url}/k8s/clusters/c-1` })).core.listNode());
  expect(failure.causes[0]).toBe('missing: verb "list", resource "nodes"');
});

async function listen(onSocket: (socket: Socket) => void): Promise<{ port: number; close: () => Server }> {
  const server = createServer(onSocket);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { port: typeof address === 'object' ? (address?.port ?? 0) : 0, close: () => server.close() };
}
