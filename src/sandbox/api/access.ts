/** RBAC, evaluated from the roles and bindings that the cluster keeps (kubernetes plugin/pkg/auth/authorizer/rbac). */
import type { KubeObject, Objects } from './objects.ts';
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from './resources.ts';
import type { User } from './users.ts';

export interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** What somebody wants to do, on a resource or on a path. */
export interface Attributes {
  readonly verb: string;
  readonly path?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

interface Subject {
  readonly kind: string;
  readonly name: string;
}

interface Grant {
  readonly rule: Rule;
  readonly reason: string;
}

export function authorize(user: User, wanted: Attributes, objects: Objects): { allowed: boolean; reason?: string } {
  if (user.groups.includes('system:masters')) return { allowed: true };
  const grant = grants(user, objects, wanted.namespace).find(({ rule }) => covers(rule, wanted));
  return grant ? { allowed: true, reason: grant.reason } : { allowed: false };
}

/** Every rule that holds for the user in the namespace, and in the whole cluster. */
export function grants(user: User, objects: Objects, namespace: string | undefined): readonly Grant[] {
  const local = namespace ? objects.list(roleBindings, namespace) : [];
  return [...objects.list(clusterRoleBindings), ...local].flatMap((binding) => grantsOf(binding, user, objects));
}

function grantsOf(binding: KubeObject, user: User, objects: Objects): readonly Grant[] {
  const subjects = (binding.subjects ?? []) as readonly Subject[];
  const subject = subjects.find(({ kind, name }) =>
    kind === 'Group' ? user.groups.includes(name) : kind === 'User' && name === user.name,
  );
  if (!subject) return [];
  const { kind, name } = binding.roleRef as Subject;
  const { namespace } = binding.metadata;
  const role =
    kind === 'ClusterRole' ? objects.find(clusterRoles, undefined, name) : objects.find(roles, namespace, name);
  const bindingName = namespace === undefined ? binding.metadata.name : `${binding.metadata.name}/${namespace}`;
  const reason = `RBAC: allowed by ${binding.kind} "${bindingName}" of ${kind} "${name}" to ${subject.kind} "${subject.name}"`;
  return ((role?.rules ?? []) as readonly Rule[]).map((rule) => ({ rule, reason }));
}

function covers(rule: Rule, wanted: Attributes): boolean {
  const { verb, path, group = '', resource = '', subresource = '', name = '' } = wanted;
  if (!includes(rule.verbs, verb)) return false;
  if (path !== undefined) return (rule.nonResourceURLs ?? []).some((url) => matchesPath(url, path));
  const whole = subresource === '' ? resource : `${resource}/${subresource}`;
  const { resources = [], resourceNames = [] } = rule;
  const resourceFits = includes(resources, whole) || (subresource !== '' && resources.includes(`*/${subresource}`));
  const nameFits = resourceNames.length === 0 || resourceNames.includes(name);
  return includes(rule.apiGroups, group) && resourceFits && nameFits;
}

const includes = (list: readonly string[] = [], value: string) => list.includes('*') || list.includes(value);
const matchesPath = (url: string, path: string) =>
  url.endsWith('*') ? path.startsWith(url.slice(0, -1)) : url === path;
