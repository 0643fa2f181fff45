/** What the cluster lacks for a node to join it (cases E5 E7 E8 J2). */
import type { ClusterFacts, DiscoveryFact } from '../cluster/types.ts';
import type { Finding } from '../errors.ts';
import type { Answers } from '../questions.ts';
import { note, stop, warning } from './findings.ts';
import { parseServer, serverFindings } from './server.ts';
import type { Style } from './style.ts';
import type { ReportedVersion } from './types.ts';
import { parseRuntime, type ReportedRuntime } from './versions.ts';

/** @param kube The version that was decided, for the names of objects and for advice. */
export function clusterFindings(
  facts: ClusterFacts,
  answers: Answers,
  kube: ReportedVersion | undefined,
  style: Style,
): readonly Finding[] {
  const nodes = nodeFindings(facts, answers, kube);
  if (style === 'binary') return nodes;
  if (!facts.discovery) return [withoutClusterInfo(answers), ...nodes];
  return [...nodes, ...objectFindings(facts, kube), ...discoveryFindings(facts.discovery.value, answers)];
}

/** Without kubeadm-config as well it would be a cluster installed from binaries. */
const withoutClusterInfo = ({ style }: Answers): Finding =>
  stop(
    style === 'auto' ? 'BinaryCluster' : 'DiscoveryInvalid',
    'ConfigMap kube-public/cluster-info is missing, and a joining node reads it',
    'If kubeadm installed this cluster, run `kubeadm init phase bootstrap-token` on a control-plane node.',
    'If it was installed from binaries, give --style binary.',
  );

/** Have the answers made it needless to look at nodes? */
const allAnswered = ({ kubeVersion, runtime, runtimeVersion }: Answers) =>
  kubeVersion !== undefined &&
  runtime !== undefined &&
  (runtimeVersion !== undefined || parseRuntime(runtime).version !== undefined);

function nodeFindings(facts: ClusterFacts, answers: Answers, kube: ReportedVersion | undefined): readonly Finding[] {
  const { nodes } = facts;
  if (nodes?.some((node) => node.controlPlane)) {
    return nodes.some((node) => node.controlPlane && node.ready)
      ? []
      : [warning('ControlPlaneNotReady', 'no control-plane node is Ready; what they last reported is used')];
  }
  if (allAnswered(answers)) return [];
  const flags = 'give --kube-version, --runtime and --runtime-version';
  if (nodes === undefined) {
    return [
      stop(
        'ClusterForbidden',
        'the credentials may not list nodes, so versions cannot be read from them',
        `Allow the verb list on nodes, or ${flags}.`,
      ),
    ];
  }
  if (nodes.length === 0) return [stop('EmptyCluster', `the cluster has no nodes to read versions from`)];
  const what = `none of the ${nodes.length} nodes carries a control-plane label, so it is not known which versions to follow`;
  // Its runtime becomes a part of a command to copy, so it must be one of those that are known.
  const worker = nodes.find(({ ready, runtime }) => ready && isInstallable(parseRuntime(runtime)));
  if (!worker || !kube) return [stop('NoControlPlane', what)];
  const { name, version } = parseRuntime(worker.runtime);
  return [
    stop(
      'NoControlPlane',
      what,
      `If new nodes should be like node ${worker.name}, give --kube-version ${kube.base} --runtime ${name} --runtime-version ${version?.base}.`,
    ),
  ];
}

const isInstallable = ({ name, version }: ReportedRuntime): boolean =>
  (name === 'docker' || name === 'containerd') && version !== undefined;

/** Objects that kubeadm reads with the node's token; what only we may not read is no reason to stop. */
function objectFindings(facts: ClusterFacts, kube: ReportedVersion | undefined): readonly Finding[] {
  const kubelet = kube && kube.minor < 24 ? `kubelet-config-1.${kube.minor}` : 'kubelet-config';
  const objects = [
    { name: 'kubeadm-config', fact: 'kubeadm' },
    { name: kubelet, fact: 'kubelet' },
  ] as const;
  return objects
    .filter(({ fact }) => facts[fact] === undefined)
    .map(({ name, fact }) => {
      const why = facts.unread.find((unread) => unread.fact === fact)?.why;
      return why === undefined
        ? stop('KubeadmObjectMissing', `ConfigMap kube-system/${name} is missing, and a joining node reads it`)
        : warning('KubeadmObjectUnread', `defaults are assumed in place of ConfigMap kube-system/${name}: ${why}`);
    });
}

function discoveryFindings(discovery: DiscoveryFact, answers: Answers): readonly Finding[] {
  const findings: Finding[] = [];
  const server = parseServer(discovery.server);
  if (server) findings.push(...serverFindings(server, answers.apiServerIp));
  else
    findings.push(
      stop(
        'DiscoveryInvalid',
        `the server of cluster-info, ${discovery.server}, is not https://host:port, which kubeadm needs`,
      ),
    );
  if (discovery.pins.length === 0) findings.push(stop('DiscoveryInvalid', 'cluster-info holds no CA certificate'));
  if (discovery.anonymous === 'unauthorized') {
    findings.push(
      stop('AnonymousAccessOff', 'the API server answers 401 to a request for cluster-info without credentials'),
    );
  }
  if (discovery.anonymous === 'forbidden') {
    findings.push(
      stop('AnonymousAccessForbidden', 'the API server answers 403 to a request for cluster-info without credentials'),
    );
  }
  if (discovery.anonymous === 'unreachable') {
    findings.push(
      note(
        'AnonymousAccessUnknown',
        `${discovery.server} cannot be reached from here, so whether cluster-info can be read without credentials is not known`,
      ),
    );
  }
  return findings;
}
