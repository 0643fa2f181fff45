/** What the four review resources answer. Nothing is kept. */
import { type Attributes, authorize, grants } from './access.ts';
import type { KubeObject, Objects } from './objects.ts';
import type { Resource } from './resources.ts';
import { badRequest, invalid, invalidValue } from './status.ts';
import type { User } from './users.ts';

interface Spec {
  readonly namespace?: string;
  /** Of a SubjectAccessReview: who is asked about. */
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly resourceAttributes?: Attributes;
  readonly nonResourceAttributes?: Attributes;
}

export function review(resource: Resource, given: KubeObject, user: User, objects: Objects) {
  const spec = (given.spec ?? {}) as Spec;
  const { kind, apiVersion } = given;
  switch (resource.kind) {
    case 'SelfSubjectAccessReview':
      return { kind, apiVersion, metadata: {}, spec, status: authorize(user, wanted(spec), objects) };
    case 'SubjectAccessReview':
      return { kind, apiVersion, metadata: {}, spec, status: authorize(subject(spec), wanted(spec), objects) };
    case 'SelfSubjectRulesReview':
      return { kind, apiVersion, metadata: {}, spec: {}, status: rules(spec, user, objects) };
    default:
      return {
        kind,
        apiVersion,
        metadata: { creationTimestamp: new Date().toISOString().replace(/\.\d+/, '') },
        status: { userInfo: { username: user.name, groups: user.groups } },
      };
  }
}

const problem = (field: string, value: unknown, why: string) =>
  invalid('', 'authorization.k8s.io', '', [invalidValue(field, value, why)]);

function subject({ user = '', groups = [] }: Spec): User {
  if (user === '' && groups.length === 0) {
    throw problem('spec.user', '', 'at least one of user or group must be specified');
  }
  return { name: user, groups };
}

function wanted({ resourceAttributes, nonResourceAttributes }: Spec): Attributes {
  if (resourceAttributes && nonResourceAttributes) {
    const why = 'cannot be specified in combination with resourceAttributes';
    throw problem('spec.nonResourceAttributes', nonResourceAttributes, why);
  }
  const attributes = resourceAttributes ?? nonResourceAttributes;
  if (!attributes) {
    const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    throw problem('spec.resourceAttributes', null, why);
  }
  return attributes;
}

function rules({ namespace }: Spec, user: User, objects: Objects) {
  if (!namespace) throw badRequest('no namespace on request');
  const all = grants(user, objects, namespace).map(({ rule }) => rule);
  return {
    resourceRules: all.filter((rule) => rule.resources),
    nonResourceRules: all.filter((rule) => rule.nonResourceURLs),
    incomplete: false,
  };
}
