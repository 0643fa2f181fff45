import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { missingPermissions, rbacManifest, rules } from '../../src/cluster/permissions.ts';
import { type FakeApi, json, type Seen, startFakeApi } from './fake-api.ts';
import { open } from './open.ts';

const reviews = 'POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
/** What publishing does, written down from DESIGN.md section 7. */
const needed = [
  'list nodes',
  'get configmaps kube-public/cluster-info',
  'get configmaps kube-system/kubeadm-config',
  'get configmaps kube-system/kubelet-config',
  'get configmaps kube-system/kube-proxy',
  'get configmaps kube-system/ack-agent-config',
  'patch configmaps kube-system/ack-agent-config',
  'get configmaps kube-system/ackone-join',
  'patch configmaps kube-system/ackone-join',
  'create configmaps in kube-system',
  'create secrets in kube-system',
  'get secrets in kube-system',
  'delete secrets in kube-system',
];

let api: FakeApi;
beforeAll(async () => {
  api = await startFakeApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const attributesOf = ({ body }: Seen) =>
  (JSON.parse(body) as { spec: { resourceAttributes: Record<string, string> } }).spec.resourceAttributes;
const allow = (allowed: (attributes: Record<string, string>) => boolean) =>
  api.on(reviews, (response, seen) =>
    json(201, { kind: 'SelfSubjectAccessReview', spec: {}, status: { allowed: allowed(attributesOf(seen)) } })(
      response,
      seen,
    ),
  );
const withoutReason = (text: string) => text.replace(/ \(.*\)$/, '');

test('without any right everything that publishing needs is missing, one review each', async () => {
  allow(() => false);
  const missing = await missingPermissions(await open(api));
  expect(missing.map(({ text }) => withoutReason(text))).toEqual(needed);
  expect(api.seen).toHaveLength(needed.length);
});

test('with every right nothing is missing', async () => {
  allow(() => true);
  expect(await missingPermissions(await open(api))).toEqual([]);
});

test('one that is missing is told with what it is for', async () => {
  allow(({ verb, resource }) => !(verb === 'patch' && resource === 'configmaps'));
  expect((await missingPermissions(await open(api))).map(({ text }) => text)).toEqual([
    'patch configmaps kube-system/ack-agent-config (the URL of the live script)',
    'patch configmaps kube-system/ackone-join (the history of publications, and the lock)',
  ]);
});

test('nothing in the table is granted on everything, and each row says what it is for', () => {
  for (const { resource, verbs, why } of rules) {
    expect([resource, ...verbs]).not.toContain('*');
    expect(why).toMatch(/^[a-z]/);
  }
});

interface Role {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules: readonly { apiGroups: string[]; resources: string[]; resourceNames?: string[]; verbs: string[] }[];
}

test('the manifest grants exactly that, and old names of kubelet-config', () => {
  const documents = parseAllDocuments(rbacManifest({ kind: 'User', name: 'jane' })).map(
    (document) => document.toJS() as Role,
  );
  expect(documents.map(({ kind, metadata }) => [kind, metadata.name, metadata.namespace])).toEqual([
    ['ClusterRole', 'ackone-join', undefined],
    ['ClusterRoleBinding', 'ackone-join', undefined],
    ['Role', 'ackone-join', 'kube-public'],
    ['RoleBinding', 'ackone-join', 'kube-public'],
    ['Role', 'ackone-join', 'kube-system'],
    ['RoleBinding', 'ackone-join', 'kube-system'],
  ]);
  const granted = documents
    .filter(({ rules }) => rules)
    .flatMap(({ metadata: { namespace }, rules }) =>
      rules.flatMap(({ resources: [resource], resourceNames, verbs }) =>
        verbs.flatMap((verb) =>
          resourceNames
            ? resourceNames.map((name) => `${verb} ${resource} ${namespace}/${name}`)
            : [namespace ? `${verb} ${resource} in ${namespace}` : `${verb} ${resource}`],
        ),
      ),
    );
  const old = [12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23].map(
    (minor) => `get configmaps kube-system/kubelet-config-1.${minor}`,
  );
  expect(granted.toSorted()).toEqual([...needed, ...old].toSorted());
});

test('what helps with binaries is a role of its own, and nothing that is needed is in it', () => {
  const documents = parseAllDocuments(rbacManifest({ kind: 'User', name: 'jane' }, 'binary')).map(
    (document) => document.toJS() as Role,
  );
  const granted = documents
    .filter(({ rules }) => rules)
    .flatMap(({ metadata: { name, namespace }, rules }) =>
      rules.map(({ apiGroups: [group], resources: [resource], resourceNames: [object] = [], verbs: [verb] }) =>
        [name, namespace, verb, group, resource, object].filter(Boolean).join(' '),
      ),
    );
  expect(granted).toEqual([
    'ackone-join-binary get nodes/proxy',
    'ackone-join-binary create authorization.k8s.io subjectaccessreviews',
    'ackone-join-binary default get endpoints kubernetes',
    'ackone-join-binary default get discovery.k8s.io endpointslices kubernetes',
    'ackone-join-binary kube-system get configmaps kube-root-ca.crt',
    'ackone-join-binary kube-system list apps daemonsets',
  ]);
  expect(documents.map(({ kind }) => kind)).toEqual([
    'ClusterRole',
    'ClusterRoleBinding',
    'Role',
    'RoleBinding',
    'Role',
    'RoleBinding',
  ]);
});

test.each([
  [
    { kind: 'User', name: 'jane' },
    { kind: 'User', name: 'jane', apiGroup: 'rbac.authorization.k8s.io' },
  ],
  [
    { kind: 'ServiceAccount', name: 'publisher', namespace: 'ci' },
    { kind: 'ServiceAccount', name: 'publisher', namespace: 'ci' },
  ],
] as const)('the roles are bound to %j', (subject, written) => {
  const bindings = parseAllDocuments(rbacManifest(subject))
    .map((document) => document.toJS() as { kind: string; roleRef: object; subjects: object[] })
    .filter(({ kind }) => kind.endsWith('Binding'));
  expect(bindings.map(({ subjects }) => subjects)).toEqual([[written], [written], [written]]);
  expect(bindings[1]?.roleRef).toEqual({ apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'ackone-join' });
});
