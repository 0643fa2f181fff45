import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { manifestFor, reviewBootstrapRoles } from '../../src/cluster/bootstrap-roles.ts';
import { type FakeApi, forbidden, json, refused, type Seen, startFakeApi } from './fake-api.ts';
import { open } from './open.ts';
import { rejection } from './rejection.ts';

const reviews = 'POST /apis/authorization.k8s.io/v1/subjectaccessreviews';

let api: FakeApi;
beforeAll(async () => {
  api = await startFakeApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

interface Spec {
  readonly user?: string;
  readonly groups: readonly string[];
  readonly resourceAttributes: Readonly<Record<string, string>>;
}
const specOf = ({ body }: Seen) => (JSON.parse(body) as { spec: Spec }).spec;
const allow = (allowed: (spec: Spec) => boolean) =>
  api.on(reviews, (response, seen) =>
    json(201, { kind: 'SubjectAccessReview', spec: {}, status: { allowed: allowed(specOf(seen)) } })(response, seen),
  );
const review = async (groups: readonly string[] | undefined) => reviewBootstrapRoles(await open(api), groups);

const requests = { group: 'certificates.k8s.io', resource: 'certificatesigningrequests', verb: 'create' };
const bootstrappers = ['system:bootstrappers', 'system:bootstrappers:ecs', 'system:authenticated'];
const nodes = ['system:nodes', 'system:authenticated'];

test('asks, in a run that may only read, what new nodes and joined ones may do', async () => {
  allow(() => true);
  expect(await review(['system:bootstrappers:ecs'])).toEqual({ result: 'granted' });
  expect(api.seen.map(specOf)).toEqual([
    { groups: bootstrappers, resourceAttributes: requests },
    { groups: bootstrappers, resourceAttributes: { ...requests, subresource: 'nodeclient' } },
    { groups: bootstrappers, resourceAttributes: { resource: 'nodes', verb: 'get' } },
    { groups: nodes, resourceAttributes: { ...requests, subresource: 'selfnodeclient' } },
  ]);
});

test("asks for renewal only where nodes bring a credential of the user's own", async () => {
  allow(() => true);
  expect(await review(undefined)).toEqual({ result: 'granted' });
  expect(api.seen.map(specOf)).toEqual([
    { groups: nodes, resourceAttributes: { ...requests, subresource: 'selfnodeclient' } },
  ]);
});

test('names each that is missing, and gives a manifest for these alone', async () => {
  allow(({ resourceAttributes: { subresource } }) => subresource !== 'nodeclient' && subresource !== 'selfnodeclient');
  const found = await review([]);
  expect(found).toMatchObject({
    result: 'missing',
    missing: [
      'group system:bootstrappers may not create certificatesigningrequests/nodeclient',
      'group system:nodes may not create certificatesigningrequests/selfnodeclient',
    ],
  });
  const manifest = found.result === 'missing' ? (found.manifest ?? '') : '';
  const labels = { 'app.kubernetes.io/managed-by': 'ackone-join' };
  const binding = (name: string, role: string, group: string) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name, labels },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'Group', name: group, apiGroup: 'rbac.authorization.k8s.io' }],
  });
  expect(parseAllDocuments(manifest).map((document) => document.toJS())).toEqual([
    binding(
      'ackone-join:nodeclient',
      'system:certificates.k8s.io:certificatesigningrequests:nodeclient',
      'system:bootstrappers',
    ),
    binding(
      'ackone-join:selfnodeclient',
      'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient',
      'system:nodes',
    ),
  ]);
});

test('the right to get nodes comes with a role of its own, since no server has one', () => {
  const [role, binding] = parseAllDocuments(manifestFor(['get nodes']) ?? '').map((document) => document.toJS());
  expect(role).toMatchObject({
    kind: 'ClusterRole',
    metadata: { name: 'ackone-join:get-nodes' },
    rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }],
  });
  expect(binding).toMatchObject({ kind: 'ClusterRoleBinding', roleRef: { name: 'ackone-join:get-nodes' } });
});

test('no manifest helps against what is no role', () => {
  expect(manifestFor(['log-in with the token'])).toBeUndefined();
});

test('who may not ask learns nothing, and that is no failure', async () => {
  api.on(reviews, forbidden('create', 'subjectaccessreviews'));
  expect(await review([])).toEqual({
    result: 'unknown',
    why: 'could not create subjectaccessreviews: context lab lacks the right to do so (403)',
  });
});

test('a server that fails is one', async () => {
  api.on(reviews, refused(500, 'InternalError'));
  expect((await rejection(review([]))).code).toBe('ClusterServerError');
});
