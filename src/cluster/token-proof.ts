/** Proves a credential by using it, as a joining node would (facts/registered-cluster.md). */
import type { User as ClientUser, V1ResourceAttributes } from '@kubernetes/client-node';
import { Failure } from '../errors.ts';
import type { Cluster, ClusterClient } from './connect.ts';
import { readAnonymously } from './discovery.ts';
import { kubeletConfigNames } from './kubeadm-facts.ts';
import type { BootstrapToken, DiscoveryFact, TokenProof } from './types.ts';
import { wait } from './wait.ts';

export interface Need {
  readonly text: string;
  readonly attributes: V1ResourceAttributes;
}

const csr = { group: 'certificates.k8s.io', resource: 'certificatesigningrequests', verb: 'create' };
const configMap = { namespace: 'kube-system', resource: 'configmaps', verb: 'get' };

export const createRequests: Need = { text: 'create certificatesigningrequests', attributes: csr };
/** Without this one the request stays pending, and the join hangs. */
export const requestsApproved: Need = {
  text: 'create certificatesigningrequests/nodeclient',
  attributes: { ...csr, subresource: 'nodeclient' },
};
/** Of a joined node: without it the certificate is not renewed, and the node is lost a year later. */
export const renewalApproved: Need = {
  text: 'create certificatesigningrequests/selfnodeclient',
  attributes: { ...csr, subresource: 'selfnodeclient' },
};
export const getNodes: Need = { text: 'get nodes', attributes: { resource: 'nodes', verb: 'get' } };

/**
 * What kubeadm grants to the group of its tokens: cmd/kubeadm/app/phases/bootstraptoken/node/tlsbootstrap.go,
 * phases/uploadconfig/uploadconfig.go, phases/kubelet/config.go. kubeadm looks for a Node of the same name from 1.18 on.
 */
function kubeadmNeeds(kubeMinor: number): readonly Need[] {
  const [kubeletConfig] = kubeletConfigNames(kubeMinor);
  return [
    createRequests,
    requestsApproved,
    { text: 'get configmaps kube-system/kubeadm-config', attributes: { ...configMap, name: 'kubeadm-config' } },
    { text: `get configmaps kube-system/${kubeletConfig}`, attributes: { ...configMap, name: kubeletConfig } },
    ...(kubeMinor >= 18 ? [getNodes] : []),
  ];
}

/** What a script for binaries does with its credential; it looks for a Node of the same name with a bearer token only. */
const bootstrapNeeds = (isToken: boolean): readonly Need[] => [
  createRequests,
  requestsApproved,
  ...(isToken ? [getNodes] : []),
];

/** An API server as nodes reach it: `https://host:port`, and the CAs of its certificate. */
export type Entrance = Pick<DiscoveryFact, 'server' | 'caPem'>;

/** The API server's authenticator learns of a new Secret by a watch, a moment after it was made. */
const authenticatorLagMs = 5000;
const pauseMs = 500;

interface Trial {
  readonly at: Entrance;
  readonly user: ClientUser;
  readonly needs: readonly Need[];
  /** Whether a read of cluster-info without credentials comes first. */
  readonly discovers: boolean;
  /** What is missing when the user is not let in. */
  readonly login: string;
  /** How long that may have another reason. */
  readonly lagMs: number;
}

/** Not in connect.ts, with which the client of the cluster is loaded: the wizard's first frame waits for this file. */
export const tokenUser = ({ id, secret }: BootstrapToken): ClientUser => ({
  name: `bootstrap token ${id}`,
  token: `${id}.${secret}`,
});

const ofToken = (token: BootstrapToken) => ({
  user: tokenUser(token),
  login: 'log-in with the token: is --enable-bootstrap-token-auth of kube-apiserver on?',
  lagMs: authenticatorLagMs,
});

/**
 * Asks cluster-info's own server, by its own CA, with the token as bearer: not the kubeconfig's server, which may be a
 * proxy that takes neither tokens nor anonymous requests.
 * @throws only what ends the whole run (the signal); every answer is one of the three results
 */
export const proveToken = (cluster: Cluster, discovery: DiscoveryFact, token: BootstrapToken, kubeMinor: number) =>
  prove(cluster, { at: discovery, ...ofToken(token), needs: kubeadmNeeds(kubeMinor), discovers: true });

/** The same for a cluster without cluster-info. */
export const proveBootstrapToken = (cluster: Cluster, at: Entrance, token: BootstrapToken): Promise<TokenProof> =>
  prove(cluster, { at, ...ofToken(token), needs: bootstrapNeeds(true), discovers: false });

/** The same with the credential of a bootstrap kubeconfig, which is no newcomer. */
export const proveBootstrapUser = (cluster: Cluster, at: Entrance, user: ClientUser): Promise<TokenProof> =>
  prove(cluster, {
    ...{ at, user, login: `log-in with the ${user.name}`, lagMs: 0 },
    ...{ needs: bootstrapNeeds(user.token !== undefined), discovers: false },
  });

async function prove(cluster: Cluster, { at, user, needs, discovers, login, lagMs }: Trial): Promise<TokenProof> {
  const client = cluster.at(at.server, at.caPem, user);
  try {
    const [anonymous, answers] = await Promise.all([
      discovers ? readAnonymously(cluster.at(at.server, at.caPem)) : undefined,
      authenticated(client, lagMs).then(() =>
        Promise.all(needs.map(({ attributes }) => isAllowed(client, attributes))),
      ),
    ]);
    if (anonymous?.result === 'unreachable') return { result: 'unreachable', why: anonymous.why };
    const outcomes = [
      ...(anonymous
        ? [{ text: 'read of cluster-info without credentials', holds: anonymous.result === 'readable' }]
        : []),
      ...needs.map(({ text }, index) => ({ text, holds: answers[index] })),
    ];
    const missing = outcomes.filter(({ holds }) => !holds).map(({ text }) => text);
    if (missing.length > 0) return { result: 'refuted', missing };
    return { result: 'proven', shown: outcomes.map(({ text }) => text) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code !== 'ClusterUnauthorized') return { result: 'unreachable', why: error.message };
    return { result: 'refuted', missing: [login] };
  }
}

/** One review until the user is known, or the time is over. @throws Failure ClusterUnauthorized */
async function authenticated(client: ClusterClient, lagMs: number): Promise<void> {
  const end = Date.now() + lagMs;
  for (;;) {
    try {
      await isAllowed(client, csr);
      return;
    } catch (error) {
      const unknown = error instanceof Failure && error.code === 'ClusterUnauthorized';
      if (!unknown || Date.now() + pauseMs > end) throw error;
    }
    await wait(pauseMs, client.signal);
  }
}

/** One SelfSubjectAccessReview, which every authenticated user may make. */
export async function isAllowed(
  client: Pick<ClusterClient, 'authorization'>,
  resourceAttributes: V1ResourceAttributes,
): Promise<boolean> {
  const review = await client.authorization.createSelfSubjectAccessReview({ body: { spec: { resourceAttributes } } });
  return review.status?.allowed === true;
}
