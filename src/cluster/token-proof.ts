/** Proves a token by using it, as a joining node would (facts/registered-cluster.md). */
import type { V1ResourceAttributes } from '@kubernetes/client-node';
import { Failure } from '../errors.ts';
import type { Cluster, ClusterClient } from './connect.ts';
import { readAnonymously } from './discovery.ts';
import { kubeletConfigNames } from './kubeadm-facts.ts';
import type { BootstrapToken, DiscoveryFact, TokenProof } from './types.ts';
import { wait } from './wait.ts';

interface Need {
  readonly text: string;
  readonly attributes: V1ResourceAttributes;
}

const csr = { group: 'certificates.k8s.io', resource: 'certificatesigningrequests', verb: 'create' };
const configMap = { namespace: 'kube-system', resource: 'configmaps', verb: 'get' };

/**
 * What kubeadm grants to the group of its tokens: cmd/kubeadm/app/phases/bootstraptoken/node/tlsbootstrap.go,
 * phases/uploadconfig/uploadconfig.go, phases/kubelet/config.go. kubeadm looks for a Node of the same name from 1.18 on.
 */
function needs(kubeMinor: number): readonly Need[] {
  const [kubeletConfig] = kubeletConfigNames(kubeMinor);
  return [
    { text: 'create certificatesigningrequests', attributes: csr },
    // Without this one the request stays pending, and the join hangs.
    { text: 'create certificatesigningrequests/nodeclient', attributes: { ...csr, subresource: 'nodeclient' } },
    { text: 'get configmaps kube-system/kubeadm-config', attributes: { ...configMap, name: 'kubeadm-config' } },
    { text: `get configmaps kube-system/${kubeletConfig}`, attributes: { ...configMap, name: kubeletConfig } },
    ...(kubeMinor >= 18 ? [{ text: 'get nodes', attributes: { resource: 'nodes', verb: 'get' } }] : []),
  ];
}

/** The API server's authenticator learns of a new Secret by a watch, a moment after it was made. */
const authenticatorLagMs = 5000;
const pauseMs = 500;

/**
 * Asks cluster-info's own server, by its own CA, with the token as bearer: not the kubeconfig's server, which may be a
 * proxy that takes neither tokens nor anonymous requests.
 * @throws only what ends the whole run (the signal); every answer is one of the three results
 */
export async function proveToken(
  cluster: Cluster,
  discovery: DiscoveryFact,
  token: BootstrapToken,
  kubeMinor: number,
): Promise<TokenProof> {
  const asToken = cluster.at(discovery.server, discovery.caPem, token);
  const asked = needs(kubeMinor);
  try {
    const [anonymous, answers] = await Promise.all([
      readAnonymously(cluster.at(discovery.server, discovery.caPem)),
      authenticated(asToken).then(() => Promise.all(asked.map((need) => isAllowed(asToken, need.attributes)))),
    ]);
    if (anonymous.result === 'unreachable') return { result: 'unreachable', why: anonymous.why };
    const outcomes = [
      { text: 'read of cluster-info without credentials', holds: anonymous.result === 'readable' },
      ...asked.map(({ text }, index) => ({ text, holds: answers[index] })),
    ];
    const missing = outcomes.filter(({ holds }) => !holds).map(({ text }) => text);
    if (missing.length > 0) return { result: 'refuted', missing };
    return { result: 'proven', shown: outcomes.map(({ text }) => text) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code !== 'ClusterUnauthorized') return { result: 'unreachable', why: error.message };
    const missing = 'log-in with the token: is --enable-bootstrap-token-auth of kube-apiserver on?';
    return { result: 'refuted', missing: [missing] };
  }
}

/** One review until the token is known, or its time is over. @throws Failure ClusterUnauthorized */
async function authenticated(client: ClusterClient): Promise<void> {
  const end = Date.now() + authenticatorLagMs;
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
