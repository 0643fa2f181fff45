/** Everything that the cluster says, read at once and without changing anything. */
import { Failure } from '../errors.ts';
import { decideStyle } from '../script/style.ts';
import { agentConfigSource, readAgentConfig } from './agent-config.ts';
import { type Answered, noBinaryFacts, type OrUnread, readBinaryFacts } from './binary-facts.ts';
import { configMapSource } from './config-map.ts';
import type { Cluster } from './connect.ts';
import { clusterInfoSource, parseClusterInfo, readAnonymously, readClusterInfo } from './discovery.ts';
import { readKubeadmConfig, readKubeletConfig, readKubeProxyMode } from './kubeadm-facts.ts';
import { clusterNameOf } from './names.ts';
import { readNodes, regionsOf } from './nodes.ts';
import type { ClusterFacts, DiscoveryFact, Sourced, Unread } from './types.ts';

/**
 * What may not be read is left undefined, with a sentence in `unread`. cluster-info is the exception: undefined means
 * that there is none, so a refusal is a Failure.
 * @param answered What only a binary script needs is read for nobody else, and only where no answer says it.
 * @throws Failure of every kind that a request ends with, DiscoveryInvalid, KubeadmObjectMissing
 */
export async function readFacts(cluster: Cluster, answered: Answered = {}): Promise<ClusterFacts> {
  const unread: Unread[] = [];
  const orUnread: OrUnread = async (fact, source, reading) => {
    try {
      return await reading;
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'ClusterForbidden') throw error;
      unread.push({ fact, why: `${source} was not read: ${error.message}` });
      return undefined;
    }
  };
  const version = readVersion(cluster);
  const [serverVersion, nodes, kubeadm, kubelet, kubeProxyMode, discovery, agentConfig] = await Promise.all([
    version,
    orUnread('nodes', 'the list of nodes', readNodes(cluster)),
    orUnread('kubeadm', configMapSource('kube-system', 'kubeadm-config'), readKubeadmConfig(cluster)),
    orUnread(
      'kubelet',
      'the configuration of kubelet',
      version.then(({ value }) => readKubeletConfig(cluster, minorOf(value))),
    ),
    orUnread('kubeProxyMode', 'the mode of kube-proxy', readKubeProxyMode(cluster)),
    readDiscovery(cluster, unread),
    orUnread('agentConfig', agentConfigSource, readAgentConfig(cluster)),
  ]);
  const style = decideStyle({ discovery, kubeadm, unread }, { style: answered.style ?? 'auto' }).value;
  const binary =
    style === 'binary'
      ? await readBinaryFacts(cluster, { nodes, version: serverVersion.value }, answered, orUnread, unread)
      : noBinaryFacts;
  return {
    context: cluster.context,
    clusterName: clusterNameOf(kubeadm?.value.clusterName, cluster.context),
    kubeconfigServer: cluster.server,
    serverVersion,
    nodes,
    kubeadm,
    kubelet,
    kubeProxyMode,
    discovery,
    ...binary,
    agentConfig,
    nodeRegions: regionsOf(nodes ?? []),
    unread: unread
      // Without kubeadm nobody reads its kubelet-config, under whichever name it could have been.
      .filter(({ fact }) => style === 'kubeadm' || fact !== 'kubelet')
      .sort((a, b) => a.why.localeCompare(b.why)),
  };
}

async function readVersion(cluster: Cluster): Promise<Sourced<string>> {
  const { gitVersion } = await cluster.version.getCode();
  return { value: gitVersion, source: 'GET /version' };
}

/** 28 of `v1.28.3`; 0 of what is no version, which decide() refuses. */
const minorOf = (gitVersion: string): number => Number(/^v?1\.(\d{1,4})/.exec(gitVersion)?.[1] ?? 0);

async function readDiscovery(cluster: Cluster, unread: Unread[]): Promise<Sourced<DiscoveryFact> | undefined> {
  const configMap = await readClusterInfo(cluster);
  if (!configMap) return undefined;
  const found = parseClusterInfo(configMap);
  const { result, why } = await readAnonymously(cluster.at(found.server, found.caPem));
  if (result === 'unreachable')
    unread.push({ fact: 'discovery', why: `whether a node can read ${clusterInfoSource} is not known: ${why}` });
  return { value: { ...found, anonymous: result }, source: clusterInfoSource };
}
