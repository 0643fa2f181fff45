/**
 * What nodes without kubeadm need to be granted before the first of them starts: to ask for a certificate, to have it
 * approved, and to have it renewed (kubernetes.io, "TLS bootstrapping"). kubeadm makes its own bindings; here nobody has.
 */
import { stringify } from 'yaml';
import { Failure } from '../errors.ts';
import { ourLabels } from './config-map.ts';
import type { ClusterClient } from './connect.ts';
import { createRequests, getNodes, type Need, renewalApproved, requestsApproved } from './token-proof.ts';

interface Grant {
  readonly need: Need;
  /** The group that it is granted to. */
  readonly group: 'system:bootstrappers' | 'system:nodes';
  /** Name of the binding. */
  readonly name: string;
  /** A ClusterRole that every API server has (plugin/pkg/auth/authorizer/rbac/bootstrappolicy); undefined: one of ours. */
  readonly role?: string;
}

const approver = (kind: string) => `system:certificates.k8s.io:certificatesigningrequests:${kind}`;
const grants: readonly Grant[] = [
  {
    need: createRequests,
    group: 'system:bootstrappers',
    name: 'ackone-join:node-bootstrapper',
    role: 'system:node-bootstrapper',
  },
  {
    need: requestsApproved,
    group: 'system:bootstrappers',
    name: 'ackone-join:nodeclient',
    role: approver('nodeclient'),
  },
  { need: getNodes, group: 'system:bootstrappers', name: 'ackone-join:get-nodes' },
  {
    need: renewalApproved,
    group: 'system:nodes',
    name: 'ackone-join:selfnodeclient',
    role: approver('selfnodeclient'),
  },
];

/**
 * YAML for `kubectl apply -f -` that grants what is missing.
 * @param missing Texts of needs; others are left out. @returns undefined when no role of ours would help
 */
export function manifestFor(missing: readonly string[]): string | undefined {
  const lacking = grants.filter(({ need }) => missing.includes(need.text));
  if (lacking.length === 0) return undefined;
  return lacking
    .flatMap(documents)
    .map((document) => stringify(document))
    .join('---\n');
}

export type RolesReview =
  | { readonly result: 'granted' }
  | { readonly result: 'missing'; readonly missing: readonly string[]; readonly manifest: string | undefined }
  /** Nobody lets us ask what others may. */
  | { readonly result: 'unknown'; readonly why: string };

/**
 * Asks the API server what new nodes, and those that have joined, may do. Nothing is stored by it.
 * @param tokenGroups The extra groups of the token; undefined where nodes come with a credential of the user's own, whose
 *   groups are not known: then only renewal is asked for.
 * @throws Failure of every kind that a request ends with, but for a right that is missing
 */
export async function reviewBootstrapRoles(
  client: Pick<ClusterClient, 'authorization'>,
  tokenGroups: readonly string[] | undefined,
): Promise<RolesReview> {
  const asked = grants.filter(({ group }) => tokenGroups !== undefined || group === 'system:nodes');
  try {
    const answers = await Promise.all(
      asked.map(({ need, group }) =>
        mayGroups(client, need, [group, ...(group === 'system:nodes' ? [] : (tokenGroups ?? []))]),
      ),
    );
    const missing = asked.filter((_, index) => !answers[index]);
    if (missing.length === 0) return { result: 'granted' };
    return {
      result: 'missing',
      missing: missing.map(({ need, group }) => `group ${group} may not ${need.text}`),
      manifest: manifestFor(missing.map(({ need }) => need.text)),
    };
  } catch (error) {
    if (error instanceof Failure && error.code === 'ClusterForbidden') return { result: 'unknown', why: error.message };
    throw error;
  }
}

/** A SubjectAccessReview for somebody of these groups, whoever it is. */
async function mayGroups(
  client: Pick<ClusterClient, 'authorization'>,
  { attributes }: Need,
  groups: readonly string[],
): Promise<boolean> {
  const spec = { groups: [...new Set([...groups, 'system:authenticated'])], resourceAttributes: attributes };
  const review = await client.authorization.createSubjectAccessReview({ body: { spec } });
  return review.status?.allowed === true;
}

const apiGroup = 'rbac.authorization.k8s.io';

function documents({ need: { attributes }, group, name, role }: Grant): readonly object[] {
  const meta = { apiVersion: `${apiGroup}/v1`, metadata: { name, labels: ourLabels } };
  const { group: of = '', resource, verb } = attributes;
  const own = { ...meta, kind: 'ClusterRole', rules: [{ apiGroups: [of], resources: [resource], verbs: [verb] }] };
  const binding = {
    ...meta,
    kind: 'ClusterRoleBinding',
    roleRef: { apiGroup, kind: 'ClusterRole', name: role ?? name },
    subjects: [{ kind: 'Group', name: group, apiGroup }],
  };
  return role === undefined ? [own, binding] : [binding];
}
