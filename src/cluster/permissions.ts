/**
 * What publishing needs of the cluster: one table, from which come the preflight's access reviews and the manifest of
 * docs/permissions.md. Every authenticated user may make access reviews and read /version by default.
 */
import { stringify } from 'yaml';
import { ourLabels } from './config-map.ts';
import type { ClusterClient } from './connect.ts';
import { operationText } from './operation.ts';
import { isAllowed } from './token-proof.ts';

type Scope = 'cluster' | 'kube-system' | 'kube-public';

interface Rule {
  readonly scope: Scope;
  readonly resource: 'nodes' | 'configmaps' | 'secrets';
  readonly verbs: readonly string[];
  /** RBAC cannot limit `create` by name, and the ids of tokens are drawn. */
  readonly names?: readonly string[];
  readonly why: string;
  /** Needed by some clusters only, so the preflight does not ask for it. */
  readonly optional?: true;
}

const oldMinors = Array.from({ length: 12 }, (_, index) => 12 + index);

export const rules: readonly Rule[] = [
  { scope: 'cluster', resource: 'nodes', verbs: ['list'], why: 'versions, runtime, regions of the existing nodes' },
  {
    scope: 'kube-public',
    resource: 'configmaps',
    names: ['cluster-info'],
    verbs: ['get'],
    why: 'server, CA pins, the signature of the token',
  },
  {
    scope: 'kube-system',
    resource: 'configmaps',
    names: ['kubeadm-config', 'kubelet-config', 'kube-proxy'],
    verbs: ['get'],
    why: 'image repository, cgroup driver, mode of kube-proxy',
  },
  {
    scope: 'kube-system',
    resource: 'configmaps',
    names: oldMinors.map((minor) => `kubelet-config-1.${minor}`),
    verbs: ['get'],
    why: 'cgroup driver, on clusters up to 1.23',
    optional: true,
  },
  {
    scope: 'kube-system',
    resource: 'configmaps',
    names: ['ack-agent-config'],
    verbs: ['get', 'patch'],
    why: 'the URL of the live script',
  },
  {
    scope: 'kube-system',
    resource: 'configmaps',
    names: ['ackone-join'],
    verbs: ['get', 'patch'],
    why: 'the history of publications, and the lock',
  },
  { scope: 'kube-system', resource: 'configmaps', verbs: ['create'], why: 'the history, at the first publication' },
  {
    scope: 'kube-system',
    resource: 'secrets',
    verbs: ['create', 'get', 'delete'],
    why: 'the bootstrap token of the script, taken back when a publication fails',
  },
];

/** One right: one verb on one object, or on a resource. */
export interface Permission {
  readonly verb: string;
  readonly resource: string;
  readonly name: string | undefined;
  readonly namespace: string | undefined;
  /** `get configmaps kube-system/kubeadm-config (image repository, …)` */
  readonly text: string;
}

const required: readonly Permission[] = rules
  .filter(({ optional }) => !optional)
  .flatMap(({ scope, resource, verbs, names = [undefined], why }) =>
    verbs.flatMap((verb) =>
      names.map((name) => {
        const right = { verb, resource, name, namespace: scope === 'cluster' ? undefined : scope };
        return { ...right, text: `${operationText(right)} (${why})` };
      }),
    ),
  );

/** Asks for every right at once. @returns what is missing, in the table's order */
export async function missingPermissions(client: Pick<ClusterClient, 'authorization'>): Promise<readonly Permission[]> {
  const allowed = await Promise.all(
    required.map(({ verb, resource, name, namespace }) =>
      isAllowed(client, { verb, resource, ...(name && { name }), ...(namespace && { namespace }) }),
    ),
  );
  return required.filter((_, index) => !allowed[index]);
}

export type Subject =
  | { readonly kind: 'User' | 'Group'; readonly name: string }
  | { readonly kind: 'ServiceAccount'; readonly name: string; readonly namespace: string };

/** YAML for `kubectl apply -f -`: the roles above and nothing more, bound to `subject`. */
export function rbacManifest(subject: Subject): string {
  const scopes: readonly Scope[] = ['cluster', 'kube-public', 'kube-system'];
  const documents = scopes.flatMap((scope) => [role(scope), binding(scope, subject)]);
  return documents.map((document) => stringify(document)).join('---\n');
}

const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1' };
const metadata = (scope: Scope) => ({
  name: 'ackone-join',
  ...(scope !== 'cluster' && { namespace: scope }),
  labels: ourLabels,
});
const roleKind = (scope: Scope) => (scope === 'cluster' ? 'ClusterRole' : 'Role');

function role(scope: Scope): object {
  const policyRules = rules
    .filter((rule) => rule.scope === scope)
    .map(({ resource, names, verbs }) => ({
      apiGroups: [''],
      resources: [resource],
      ...(names && { resourceNames: names }),
      verbs,
    }));
  return { ...rbac, kind: roleKind(scope), metadata: metadata(scope), rules: policyRules };
}

function binding(scope: Scope, subject: Subject): object {
  const apiGroup = 'rbac.authorization.k8s.io';
  return {
    ...rbac,
    kind: `${roleKind(scope)}Binding`,
    metadata: metadata(scope),
    roleRef: { apiGroup, kind: roleKind(scope), name: 'ackone-join' },
    subjects: [subject.kind === 'ServiceAccount' ? subject : { ...subject, apiGroup }],
  };
}
