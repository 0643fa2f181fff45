/** What the sandbox's API server serves: as much of the API as ackone-join, kubeadm's discovery and kubectl ask for. */
export interface Resource {
  /** Empty for the core group. */
  readonly group: string;
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly Verb[];
  readonly shortNames?: readonly string[];
}

export type Verb = 'create' | 'delete' | 'get' | 'list' | 'patch' | 'update';

const rbac = 'rbac.authorization.k8s.io';
const kept = ['create', 'delete', 'get', 'list', 'patch', 'update'] as const;
const core = { group: '', namespaced: false, verbs: kept };

export const nodes: Resource = { ...core, name: 'nodes', kind: 'Node', shortNames: ['no'] };
export const namespaces: Resource = {
  ...core,
  name: 'namespaces',
  kind: 'Namespace',
  shortNames: ['ns'],
  verbs: ['get', 'list'],
};
export const configMaps: Resource = {
  ...core,
  name: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
  shortNames: ['cm'],
};
export const secrets: Resource = { ...core, name: 'secrets', kind: 'Secret', namespaced: true };
export const endpoints: Resource = {
  ...core,
  name: 'endpoints',
  kind: 'Endpoints',
  namespaced: true,
  shortNames: ['ep'],
};
export const endpointSlices: Resource = {
  ...core,
  group: 'discovery.k8s.io',
  name: 'endpointslices',
  kind: 'EndpointSlice',
  namespaced: true,
};
export const daemonSets: Resource = {
  ...core,
  group: 'apps',
  name: 'daemonsets',
  kind: 'DaemonSet',
  namespaced: true,
  shortNames: ['ds'],
};

const access = (kind: string, namespaced: boolean): Resource => ({
  group: rbac,
  name: `${kind.toLowerCase()}s`,
  kind,
  namespaced,
  verbs: kept,
});
export const roles = access('Role', true);
export const roleBindings = access('RoleBinding', true);
export const clusterRoles = access('ClusterRole', false);
export const clusterRoleBindings = access('ClusterRoleBinding', false);

/** Answers a question instead of keeping an object. */
const review = (group: string, kind: string): Resource => ({
  group,
  name: `${kind.toLowerCase()}s`,
  kind,
  namespaced: false,
  verbs: ['create'],
});
const accessReviews = review('authorization.k8s.io', 'SelfSubjectAccessReview');
const othersReviews = review('authorization.k8s.io', 'SubjectAccessReview');
const rulesReviews = review('authorization.k8s.io', 'SelfSubjectRulesReview');
export const subjectReviews = review('authentication.k8s.io', 'SelfSubjectReview');

export const resources: readonly Resource[] = [
  nodes,
  namespaces,
  configMaps,
  secrets,
  endpoints,
  endpointSlices,
  daemonSets,
  roles,
  roleBindings,
  clusterRoles,
  clusterRoleBindings,
  accessReviews,
  othersReviews,
  rulesReviews,
  subjectReviews,
];

/** All groups here are served as v1 only. */
export const apiVersion = ({ group }: Resource) => (group === '' ? 'v1' : `${group}/v1`);
