/** Does ACK One need a script of the user's at all? */
import type { ClusterFacts } from '../cluster/types.ts';
import { parseVersion } from './versions.ts';

/**
 * Clusters that kubeadm 1.26, 1.28, 1.30 or a later one made can grow without a script (facts/registered-cluster.md,
 * "How the script runs on ECS").
 */
export function needsNoScript({ kubeadm, discovery, serverVersion }: ClusterFacts): boolean {
  const minor = parseVersion(serverVersion.value)?.minor ?? 0;
  return kubeadm !== undefined && discovery !== undefined && (minor === 26 || minor === 28 || minor >= 30);
}
