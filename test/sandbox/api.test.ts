/** What the contract suite does not ask of both servers; expected values are what a real kube-apiserver 1.34.4 answered. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { anonymous, type Connection, call, type KubernetesObject } from '../support/raw-api.ts';
import { admin, get, mergePatch, system } from './support.ts';

// A start makes an RSA key, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

let sandbox: Sandbox;
let owner: Connection;
beforeAll(async () => {
  sandbox = await startSandbox();
  owner = admin(sandbox);
});
afterAll(() => sandbox.close());

const items = (answer: { body: unknown }) => (answer.body as { items: KubernetesObject[] }).items;
const names = (answer: { body: unknown }) => items(answer).map(({ metadata }) => metadata.name);
const metadata = (answer: { body: unknown }) => (answer.body as KubernetesObject).metadata;
const configMap = (name: string, data: object) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

describe('paths and methods', () => {
  const generic = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', details: {} };
  const nothing = {
    ...generic,
    message: 'the server could not find the requested resource',
    reason: 'NotFound',
    code: 404,
  };
  const method = {
    ...generic,
    message: 'the server does not allow this method on the requested resource',
    reason: 'MethodNotAllowed',
    code: 405,
  };
  test.each([
    ['GET', '/foo', 404, '404 page not found\n'],
    ['GET', '/apis/foo/v1/bars', 404, '404 page not found\n'],
    ['GET', '/healthz', 200, 'ok'],
    ['GET', '/api/v1/foos', 404, nothing],
    ['GET', '/api/v2', 404, nothing],
    ['GET', `${system}/configmaps/kube-proxy/status`, 404, nothing],
    ['GET', '/api/v1/configmaps/kube-proxy', 404, nothing],
    ['POST', '/api/v1/nodes/cp-1', 405, method],
    ['PUT', `${system}/configmaps`, 405, method],
    ['PATCH', `${system}/configmaps`, 405, method],
    ['POST', '/api/v1/configmaps', 405, method],
    ['POST', '/version', 405, method],
    ['DELETE', '/version', 405, method],
  ])('%s %s is %i', async (verb, path, status, body) => {
    const answer = await call(owner, verb, path, verb === 'GET' || verb === 'DELETE' ? undefined : {});
    expect({ status: answer.status, body: answer.body }).toEqual({ status, body });
  });

  test('nobody may not see a path that is not there', async () => {
    expect((await get(anonymous(owner), '/foo')).body).toEqual({
      ...generic,
      message: 'forbidden: User "system:anonymous" cannot get path "/foo"',
      reason: 'Forbidden',
      code: 403,
    });
  });

  test('anonymous requests can be off: then cluster-info is 401 without credentials, and 200 with them (E8)', async () => {
    const cluster = sandbox.clusters.get('containerd')!;
    const path = '/api/v1/namespaces/kube-public/configmaps/cluster-info';
    cluster.anonymousAuth = false;
    expect(await get(anonymous(owner), path)).toMatchObject({ status: 401, body: { reason: 'Unauthorized' } });
    expect(await get(owner, path)).toMatchObject({ status: 200 });
    cluster.anonymousAuth = true;
    expect(await get(anonymous(owner), path)).toMatchObject({ status: 200 });
  });

  test('kubectl finds every resource by discovery', async () => {
    expect(await get(owner, '/api')).toMatchObject({ body: { kind: 'APIVersions', versions: ['v1'] } });
    const { body } = await get(owner, '/apis');
    expect((body as { groups: { name: string }[] }).groups.map(({ name }) => name)).toEqual([
      'discovery.k8s.io',
      'apps',
      'rbac.authorization.k8s.io',
      'authorization.k8s.io',
      'authentication.k8s.io',
    ]);
    expect(await get(owner, '/api/v1')).toMatchObject({
      body: {
        kind: 'APIResourceList',
        groupVersion: 'v1',
        resources: [
          { name: 'nodes', singularName: 'node', namespaced: false, kind: 'Node' },
          { name: 'namespaces', verbs: ['get', 'list'] },
          { name: 'configmaps', namespaced: true, shortNames: ['cm'] },
          { name: 'secrets', namespaced: true },
          { name: 'endpoints', namespaced: true },
        ],
      },
    });
  });
});

describe('lists', () => {
  test.each([
    ['node-role.kubernetes.io/control-plane', ['cp-1', 'cp-2', 'cp-3']],
    ['!node-role.kubernetes.io/control-plane', ['cn-hangzhou.192.168.20.21', 'cn-hangzhou.192.168.20.22']],
    ['kubernetes.io/hostname=cp-2', ['cp-2']],
    ['kubernetes.io/hostname in (cp-1, cp-3),kubernetes.io/os==linux', ['cp-1', 'cp-3']],
    ['kubernetes.io/hostname notin (cp-1),node-role.kubernetes.io/control-plane', ['cp-2', 'cp-3']],
    ['alibabacloud.com/external!=true', ['cp-1', 'cp-2', 'cp-3']],
  ])('labelSelector %s', async (selector, expected) => {
    expect(names(await get(owner, `/api/v1/nodes?labelSelector=${encodeURIComponent(selector)}`))).toEqual(expected);
  });

  test('a list comes in pages, and the items do not say what they are', async () => {
    const first = await get(owner, '/api/v1/nodes?limit=2');
    const page = first.body as { metadata: { continue: string; remainingItemCount: number } };
    expect(names(first)).toEqual(['cn-hangzhou.192.168.20.21', 'cn-hangzhou.192.168.20.22']);
    expect(page).toMatchObject({ kind: 'NodeList', apiVersion: 'v1', metadata: { remainingItemCount: 3 } });
    expect(items(first)[0]).not.toHaveProperty('kind');
    const rest = await get(owner, `/api/v1/nodes?limit=3&continue=${page.metadata.continue}`);
    expect(names(rest)).toEqual(['cp-1', 'cp-2', 'cp-3']);
    expect((rest.body as { metadata: object }).metadata).not.toHaveProperty('continue');
  });

  test.each([
    ['/api/v1/nodes?limit=x', 'strconv.ParseInt: parsing "x": invalid syntax'],
    [
      `${system}/configmaps?fieldSelector=foo=bar`,
      '"foo" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
  ])('%s is 400', async (path, message) => {
    expect(await get(owner, path)).toMatchObject({ status: 400, body: { reason: 'BadRequest', message } });
  });

  test('Secrets can be chosen by their type', async () => {
    const secret = (name: string, type: string) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, type });
    await call(owner, 'POST', `${system}/secrets`, secret('plain', 'Opaque'));
    await call(owner, 'POST', `${system}/secrets`, secret('bootstrap-token-listed', 'bootstrap.kubernetes.io/token'));
    const path = `${system}/secrets?fieldSelector=type=bootstrap.kubernetes.io/token`;
    expect(names(await get(owner, path))).toEqual(['bootstrap-token-listed']);
  });
});

describe('writes', () => {
  const path = `${system}/configmaps/written`;
  beforeAll(async () => {
    await call(owner, 'POST', `${system}/configmaps`, configMap('written', { a: '1', b: '2' }));
  });

  test('each change has a new resourceVersion, and a patch that changes nothing has none', async () => {
    const before = metadata(await get(owner, path));
    const same = metadata(await call(owner, 'PATCH', path, { data: { b: '2' } }, mergePatch));
    expect(same.resourceVersion).toBe(before.resourceVersion);
    const changed = metadata(await call(owner, 'PATCH', path, { data: { b: '3' } }, mergePatch));
    expect(Number(changed.resourceVersion)).toBeGreaterThan(Number(before.resourceVersion));
    expect(changed).toMatchObject({ uid: before.uid, creationTimestamp: before.creationTimestamp });
  });

  test('a dry run answers as if and keeps nothing', async () => {
    const before = (await get(owner, path)).body;
    const patched = await call(owner, 'PATCH', `${path}?dryRun=All`, { data: { a: 'dry' } }, mergePatch);
    expect(patched).toMatchObject({ status: 200, body: { data: { a: 'dry' } } });
    expect(await call(owner, 'DELETE', `${path}?dryRun=All`)).toMatchObject({ status: 200 });
    expect(
      await call(owner, 'POST', `${system}/configmaps?dryRun=All`, configMap('rehearsed', { a: '1' })),
    ).toMatchObject({ status: 201 });
    expect((await get(owner, path)).body).toEqual(before);
    expect((await get(owner, `${system}/configmaps/rehearsed`)).status).toBe(404);
  });

  test('a PUT replaces everything, and only what stands', async () => {
    const stale = { ...configMap('written', { c: '1' }), metadata: { name: 'written', resourceVersion: '1' } };
    expect(await call(owner, 'PUT', path, stale)).toMatchObject({ status: 409, body: { reason: 'Conflict' } });
    expect(await call(owner, 'PUT', path, configMap('another', {}))).toMatchObject({
      status: 400,
      body: { message: 'the name of the object (another) does not match the name on the URL (written)' },
    });
    expect(await call(owner, 'PUT', `${system}/configmaps/none`, configMap('none', {}))).toMatchObject({ status: 404 });
    expect(await call(owner, 'PUT', path, configMap('written', { c: '1' }))).toMatchObject({
      status: 200,
      body: { data: { c: '1' } },
    });
    expect((await get(owner, path)).body).not.toHaveProperty('data.a');
  });

  test('what is immutable stays as it is', async () => {
    await call(owner, 'POST', `${system}/configmaps`, { ...configMap('frozen', { a: '1' }), immutable: true });
    const answer = await call(owner, 'PATCH', `${system}/configmaps/frozen`, { data: { a: '2' } }, mergePatch);
    expect(answer).toMatchObject({
      status: 422,
      body: { message: 'ConfigMap "frozen" is invalid: data: Forbidden: field is immutable when `immutable` is set' },
    });
  });

  test.each([
    [{ uid: 'another' }, /the UID in the precondition \(another\) does not match the UID in record/],
    [{ resourceVersion: '1' }, /the ResourceVersion in the precondition \(1\) does not match the ResourceVersion/],
  ])('a DELETE under a precondition that does not hold is 409: %j', async (preconditions, message) => {
    expect(await call(owner, 'DELETE', path, { preconditions })).toMatchObject({
      status: 409,
      body: { reason: 'Conflict', message: expect.stringMatching(message), details: { kind: 'ConfigMap' } },
    });
    expect((await get(owner, path)).status).toBe(200);
  });

  test('H1 what client-node sends by default is refused as on the real server', async () => {
    expect(await call(owner, 'PATCH', path, { data: { a: '9' } }, 'application/json-patch+json')).toMatchObject({
      status: 400,
      body: {
        message: 'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
      },
    });
    const strategic = 'application/strategic-merge-patch+json';
    expect(await call(owner, 'PATCH', path, { data: { d: '4' } }, strategic)).toMatchObject({ status: 200 });
    expect(await call(owner, 'PATCH', '/api/v1/nodes/cp-1', { spec: {} }, strategic)).toMatchObject({ status: 415 });
  });
});

describe('reviews', () => {
  const reviews = '/apis/authorization.k8s.io/v1';
  const viewer = () => admin(sandbox, 'forbidden');
  const ask = async (connection: Connection, resourceAttributes: object) => {
    const body = { spec: { resourceAttributes } };
    const answer = await call(connection, 'POST', `${reviews}/selfsubjectaccessreviews`, body);
    return (answer.body as { status: unknown }).status;
  };

  test('the user of `forbidden` may read ConfigMaps and Nodes, and lacks what publishing needs', async () => {
    const inSystem = { namespace: 'kube-system' };
    expect(await ask(viewer(), { verb: 'get', resource: 'configmaps', name: 'ack-agent-config', ...inSystem })).toEqual(
      {
        allowed: true,
        reason:
          'RBAC: allowed by ClusterRoleBinding "sandbox:viewer" of ClusterRole "sandbox:viewer" to Group "sandbox:viewers"',
      },
    );
    for (const lacking of [
      { verb: 'create', resource: 'secrets', ...inSystem },
      { verb: 'patch', resource: 'configmaps', name: 'ack-agent-config', ...inSystem },
      { verb: 'create', resource: 'configmaps', ...inSystem },
    ]) {
      expect(await ask(viewer(), lacking)).toEqual({ allowed: false });
      expect(await ask(owner, lacking)).toEqual({ allowed: true });
    }
    const patched = await call(viewer(), 'PATCH', `${system}/configmaps/ack-agent-config`, { data: {} }, mergePatch);
    expect(patched).toMatchObject({
      status: 403,
      body: {
        message:
          'configmaps "ack-agent-config" is forbidden: User "viewer" cannot patch resource "configmaps" in API group "" in the namespace "kube-system"',
      },
    });
  });

  test('a rules review lists what holds, and needs a namespace', async () => {
    const path = `${reviews}/selfsubjectrulesreviews`;
    expect(await call(owner, 'POST', path, { spec: {} })).toMatchObject({
      status: 400,
      body: { message: 'no namespace on request' },
    });
    const answer = await call(viewer(), 'POST', path, { spec: { namespace: 'kube-system' } });
    expect(answer).toMatchObject({ status: 201, body: { status: { incomplete: false } } });
    const { resourceRules } = (answer.body as { status: { resourceRules: object[] } }).status;
    expect(resourceRules).toContainEqual({ verbs: ['get', 'list'], apiGroups: [''], resources: ['configmaps'] });
  });

  test('who am I', async () => {
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    expect(await call(owner, 'POST', path, {})).toMatchObject({
      status: 201,
      body: {
        status: { userInfo: { username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] } },
      },
    });
    expect((await call(admin(sandbox, 'docker-18.06'), 'POST', path, {})).status).toBe(404);
  });

  test('a binding that is deleted grants nothing more', async () => {
    const connection = admin(sandbox, 'mid-upgrade');
    const secret = {
      metadata: { name: 'bootstrap-token-fedcba' },
      type: 'bootstrap.kubernetes.io/token',
      stringData: {
        'token-id': 'fedcba',
        'token-secret': '0123456789abcdef',
        'usage-bootstrap-authentication': 'true',
        'auth-extra-groups': 'system:bootstrappers:kubeadm:default-node-token',
      },
    };
    await call(connection, 'POST', `${system}/secrets`, secret);
    const joining = { ...anonymous(connection), token: 'fedcba.0123456789abcdef' };
    const wanted = { verb: 'create', group: 'certificates.k8s.io', resource: 'certificatesigningrequests' };
    expect(await ask(joining, wanted)).toMatchObject({ allowed: true });
    const binding = 'clusterrolebindings/kubeadm%3Akubelet-bootstrap';
    const deleted = await call(connection, 'DELETE', `/apis/rbac.authorization.k8s.io/v1/${binding}`);
    expect(deleted.status).toBe(200);
    expect(await ask(joining, wanted)).toEqual({ allowed: false });
  });
});

test('a certificate of another cluster is 401', async () => {
  const { cert, key } = admin(sandbox, 'mid-upgrade');
  expect(await get({ ...owner, ...(cert && { cert }), ...(key && { key }) }, '/version')).toMatchObject({
    status: 401,
    body: { kind: 'Status', message: 'Unauthorized', reason: 'Unauthorized', code: 401 },
  });
});
