/** What a cluster without kubeadm's ConfigMaps says about itself (facts/registered-cluster.md, "installed from binaries"). */
import { isIP } from 'node:net';
import * as z from 'zod';
import { bundleIn } from '../certificates.ts';
import { Failure } from '../errors.ts';
import type { Answers } from '../questions.ts';
import { parseVersion } from '../script/versions.ts';
import { configMapSource, readConfigMap, unlessMissing } from './config-map.ts';
import type { ClusterClient } from './connect.ts';
import type { ClusterFacts, NodeFact, Sourced, Unread } from './types.ts';

/** Answers that make it needless to read a fact. */
export type Answered = Partial<Pick<Answers, 'style' | 'server' | 'caFile' | 'kubeletConfig' | 'kubeProxy'>>;

export type BinaryFacts = Pick<ClusterFacts, 'endpoints' | 'rootCa' | 'workerConfig' | 'proxyDaemonSet'>;

export const noBinaryFacts: BinaryFacts = {
  endpoints: undefined,
  rootCa: undefined,
  workerConfig: undefined,
  proxyDaemonSet: undefined,
};

/** Gives undefined for what may not be read, and keeps a sentence about it. */
export type OrUnread = <T>(fact: Unread['fact'], source: string, reading: Promise<T>) => Promise<T | undefined>;

/** @param unread Gets a sentence for what is there and of no use. @throws Failure of every kind that a request ends with */
export async function readBinaryFacts(
  client: ClusterClient,
  { nodes, version }: { readonly nodes: readonly NodeFact[] | undefined; readonly version: string },
  answered: Answered,
  orUnread: OrUnread,
  unread: Unread[],
): Promise<BinaryFacts> {
  const minor = parseVersion(version)?.minor ?? 0;
  const [endpoints, rootCa, workerConfig, proxyDaemonSet] = await Promise.all([
    answered.server === undefined
      ? orUnread('endpoints', 'Endpoints default/kubernetes', readEndpoints(client, minor))
      : undefined,
    answered.caFile === undefined ? orUnread('rootCa', rootCaSource, readRootCa(client, unread)) : undefined,
    answered.kubeletConfig === undefined ? readWorkerConfig(client, nodes, minor, unread) : undefined,
    answered.kubeProxy === undefined
      ? orUnread('proxyDaemonSet', 'the list of DaemonSets in kube-system', readProxyDaemonSet(client))
      : undefined,
  ]);
  return { endpoints, rootCa, workerConfig, proxyDaemonSet };
}

/** What does not have this shape counts as missing: a newer version may have another one. */
const listOf = <S extends z.ZodType>(item: S) => z.array(item).nullish().catch(undefined);
const ports = listOf(z.object({ port: z.int().min(1).max(65535) }));
const endpointsObject = z.object({
  subsets: listOf(z.object({ addresses: listOf(z.object({ ip: z.string() })), ports })),
});
const endpointSlice = z.object({
  endpoints: listOf(
    z.object({
      addresses: listOf(z.string()),
      // Unset means ready (discovery/v1 EndpointConditions).
      conditions: z.object({ ready: z.boolean().nullish() }).nullish().catch(undefined),
    }),
  ),
  ports,
});

/**
 * Both objects are the API server's own (pkg/controlplane/reconcilers). Endpoints are deprecated from 1.33 on, and
 * EndpointSlices are served as v1 from 1.21 on.
 */
async function readEndpoints(client: ClusterClient, minor: number): Promise<Sourced<readonly string[]> | undefined> {
  const readings = [
    { from: 0, source: 'Endpoints default/kubernetes', read: readEndpointsObject },
    { from: 21, source: 'EndpointSlice default/kubernetes', read: readEndpointSlice },
  ].filter(({ from }) => minor >= from);
  for (const { source, read } of minor >= 33 ? readings.reverse() : readings) {
    const found = await unlessMissing(read(client));
    const value = [...new Set(found)].sort();
    if (value.length > 0) return { value, source };
  }
  return undefined;
}

async function readEndpointsObject(client: ClusterClient): Promise<readonly string[]> {
  const { subsets } = endpointsObject.parse(await client.get('/api/v1/namespaces/default/endpoints/kubernetes'));
  return (subsets ?? []).flatMap(({ addresses, ports: open }) =>
    (addresses ?? []).flatMap(({ ip }) => hostPorts(ip, open)),
  );
}

async function readEndpointSlice(client: ClusterClient): Promise<readonly string[]> {
  const path = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes';
  const slice = endpointSlice.parse(await client.get(path));
  return (slice.endpoints ?? [])
    .filter(({ conditions }) => conditions?.ready !== false)
    .flatMap(({ addresses }) => (addresses ?? []).flatMap((address) => hostPorts(address, slice.ports)));
}

function hostPorts(address: string, open: z.output<typeof ports>): readonly string[] {
  const version = isIP(address);
  if (version === 0) return [];
  return (open ?? []).map(({ port }) => `${version === 6 ? `[${address}]` : address}:${port}`);
}

const rootCa = { namespace: 'kube-system', name: 'kube-root-ca.crt' } as const;
const rootCaSource = configMapSource(rootCa.namespace, rootCa.name);

/** kube-controller-manager puts it into every namespace from 1.20 on (RootCAConfigMap). */
async function readRootCa(client: ClusterClient, unread: Unread[]): Promise<Sourced<string> | undefined> {
  const found = await readConfigMap(client, rootCa.namespace, rootCa.name);
  if (!found) return undefined;
  const value = bundleIn(found.data['ca.crt'] ?? '');
  if (value !== undefined) return { value, source: rootCaSource };
  unread.push({ fact: 'rootCa', why: `${rootCaSource} holds no PEM certificates in its key ca.crt` });
  return undefined;
}

/** A kubelet that does not answer keeps the API server busy for as long as a request may take. */
const mostAsked = 2;
const configz = z.object({ kubeletconfig: z.record(z.string(), z.unknown()) });

/** Only ever a help: whatever goes wrong is a sentence, and --kubelet-config says it instead. */
async function readWorkerConfig(
  client: ClusterClient,
  nodes: readonly NodeFact[] | undefined,
  minor: number,
  unread: Unread[],
): Promise<BinaryFacts['workerConfig']> {
  const why = (reason: string) =>
    unread.push({ fact: 'workerConfig', why: `kubelet's configuration was not read from a worker: ${reason}` });
  const asked = workersToAsk(nodes ?? [], minor);
  const reasons: string[] = [];
  for (const name of asked) {
    const answer = await client.get(`/api/v1/nodes/${encodeURIComponent(name)}/proxy/configz`).catch(reasonOf);
    if (answer instanceof Failure) {
      reasons.push(answer.message);
      // A right that is missing is missing for the next one as well.
      if (answer.code === 'ClusterForbidden') break;
      continue;
    }
    const found = configz.safeParse(answer);
    if (found.success) return { value: found.data.kubeletconfig, source: `configz of node ${name}` };
    reasons.push(`what kubelet of node ${name} answers is no configuration`);
  }
  why(reasons.length > 0 ? reasons.join('; ') : 'there is none that is Ready');
  return undefined;
}

function reasonOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  throw error;
}

/** Names of Ready workers, those first that say most about the next one: installed by hand, and of the cluster's minor. */
function workersToAsk(nodes: readonly NodeFact[], minor: number): readonly string[] {
  const rank = ({ providerId, kubeletVersion }: NodeFact) =>
    (providerId === undefined ? 0 : 2) + (parseVersion(kubeletVersion)?.minor === minor ? 0 : 1);
  return nodes
    .filter(({ controlPlane, ready }) => ready && !controlPlane)
    .toSorted((one, other) => rank(one) - rank(other))
    .slice(0, mostAsked)
    .map(({ name }) => name);
}

/** In the order in which one counts; whether cilium replaces kube-proxy cannot be seen from its DaemonSet. */
const proxies = ['kube-proxy', 'cilium', 'kube-router'] as const;
const daemonSets = z.object({ items: listOf(z.object({ metadata: z.object({ name: z.string() }) })) });

async function readProxyDaemonSet(client: ClusterClient): Promise<Sourced<string> | undefined> {
  const found = await unlessMissing(client.get('/apis/apps/v1/namespaces/kube-system/daemonsets'));
  const names = (daemonSets.parse(found ?? {}).items ?? []).map(({ metadata }) => metadata.name);
  const value = proxies.find((name) => names.includes(name));
  return value && { value, source: `DaemonSet kube-system/${value}` };
}
