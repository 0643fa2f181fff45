/**
 * What publishing needs of the cluster: one table, from which come the preflight's access reviews and the manifest of
 * docs/permissions.md. Every authenticated user may make access reviews and read /version by default.
 */
import { stringify } from 'yaml';
import { ourLabels } from './config-map.ts';
import type { ClusterClient } from './connect.ts';
import { operationText } from './operation.ts';
import { isAllowed } from './token-proof.ts';

const scopes = ['cluster', 'default', 'kube-public', 'kube-system'] as const;
type Scope = (typeof scopes)[number];

interface Rule {
  readonly scope: Scope;
  /** API group; undefined for the core group. */
  readonly group?: string;
  readonly resource: string;
  readonly verbs: readonly string[];
  /** RBAC cannot limit `create` by name, and the ids of tokens are drawn. */
  readonly names?: readonly string[];
  readonly why: string;
  /**
   * Needed by some clusters only, so the preflight does not ask for it. `binary`: of use where kubeadm did not install the
   * cluster, and not needed there either: what may not be read is asked for by flags.
   */
  readonly optional?: true | 'binary';
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
  {
    scope: 'cluster',
    resource: 'nodes/proxy',
    verbs: ['get'],
    why: "kubelet's configuration, from a worker",
    optional: 'binary',
  },
  {
    scope: 'cluster',
    group: 'authorization.k8s.io',
    resource: 'subjectaccessreviews',
    verbs: ['create'],
    why: 'whether new nodes are granted what they need',
    optional: 'binary',
  },
  {
    scope: 'default',
    resource: 'endpoints',
    names: ['kubernetes'],
    verbs: ['get'],
    why: 'addresses of the API servers',
    optional: 'binary',
  },
  {
    scope: 'default',
    group: 'discovery.k8s.io',
    resource: 'endpointslices',
    names: ['kubernetes'],
    verbs: ['get'],
    why: 'the same, from 1.33 on',
    optional: 'binary',
  },
  {
    scope: 'kube-system',
    resource: 'configmaps',
    names: ['kube-root-ca.crt'],
    verbs: ['get'],
    why: "the CA of the API server's certificate",
    optional: 'binary',
  },
  {
    scope: 'kube-system',
    group: 'apps',
    resource: 'daemonsets',
    verbs: ['list'],
    why: 'whether kube-proxy comes to new nodes by itself',
    optional: 'binary',
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

/** `basic`: what every publication needs; `binary`: what helps beside it where kubeadm did not install the cluster. */
type Part = 'basic' | 'binary';
const roleNames: Readonly<Record<Part, string>> = { basic: 'ackone-join', binary: 'ackone-join-binary' };

/** YAML for `kubectl apply -f -`: the roles of that part and nothing more, bound to `subject`. */
export function rbacManifest(subject: Subject, part: Part = 'basic'): string {
  const granted = rules.filter(({ optional }) => (optional === 'binary') === (part === 'binary'));
  const documents = scopes.flatMap((scope) => {
    const inScope = granted.filter((rule) => rule.scope === scope);
    return inScope.length === 0
      ? []
      : [role(scope, roleNames[part], inScope), binding(scope, roleNames[part], subject)];
  });
  return documents.map((document) => stringify(document)).join('---\n');
}

const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1' };
const metadata = (scope: Scope, name: string) => ({
  name,
  ...(scope !== 'cluster' && { namespace: scope }),
  labels: ourLabels,
});
const roleKind = (scope: Scope) => (scope === 'cluster' ? 'ClusterRole' : 'Role');

function role(scope: Scope, name: string, inScope: readonly Rule[]): object {
  const policyRules = inScope.map(({ group = '', resource, names: objects, verbs }) => ({
    apiGroups: [group],
    resources: [resource],
    ...(objects && { resourceNames: objects }),
    verbs,
  }));
  return { ...rbac, kind: roleKind(scope), metadata: metadata(scope, name), rules: policyRules };
}

function binding(scope: Scope, name: string, subject: Subject): object {
  const apiGroup = 'rbac.authorization.k8s.io';
  return {
    ...rbac,
    kind: `${roleKind(scope)}Binding`,
    metadata: metadata(scope, name),
    roleRef: { apiGroup, kind: roleKind(scope), name },
    subjects: [subject.kind === 'ServiceAccount' ? subject : { ...subject, apiGroup }],
  };
}
