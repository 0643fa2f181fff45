/** Which Kubernetes version a new node gets (cases A7 J1, kubernetes.io's version skew policy). */
import type { ClusterFacts, NodeFact } from '../cluster/types.ts';
import type { Finding } from '../errors.ts';
import type { Answers } from '../questions.ts';
import { buildFindings } from './distributions.ts';
import { type Decided, stop, warning } from './findings.ts';
import { newestMinor, oldestMinor } from './images.ts';
import type { ReportedVersion } from './types.ts';
import { compareBase, parseVersion } from './versions.ts';

/** The control-plane nodes whose word counts: the Ready ones, or all of them when none is Ready. */
export function trustedControlPlane(nodes: readonly NodeFact[]): readonly NodeFact[] {
  const members = nodes.filter((node) => node.controlPlane);
  const ready = members.filter((node) => node.ready);
  return ready.length > 0 ? ready : members;
}

interface Report {
  /** `/version`, `kubeadm-config`, or a node's name. */
  readonly from: string;
  readonly raw: string;
  readonly version: ReportedVersion | undefined;
}

/** Everything that says which Kubernetes this is: the cluster's own word first, then each node's. */
function reports(facts: ClusterFacts): { readonly cluster: readonly Report[]; readonly nodes: readonly Report[] } {
  const report = (from: string, raw: string): Report => ({ from, raw, version: parseVersion(raw) });
  const configured = facts.kubeadm?.value.kubernetesVersion;
  return {
    cluster: [
      report('/version', facts.serverVersion.value),
      ...(configured === undefined ? [] : [report('kubeadm-config', configured)]),
    ],
    nodes: trustedControlPlane(facts.nodes ?? []).map((node) => report(node.name, node.kubeletVersion)),
  };
}

const versionsOf = (said: readonly Report[]) => said.flatMap(({ version }) => version ?? []);

/** What the user says, else the lowest of what the cluster says: no kubelet may be newer than any API server. */
export function decideKubeVersion(facts: ClusterFacts | undefined, answers: Answers): Decided<ReportedVersion> {
  if (answers.kubeVersion !== undefined) return asked(answers.kubeVersion, facts);
  if (!facts) return { value: undefined, source: 'nowhere', findings: [] };
  const { cluster, nodes } = reports(facts);
  const said = [...cluster, ...nodes];
  const known = versionsOf(said);
  const lowest = known.toSorted(compareBase)[0];
  const source = sourceOf(facts, cluster, nodes.length);
  if (!lowest) {
    const { raw } = said[0]!;
    const what =
      raw === ''
        ? 'the cluster reports no Kubernetes version'
        : `the cluster reports ${raw}, which is no version that packages exist for`;
    return { value: undefined, source, findings: [stop('KubeVersionInvalid', what)] };
  }
  return { value: usable(lowest), source, findings: [...disagreement(said, lowest), ...checked(known, lowest)] };
}

function sourceOf(facts: ClusterFacts, cluster: readonly Report[], nodes: number): string {
  const ready = facts.nodes?.some((node) => node.controlPlane && node.ready) ? 'Ready ' : '';
  const parts = cluster.map(({ from }) => from);
  if (nodes > 0) parts.push(`${nodes} ${ready}control-plane node${nodes === 1 ? '' : 's'}`);
  return parts.length === 1 ? parts[0]! : `lowest of ${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** An unfinished upgrade, mostly: said, because a node that is too old or too new joins and misbehaves. */
function disagreement(said: readonly Report[], lowest: ReportedVersion): readonly Finding[] {
  const bases = new Set(said.map(({ version, raw }) => version?.base ?? raw));
  if (bases.size <= 1) return [];
  const list = said.map(({ from, raw }) => `${from} ${raw}`).join(', ');
  return [
    warning(
      'VersionsDiffer',
      `the cluster reports several Kubernetes versions (${list}); new nodes get the lowest, ${lowest.base}`,
    ),
  ];
}

function asked(raw: string, facts: ClusterFacts | undefined): Decided<ReportedVersion> {
  const version = parseVersion(raw);
  const source = '--kube-version';
  if (!version) {
    return {
      value: undefined,
      source,
      findings: [stop('KubeVersionInvalid', `the Kubernetes version ${raw} is not of the form 1.28.3`)],
    };
  }
  const server = facts && parseVersion(facts.serverVersion.value);
  const tooNew =
    server && version.major === server.major && version.minor > server.minor
      ? [
          stop(
            'KubeVersionInvalid',
            `Kubernetes ${version.base} is newer than the API server, ${server.base}; a kubelet must not be`,
            `Give --kube-version ${server.base} or lower.`,
          ),
        ]
      : [];
  const said = facts ? Object.values(reports(facts)).flatMap(versionsOf) : [];
  return { value: usable(version), source, findings: [...checked(said, version), ...tooNew] };
}

/** Undefined for what no packages exist for; `checked` has the finding that says so. */
const usable = (version: ReportedVersion) =>
  version.major === 1 && version.minor >= oldestMinor ? version : undefined;

/** What must be said of the version that was chosen, and of the distribution that any of the others gives away. */
function checked(known: readonly ReportedVersion[], chosen: ReportedVersion): readonly Finding[] {
  const foreign = [chosen, ...known].flatMap(buildFindings).find(({ severity }) => severity === 'stop');
  if (foreign) return [foreign];
  if (!usable(chosen)) {
    return [
      stop(
        'KubeVersionInvalid',
        `Kubernetes ${chosen.raw} is outside of what ackone-join knows, 1.${oldestMinor} and later`,
      ),
    ];
  }
  const findings = [...buildFindings(chosen)];
  if (chosen.patch >= 100) {
    findings.push(
      warning(
        'PatchUnheardOf',
        `Kubernetes ${chosen.base} has a patch number that upstream never releases; its packages will probably not be found`,
        'Give --kube-version with an upstream release.',
      ),
    );
  }
  if (chosen.minor > newestMinor) {
    findings.push(
      warning(
        'KubernetesNewer',
        `Kubernetes 1.${chosen.minor} is newer than this ackone-join, which takes what it knows of 1.${newestMinor}`,
        'Look for a newer ackone-join.',
      ),
    );
  }
  return findings;
}
