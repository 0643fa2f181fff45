import { parse } from 'yaml';
import { tokenSecret } from '../../src/cluster/token.ts';
import type { KubeObject } from '../../src/sandbox/api/objects.ts';
import { configMaps, secrets } from '../../src/sandbox/api/resources.ts';
import type { Pair } from '../../src/sandbox/certificates.ts';
import { type Cluster, createCluster } from '../../src/sandbox/cluster.ts';
import { contexts, currentContext } from '../../src/sandbox/contexts.ts';

/** A Node, as far as a test looks at it. */
export interface Node {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly providerID?: string;
    readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
  };
  readonly status: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly nodeInfo?: Readonly<Record<string, string>>;
  };
}

/** The cluster that a host's API plays: one of the sandbox's, with the token that a script joins with. */
export interface PlayedCluster {
  /** `v1.28.3` */
  readonly version: string;
  /** `192.0.2.10:6443` */
  readonly endpoint: string;
  readonly authority: Pair;
  readonly token: string;
  /** `namespace/name` → data */
  readonly configMaps: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export function play(cluster: Cluster, token: string): PlayedCluster {
  const { version, endpoint, authority, objects } = cluster;
  const data = objects
    .list(configMaps)
    .map(({ metadata, data }) => [`${metadata.namespace}/${metadata.name}`, data as Record<string, string>] as const);
  return { version, endpoint, authority, token, configMaps: Object.fromEntries(data) };
}

/** A new cluster of kubeadm's, with a token that it has signed. */
export async function newCluster(version: string): Promise<PlayedCluster> {
  const token = { id: 'abcdef', secret: '0123456789abcdef' };
  const cluster = await createCluster({ ...contexts[currentContext]!, version, machines: [] }, () => {});
  const terms = {
    style: 'kubeadm',
    ttlSeconds: 0,
    groups: ['system:bootstrappers:kubeadm:default-node-token'],
    now: new Date(),
  } as const;
  cluster.objects.create(secrets, tokenSecret(token, terms) as unknown as KubeObject);
  cluster.runControllers(terms.now);
  return play(cluster, `${token.id}.${token.secret}`);
}

/** kubelet-config as nodes read it. */
export function kubeletConfig({ configMaps: all }: PlayedCluster): { cgroupDriver?: string; resolvConf?: string } {
  const [, data] = Object.entries(all).find(([name]) => name.startsWith('kube-system/kubelet-config')) ?? [];
  return parse(data?.kubelet ?? '{}');
}
