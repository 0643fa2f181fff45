/** Who may do what: nobody, somebody unknown, a bootstrap token, an administrator. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createToken, presenting, removeToken } from '../support/bootstrap-token.ts';
import { anonymous, bearer, call } from '../support/raw-api.ts';
import {
  type Admin,
  accessReviews,
  clusterInfo,
  configMaps,
  failure,
  mergePatch,
  refused,
  secrets,
} from './expectations.ts';

const token = { id: 'access', secret: 'contractaccess00' };

/** What it is, the URL says: client libraries leave it out. */
const review = (resourceAttributes: object) => ({ spec: { resourceAttributes } });

export function access(admin: Admin): void {
  const joining = () => presenting(admin(), token);
  const secretPath = `${secrets}/bootstrap-token-${token.id}`;

  beforeAll(async () => {
    await createToken(admin(), token);
    await vi.waitFor(
      async () => expect(await call(joining(), 'GET', '/version')).toMatchObject({ status: 200 }),
      10_000,
    );
  });
  afterAll(() => removeToken(admin(), token));

  test('E8 nobody may read cluster-info and the version, and nothing else', async () => {
    const nobody = anonymous(admin());
    expect(await call(nobody, 'GET', clusterInfo)).toMatchObject({ status: 200, body: { kind: 'ConfigMap' } });
    expect(await call(nobody, 'GET', '/version')).toMatchObject({ status: 200 });
    expect(await call(nobody, 'GET', `${configMaps}/kubeadm-config`)).toMatchObject(
      failure(
        403,
        'Forbidden',
        'configmaps "kubeadm-config" is forbidden: User "system:anonymous" cannot get resource "configmaps" in API group "" in the namespace "kube-system"',
        { name: 'kubeadm-config', kind: 'configmaps' },
      ),
    );
    expect(await call(nobody, 'GET', '/api/v1/nodes')).toMatchObject(
      failure(
        403,
        'Forbidden',
        'nodes is forbidden: User "system:anonymous" cannot list resource "nodes" in API group "" at the cluster scope',
        { kind: 'nodes' },
      ),
    );
    expect(await call(nobody, 'POST', accessReviews, review({ verb: 'get', resource: 'nodes' }))).toMatchObject(
      refused(403, 'Forbidden', { group: 'authorization.k8s.io', kind: 'selfsubjectaccessreviews' }),
    );
  });

  test('a token that nobody knows is 401 everywhere, cluster-info too', async () => {
    const expected = failure(401, 'Unauthorized', 'Unauthorized');
    for (const unknown of ['nonsense', `${token.id}.0000000000000000`, 'zzzzzz.0000000000000000']) {
      const stranger = bearer(admin(), unknown);
      expect(await call(stranger, 'GET', clusterInfo)).toMatchObject(expected);
      expect(await call(stranger, 'GET', '/version')).toMatchObject(expected);
      expect(await call(stranger, 'POST', accessReviews, review({ verb: 'get', resource: 'nodes' }))).toMatchObject(
        expected,
      );
    }
  });

  const signingRequests = { group: 'certificates.k8s.io', resource: 'certificatesigningrequests' };
  const systemConfigMaps = { resource: 'configmaps', namespace: 'kube-system' };

  test.each([
    [true, { verb: 'create', ...signingRequests }],
    [true, { verb: 'create', ...signingRequests, subresource: 'nodeclient' }],
    [true, { verb: 'get', ...systemConfigMaps, name: 'kubeadm-config' }],
    [true, { verb: 'get', ...systemConfigMaps, name: 'kubelet-config' }],
    [true, { verb: 'get', resource: 'nodes' }],
    [false, { verb: 'list', resource: 'nodes' }],
    [false, { verb: 'get', ...systemConfigMaps }],
    [false, { verb: 'get', ...systemConfigMaps, name: 'ack-agent-config' }],
    [false, { verb: 'patch', ...systemConfigMaps, name: 'kubeadm-config' }],
    [false, { verb: 'create', resource: 'secrets', namespace: 'kube-system' }],
    [false, { verb: 'create', ...signingRequests, subresource: 'selfnodeclient' }],
  ])('a bootstrap token: allowed is %s for %j', async (allowed, attributes) => {
    const answer = await call(joining(), 'POST', accessReviews, review(attributes));
    expect(answer).toMatchObject({
      status: 201,
      body: {
        kind: 'SelfSubjectAccessReview',
        apiVersion: 'authorization.k8s.io/v1',
        spec: { resourceAttributes: attributes },
        status: { allowed },
      },
    });
  });

  test('an administrator may everything, and a review without a question is 422', async () => {
    const question = review({ verb: 'delete', resource: 'secrets', namespace: 'kube-system' });
    expect(await call(admin(), 'POST', accessReviews, question)).toMatchObject({
      status: 201,
      body: { status: { allowed: true } },
    });
    expect(await call(admin(), 'POST', accessReviews, { spec: {} })).toMatchObject(
      refused(422, 'Invalid', { causes: [{ reason: 'FieldValueInvalid', field: 'spec.resourceAttributes' }] }),
    );
  });

  test.each([
    ['GET', `${secrets}/contract-any`, undefined, 'get', { name: 'contract-any', kind: 'secrets' }],
    [
      'POST',
      secrets,
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'contract-any' } },
      'create',
      { kind: 'secrets' },
    ],
    ['DELETE', secretPath, undefined, 'delete', { name: `bootstrap-token-${token.id}`, kind: 'secrets' }],
    [
      'PATCH',
      `${configMaps}/kubeadm-config`,
      { data: { a: '1' } },
      'patch',
      { name: 'kubeadm-config', kind: 'configmaps' },
    ],
  ])('a bootstrap token may not %s %s', async (method, path, body, verb, details) => {
    const what = 'name' in details ? `${details.kind} "${details.name}"` : details.kind;
    const expected = failure(
      403,
      'Forbidden',
      `${what} is forbidden: User "system:bootstrap:${token.id}" cannot ${verb} resource "${details.kind}" in API group "" in the namespace "kube-system"`,
      details,
    );
    expect(await call(joining(), method, path, body, method === 'PATCH' ? mergePatch : undefined)).toMatchObject(
      expected,
    );
  });

  test('a bootstrap token may ask for a Node by name, whether it is there or not', async () => {
    expect(await call(joining(), 'GET', '/api/v1/nodes/contract-none')).toMatchObject(
      failure(404, 'NotFound', 'nodes "contract-none" not found', { name: 'contract-none', kind: 'nodes' }),
    );
  });
}
