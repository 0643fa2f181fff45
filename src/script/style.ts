/** How the cluster was installed, and so how a node joins it: told by what is missing (cases.md E7). */
import type { ClusterFacts } from '../cluster/types.ts';
import type { Answers } from '../questions.ts';
import { type Decided, note } from './findings.ts';

export type Style = 'kubeadm' | 'binary';

/**
 * kubeadm leaves cluster-info and kubeadm-config behind; where both are missing, it was not there. One that may only not be
 * read is no such sign.
 * @param facts Undefined when a script is rendered without a cluster.
 */
export function decideStyle(
  facts: Pick<ClusterFacts, 'discovery' | 'kubeadm' | 'unread'> | undefined,
  { style }: Pick<Answers, 'style'>,
): Decided<Style> & { readonly value: Style } {
  if (style !== 'auto') return { value: style, source: '--style', findings: [] };
  if (!facts) return { value: 'kubeadm', source: 'default', findings: [] };
  const unread = facts.unread.some(({ fact }) => fact === 'kubeadm');
  if (facts.discovery || facts.kubeadm || unread)
    return { value: 'kubeadm', source: 'what kubeadm left', findings: [] };
  const what = 'ConfigMaps kube-public/cluster-info and kube-system/kubeadm-config are missing';
  return {
    value: 'binary',
    source: 'no cluster-info and no kubeadm-config',
    findings: [
      note('BinaryStyle', `${what}: the cluster was installed from binaries, and nodes join it by TLS bootstrap`),
    ],
  };
}
