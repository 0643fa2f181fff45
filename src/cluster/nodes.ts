import type { V1Node } from '@kubernetes/client-node';
import type { ClusterClient } from './connect.ts';
import type { NodeFact } from './types.ts';

/** A Node has 10 to 30 KB, most of it the list of its images. */
const pageSize = 200;

/** Every Node, in the API's order. @throws Failure ClusterForbidden and those of every request */
export async function readNodes(client: Pick<ClusterClient, 'core'>): Promise<readonly NodeFact[]> {
  const nodes: NodeFact[] = [];
  let page: string | undefined;
  do {
    const list = await client.core.listNode({ limit: pageSize, ...(page && { _continue: page }) });
    nodes.push(...(list.items ?? []).map(nodeFact));
    page = list.metadata?._continue;
  } while (page);
  return nodes;
}

/** kubeadm sets the first from 1.20 on, and the second up to 1.23 (cases.md J1). Installers give them values, too. */
const controlPlaneLabels = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'];

export function nodeFact({ metadata, spec, status }: V1Node): NodeFact {
  const labels = metadata?.labels ?? {};
  const info = status?.nodeInfo;
  return {
    name: metadata?.name ?? '',
    controlPlane: controlPlaneLabels.some((label) => label in labels),
    ready: (status?.conditions ?? []).some(({ type, status: state }) => type === 'Ready' && state === 'True'),
    kubeletVersion: info?.kubeletVersion ?? '',
    runtime: info?.containerRuntimeVersion ?? '',
    providerId: spec?.providerID || undefined,
    region: regionOf(spec?.providerID ?? ''),
    criSocket: metadata?.annotations?.['kubeadm.alpha.kubernetes.io/cri-socket'] || undefined,
    osImage: info?.osImage ?? '',
    architecture: info?.architecture ?? '',
    addresses: (status?.addresses ?? []).map(({ address }) => address),
  };
}

/** `cn-hangzhou.i-bp1…` → `cn-hangzhou`. Alibaba's own controllers may put `alicloud://` in front. */
const regionOf = (providerId: string): string | undefined =>
  /^(?:alicloud:\/\/)?([a-z]{2}-[a-z0-9-]+)\.i-[a-z0-9]+$/.exec(providerId)?.[1];

/** Each once, sorted. */
export const regionsOf = (nodes: readonly NodeFact[]): readonly string[] =>
  [...new Set(nodes.flatMap(({ region }) => region ?? []))].sort();
