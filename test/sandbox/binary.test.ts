/** What a cluster that was installed from binaries answers: E7. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { createToken, draw, presenting } from '../support/bootstrap-token.ts';
import { call } from '../support/raw-api.ts';
import { admin, clusterInfo, dataOf, get, system } from './support.ts';

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const reviews = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
const selfReviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const requests = { group: 'certificates.k8s.io', resource: 'certificatesigningrequests', verb: 'create' };

describe.each([
  ['binary', '192.0.2.50', true],
  ['binary-bare', '192.0.2.55', false],
])('%s', (context, address, prepared) => {
  const owner = () => admin(sandbox, context);

  test('has a CA and nothing of kubeadm', async () => {
    const status = async (path: string) => (await get(owner(), path)).status;
    expect(await status(clusterInfo)).toBe(404);
    expect(await status(`${system}/configmaps/kubeadm-config`)).toBe(404);
    expect(await status(`${system}/configmaps/kubelet-config`)).toBe(404);
    expect(await status(`${system}/configmaps/kube-proxy`)).toBe(404);
    expect(await dataOf(owner(), `${system}/configmaps/kube-root-ca.crt`)).toEqual({ 'ca.crt': owner().ca });
  });

  test('says where its API server is', async () => {
    expect(await get(owner(), '/api/v1/namespaces/default/endpoints/kubernetes')).toMatchObject({
      status: 200,
      body: { kind: 'Endpoints', subsets: [{ addresses: [{ ip: address }], ports: [{ name: 'https', port: 6443 }] }] },
    });
    expect(await get(owner(), '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes')).toMatchObject({
      status: 200,
      body: { kind: 'EndpointSlice', addressType: 'IPv4', endpoints: [{ addresses: [address] }] },
    });
  });

  test('hands a GET of configz on to a kubelet, and nothing else', async () => {
    expect(await get(owner(), '/api/v1/nodes/worker-1/proxy/configz')).toMatchObject({
      status: 200,
      body: { kubeletconfig: { cgroupDriver: 'systemd', clusterDNS: ['10.96.0.10'], address: '192.168.10.31' } },
    });
    expect(await get(owner(), '/api/v1/nodes/nobody/proxy/configz')).toMatchObject({
      status: 404,
      body: { kind: 'Status' },
    });
    expect(await get(owner(), '/api/v1/nodes/worker-1/proxy/pods')).toMatchObject({ status: 404 });
    expect(await call(owner(), 'POST', '/api/v1/nodes/worker-1/proxy/configz', {})).toMatchObject({ status: 404 });
  });

  test(`brings kube-proxy to nodes: ${prepared}`, async () => {
    const { body } = await get(owner(), '/apis/apps/v1/namespaces/kube-system/daemonsets');
    const { items } = body as { items: readonly { metadata: { name: string } }[] };
    expect(items.map(({ metadata }) => metadata.name)).toEqual(prepared ? ['kube-proxy'] : []);
  });

  test.each([
    ['system:bootstrappers', requests],
    ['system:bootstrappers', { ...requests, subresource: 'nodeclient' }],
    ['system:bootstrappers', { resource: 'nodes', verb: 'get' }],
    ['system:nodes', { ...requests, subresource: 'selfnodeclient' }],
  ])(`grants to group %s %j: ${prepared}`, async (group, resourceAttributes) => {
    const spec = { groups: [group, 'system:authenticated'], resourceAttributes };
    const answer = await call(owner(), 'POST', reviews, { spec });
    expect(answer).toMatchObject({ status: 201, body: { kind: 'SubjectAccessReview', status: { allowed: prepared } } });
  });

  test('lets a bootstrap token in that signs nothing, with what its group is granted', async () => {
    const token = draw();
    await createToken(owner(), token, { 'usage-bootstrap-signing': undefined });
    const answer = await call(presenting(owner(), token), 'POST', selfReviews, {
      spec: { resourceAttributes: requests },
    });
    expect(answer).toMatchObject({ status: 201, body: { status: { allowed: prepared } } });
  });
});

test('a binding that is made counts at once', async () => {
  const owner = admin(sandbox, 'binary-bare');
  const binding = {
    metadata: { name: 'ackone-join:node-bootstrapper' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:node-bootstrapper' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:bootstrappers' }],
  };
  const path = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
  expect((await call(owner, 'POST', path, binding)).status).toBe(201);
  const spec = { groups: ['system:bootstrappers'], resourceAttributes: requests };
  expect(await call(owner, 'POST', reviews, { spec })).toMatchObject({ body: { status: { allowed: true } } });
});
