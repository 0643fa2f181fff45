/** A KubeletConfiguration for new nodes, from a file of the user's or from what a worker runs with. */
import * as z from 'zod';
import type { AnswerFiles } from '../answer-files.ts';
import type { ClusterFacts, KubeletFact } from '../cluster/types.ts';
import { type Decided, stop, warning } from './findings.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** Where a script of binary style puts the cluster's CA. */
const caFile = '/etc/kubernetes/pki/ca.crt';

/**
 * What a worker's configuration says of that worker alone (k8s.io/kubelet/config/v1beta1/types.go): it stays behind, and
 * kubelet's default or what the script finds on the node takes its place.
 */
const localFields: Readonly<Record<string, string>> = {
  address: "an address of that worker's",
  healthzBindAddress: "an address of that worker's",
  providerID: "that machine's own",
  podCIDR: "that node's own",
  registerWithTaints: "its pool's taints; ours come with the node pool",
  staticPodPath: "a folder of that worker's",
  staticPodURL: "that worker's static pods",
  staticPodURLHeader: "that worker's static pods, maybe with a credential",
  tlsCertFile: "that worker's serving certificate",
  tlsPrivateKeyFile: "that worker's serving key",
  resolvConf: "a file of that worker's; new nodes have /etc/resolv.conf",
  volumePluginDir: "a folder of that worker's",
  podLogsDir: "a folder of that worker's",
  imageServiceEndpoint: "that worker's runtime",
  containerRuntimeEndpoint: "that worker's runtime; ours is added",
  kubeletCgroups: "a cgroup of that worker's",
  systemCgroups: "a cgroup of that worker's",
  cgroupRoot: "a cgroup of that worker's",
  systemReservedCgroup: "a cgroup of that worker's",
  kubeReservedCgroup: "a cgroup of that worker's",
  reservedSystemCPUs: 'CPUs of that machine',
  reservedMemory: 'NUMA nodes of that machine',
  showHiddenMetricsForVersion: 'of no use to another version',
};

/** Enforced on cgroups that stayed behind. */
const localEnforcement = [
  'system-reserved',
  'kube-reserved',
  'system-reserved-compressible',
  'kube-reserved-compressible',
];

/** A policy for which kubelet does not start without a reservation that stays behind (pkg/kubelet/cm). */
const dependentFields: Readonly<Record<string, readonly string[]>> = {
  reservedSystemCPUs: ['cpuManagerPolicy', 'cpuManagerPolicyOptions'],
  reservedMemory: ['memoryManagerPolicy'],
};

/** @param fields `kubeletconfig` of a worker's configz, with every default filled in. */
export function withoutLocal(fields: Fields): Fields {
  const dependent = Object.entries(dependentFields).flatMap(([name, others]) => (name in fields ? others : []));
  const kept = Object.fromEntries(
    Object.entries(fields).filter(([name]) => !Object.hasOwn(localFields, name) && !dependent.includes(name)),
  );
  const { enforceNodeAllocatable: enforced } = kept;
  if (!Array.isArray(enforced)) return kept;
  return { ...kept, enforceNodeAllocatable: enforced.filter((item) => !localEnforcement.includes(item)) };
}

const configuration = z.looseObject({
  apiVersion: z.literal('kubelet.config.k8s.io/v1beta1'),
  kind: z.literal('KubeletConfiguration'),
});

/** A file is the user's word, and all of it counts; a worker's is cut to what holds for others. */
export function decideFields(
  worker: ClusterFacts['workerConfig'],
  { kubeletConfig }: Pick<AnswerFiles, 'kubeletConfig'>,
): Decided<Fields> {
  const source = '--kubelet-config';
  const refused = (why: string): Decided<Fields> => ({
    value: undefined,
    source,
    findings: [stop('AnswerInvalid', `the file of --kubelet-config is no ${why}`)],
  });
  if (kubeletConfig === undefined) {
    return worker
      ? { value: withoutLocal(worker.value), source: worker.source, findings: [] }
      : { value: undefined, source, findings: [] };
  }
  if ('wrongAt' in kubeletConfig) {
    return refused(kubeletConfig.wrongAt === undefined ? 'YAML' : `YAML at line ${kubeletConfig.wrongAt}`);
  }
  const { data } = configuration.safeParse(kubeletConfig.value);
  if (!data) return refused('KubeletConfiguration of kubelet.config.k8s.io/v1beta1');
  return { value: data, source, findings: suspicious(data) };
}

/** With these of another node a new one would not start, or take that one's place. */
const suspects = ['address', 'providerID', 'podCIDR', 'tlsCertFile', 'tlsPrivateKeyFile'];
const harmless: readonly unknown[] = [undefined, null, '', '0.0.0.0', '::'];

function suspicious(fields: Fields) {
  const names = suspects.filter((name) => !harmless.includes(fields[name]));
  if (names.length === 0) return [];
  const what = `the file of --kubelet-config sets ${names.join(', ')}, which may be one node's own; new nodes get it as it stands`;
  return [warning('KubeletConfigLocal', what, 'Leave out what does not hold for every node.')];
}

export interface Wanted {
  readonly cgroupDriver: string;
  /** From 1.27 on it is a field; before, a flag (kubernetes#112136). */
  readonly containerRuntimeEndpoint: string | undefined;
  readonly swap: 'disable' | 'keep';
}

/** What is decided by, of a configuration that is not kubeadm's. */
export function kubeletFactOf({
  cgroupDriver,
  resolvConf,
  failCgroupV1,
  containerRuntimeEndpoint,
}: Fields): KubeletFact {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  return {
    cgroupDriver: text(cgroupDriver),
    resolvConf: text(resolvConf),
    failCgroupV1: typeof failCgroupV1 === 'boolean' ? failCgroupV1 : undefined,
    containerRuntimeEndpoint: text(containerRuntimeEndpoint),
  };
}

const mapping = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/**
 * The file that the script writes. Authentication and authorization are the source's; where it says nothing, what kubeadm
 * gives every kubelet (cmd/kubeadm/app/componentconfigs/kubelet.go).
 * @returns JSON, which is YAML, and needs no library; ends with a newline
 */
export function kubeletConfiguration(fields: Fields, wanted: Wanted): string {
  const { apiVersion: _, kind: __, ...rest } = fields;
  const authentication = mapping(fields.authentication);
  const authorization = mapping(fields.authorization);
  const configuration = {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    ...rest,
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      ...authentication,
      x509: { ...mapping(authentication.x509), clientCAFile: caFile },
    },
    authorization: { ...(authorization.mode === undefined && { mode: 'Webhook' }), ...authorization },
    cgroupDriver: wanted.cgroupDriver,
    rotateCertificates: true,
    ...(wanted.containerRuntimeEndpoint !== undefined && {
      containerRuntimeEndpoint: wanted.containerRuntimeEndpoint,
    }),
    ...(wanted.swap === 'keep' && { failSwapOn: false }),
  };
  return `${JSON.stringify(configuration, null, 2)}\n`;
}
