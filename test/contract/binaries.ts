/** What is asked where no ConfigMap of kubeadm answers it. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createToken, presenting, removeToken } from '../support/bootstrap-token.ts';
import { call, type KubernetesObject } from '../support/raw-api.ts';
import { type Admin, failure, refused } from './expectations.ts';

const token = { id: 'binary', secret: 'contractbinary00' };
const reviews = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
const bootstrappers = 'system:bootstrappers:kubeadm:default-node-token';

export function binaries(admin: Admin): void {
  const joining = () => presenting(admin(), token);

  beforeAll(async () => {
    await createToken(admin(), token, { 'usage-bootstrap-signing': undefined });
    await vi.waitFor(
      async () => expect(await call(joining(), 'GET', '/version')).toMatchObject({ status: 200 }),
      10_000,
    );
  });
  afterAll(() => removeToken(admin(), token));

  const requests = { group: 'certificates.k8s.io', resource: 'certificatesigningrequests', verb: 'create' };

  test.each([
    [true, bootstrappers, requests],
    [true, bootstrappers, { ...requests, subresource: 'nodeclient' }],
    [true, bootstrappers, { resource: 'nodes', verb: 'get' }],
    [true, 'system:nodes', { ...requests, subresource: 'selfnodeclient' }],
    [false, bootstrappers, { ...requests, subresource: 'selfnodeclient' }],
    [false, 'system:bootstrappers:elsewhere', requests],
    [false, 'system:nodes', { ...requests, subresource: 'nodeclient' }],
  ])('a review of others says %s of group %s and %j', async (allowed, group, resourceAttributes) => {
    const spec = { groups: [group, 'system:authenticated'], resourceAttributes };
    expect(await call(admin(), 'POST', reviews, { spec })).toMatchObject({
      status: 201,
      body: { kind: 'SubjectAccessReview', apiVersion: 'authorization.k8s.io/v1', spec, status: { allowed } },
    });
  });

  test('a review of nobody is 422, and who has no right to ask is 403', async () => {
    expect(await call(admin(), 'POST', reviews, { spec: { resourceAttributes: requests } })).toMatchObject(
      refused(422, 'Invalid', { causes: [{ reason: 'FieldValueInvalid', field: 'spec.user' }] }),
    );
    const spec = { groups: [bootstrappers], resourceAttributes: requests };
    expect(await call(joining(), 'POST', reviews, { spec })).toMatchObject(
      failure(
        403,
        'Forbidden',
        `subjectaccessreviews.authorization.k8s.io is forbidden: User "system:bootstrap:${token.id}" cannot create resource "subjectaccessreviews" in API group "authorization.k8s.io" at the cluster scope`,
        { group: 'authorization.k8s.io', kind: 'subjectaccessreviews' },
      ),
    );
  });

  test('the API server says where it is, in Endpoints and in an EndpointSlice', async () => {
    const { body } = await call(admin(), 'GET', '/api/v1/namespaces/default/endpoints/kubernetes');
    expect(body).toMatchObject({
      kind: 'Endpoints',
      subsets: [{ addresses: [{ ip: '192.0.2.10' }], ports: [{ name: 'https', port: expect.any(Number) }] }],
    });
    const { subsets } = body as { subsets: [{ ports: unknown }] };
    const path = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes';
    expect(await call(admin(), 'GET', path)).toMatchObject({
      status: 200,
      body: {
        kind: 'EndpointSlice',
        addressType: 'IPv4',
        endpoints: [{ addresses: ['192.0.2.10'], conditions: { ready: true } }],
        ports: subsets[0].ports,
      },
    });
  });

  test('the DaemonSets of kube-system are a list, and kube-proxy is among them', async () => {
    const { body } = await call(admin(), 'GET', '/apis/apps/v1/namespaces/kube-system/daemonsets');
    const { kind, items } = body as { kind: string; items: readonly KubernetesObject[] };
    expect([kind, items.map(({ metadata }) => metadata.name)]).toEqual(['DaemonSetList', ['kube-proxy']]);
  });

  test('a Node that is not there has no kubelet to ask, and a bootstrap token may ask none', async () => {
    expect(await call(admin(), 'GET', '/api/v1/nodes/contract-none/proxy/configz')).toMatchObject(
      failure(404, 'NotFound', 'nodes "contract-none" not found', { name: 'contract-none', kind: 'nodes' }),
    );
    expect(await call(joining(), 'GET', '/api/v1/nodes/cp-1/proxy/configz')).toMatchObject(
      failure(
        403,
        'Forbidden',
        `nodes "cp-1" is forbidden: User "system:bootstrap:${token.id}" cannot get resource "nodes/proxy" in API group "" at the cluster scope`,
        { name: 'cp-1', kind: 'nodes' },
      ),
    );
  });

  test('the CA of the cluster stands in every namespace', async () => {
    const { body } = await call(admin(), 'GET', '/api/v1/namespaces/kube-system/configmaps/kube-root-ca.crt');
    expect((body as KubernetesObject).data).toEqual({ 'ca.crt': admin().ca });
  });
}
