import type { ConfigMap } from './config-map.ts';
import { configMapSource, readConfigMap } from './config-map.ts';
import type { ClusterClient } from './connect.ts';
import type { AgentConfigFact } from './types.ts';

/** What ACK One's agent reads about every minute (facts/registered-cluster.md). */
export const agentConfig = { namespace: 'kube-system', name: 'ack-agent-config' } as const;
export const agentConfigSource = configMapSource(agentConfig.namespace, agentConfig.name);

/** @returns undefined when it is missing: the cluster is not registered, or the agent is not installed */
export async function readAgentConfig(client: Pick<ClusterClient, 'core'>): Promise<AgentConfigFact | undefined> {
  const found = await readConfigMap(client, agentConfig.namespace, agentConfig.name);
  return found && agentConfigFact(found);
}

const agentConfigFact = ({ data, resourceVersion }: ConfigMap): AgentConfigFact => ({
  addNodeScriptPath: data.addNodeScriptPath?.trim() || undefined,
  resourceVersion,
});
