/** RBAC rules, one right at a time. */
import { parseAllDocuments, stringify } from 'yaml';
import { type Connection, call } from '../support/raw-api.ts';

export interface Right {
  /** Undefined: of the whole cluster. */
  readonly namespace: string | undefined;
  readonly verb: string;
  readonly resource: string;
  /** Undefined: every object. */
  readonly name: string | undefined;
}

interface PolicyRule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** Each verb on each resource and name by itself. */
const apart = ({ apiGroups = [], resources = [], resourceNames, verbs }: PolicyRule): PolicyRule[] =>
  verbs.flatMap((verb) =>
    resources.flatMap((resource) =>
      (resourceNames ?? [undefined]).map((name) => ({
        apiGroups,
        resources: [resource],
        ...(name !== undefined && { resourceNames: [name] }),
        verbs: [verb],
      })),
    ),
  );

/** The manifest of roles and bindings, without that one right. */
export function manifestWithout(manifest: string, right: Right): string {
  const documents = parseAllDocuments(manifest).map((document) => {
    const object = document.toJS() as { metadata: { namespace?: string }; rules?: PolicyRule[] };
    if (!object.rules || object.metadata.namespace !== right.namespace) return object;
    const isTheRight = ({ resources, resourceNames, verbs }: PolicyRule) =>
      verbs[0] === right.verb && resources?.[0] === right.resource && resourceNames?.[0] === right.name;
    return { ...object, rules: object.rules.flatMap(apart).filter((rule) => !isTheRight(rule)) };
  });
  return documents.map((document) => stringify(document)).join('---\n');
}

/** What the API server itself says that this user may do in a namespace: `get configmaps cluster-info`, sorted. */
export async function rightsIn(user: Connection, namespace: string): Promise<string[]> {
  const { body } = await call(user, 'POST', '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectRulesReview',
    spec: { namespace },
  });
  const { resourceRules } = (body as { status: { resourceRules: PolicyRule[] } }).status;
  return resourceRules
    .flatMap(apart)
    .map(({ verbs, resources = [], resourceNames = [] }) => [...verbs, ...resources, ...resourceNames].join(' '))
    .sort();
}
