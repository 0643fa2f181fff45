import type { ClusterFacts, DiscoveryFact, NodeFact } from '../../src/cluster/types.ts';
import type { Finding } from '../../src/errors.ts';
import { type Answers, rows } from '../../src/questions.ts';
import type { Decision, KubeadmInput } from '../../src/script/types.ts';

export const pinA = `sha256:${'a1'.repeat(32)}`;
export const pinB = `sha256:${'b2'.repeat(32)}`;

/** Every default, as a run without flags has them, then what a test sets. */
export const answersOf = (given: Partial<Answers> = {}): Answers => ({
  ...(Object.fromEntries(rows.map(([key, row]) => [key, row.default?.({}, {})])) as unknown as Answers),
  ...given,
});

export const nodeOf = (given: Partial<NodeFact> = {}): NodeFact => ({
  name: 'cp-1',
  controlPlane: true,
  ready: true,
  kubeletVersion: 'v1.28.3',
  runtime: 'containerd://1.6.28',
  providerId: undefined,
  region: undefined,
  criSocket: undefined,
  osImage: 'Ubuntu 22.04.4 LTS',
  architecture: 'amd64',
  addresses: ['192.0.2.11'],
  ...given,
});

export const discoveryOf = (given: Partial<DiscoveryFact> = {}): DiscoveryFact => ({
  server: 'https://192.0.2.10:6443',
  caPem: '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n',
  pins: [pinA],
  signedFor: ['abcdef'],
  anonymous: 'readable',
  ...given,
});

interface Given extends Partial<Omit<ClusterFacts, 'discovery' | 'serverVersion'>> {
  /** Everywhere that says a version: /version, kubeadm-config and, unless `nodes` is given, the one node. */
  readonly version?: string;
  readonly serverVersion?: string;
  readonly runtime?: string;
  readonly discovery?: Partial<DiscoveryFact> | null;
  readonly kubeletConfig?: NonNullable<ClusterFacts['kubelet']>['value'] | Record<string, unknown>;
  readonly kubeadmConfig?: Record<string, unknown>;
}

export function factsOf(given: Given = {}): ClusterFacts {
  const { version = 'v1.28.3', serverVersion, runtime, discovery, kubeletConfig, kubeadmConfig, ...rest } = given;
  return {
    context: 'lab',
    clusterName: 'lab',
    kubeconfigServer: 'https://proxy.example.com',
    serverVersion: { value: serverVersion ?? version, source: 'GET /version' },
    nodes: [nodeOf({ kubeletVersion: version, ...(runtime !== undefined && { runtime }) })],
    kubeadm: {
      value: {
        kubernetesVersion: version,
        imageRepository: 'registry.k8s.io',
        controlPlaneEndpoint: undefined,
        clusterName: undefined,
        ...kubeadmConfig,
      },
      source: 'ConfigMap kube-system/kubeadm-config',
    },
    kubelet: {
      value: {
        cgroupDriver: 'systemd',
        resolvConf: undefined,
        failCgroupV1: undefined,
        containerRuntimeEndpoint: undefined,
        ...kubeletConfig,
      },
      source: 'ConfigMap kube-system/kubelet-config',
    },
    kubeProxyMode: { value: 'iptables', source: 'ConfigMap kube-system/kube-proxy' },
    discovery:
      discovery === null ? undefined : { value: discoveryOf(discovery), source: 'ConfigMap kube-public/cluster-info' },
    endpoints: undefined,
    rootCa: undefined,
    workerConfig: undefined,
    proxyDaemonSet: undefined,
    agentConfig: { addNodeScriptPath: undefined, resourceVersion: '1' },
    nodeRegions: [],
    unread: [],
    ...rest,
  };
}

export const codes = (findings: readonly Finding[], severity?: Finding['severity']): readonly string[] =>
  findings.filter((finding) => severity === undefined || finding.severity === severity).map(({ code }) => code);

export const stopsOf = ({ findings }: Decision) => findings.filter(({ severity }) => severity === 'stop');

/** The input of a decision that must not have been stopped. */
export function inputOf(decision: Decision): Omit<KubeadmInput, 'join'> {
  if (decision.input?.style !== 'kubeadm')
    throw new Error(`stopped: ${stopsOf(decision).map(({ code, what }) => `${code} ${what}`)}`);
  return decision.input;
}
