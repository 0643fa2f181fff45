/** Which container runtime a new node gets (cases A1 A4 A5 A6 A8 C4). */
import type { NodeFact } from '../cluster/types.ts';
import type { Finding } from '../errors.ts';
import { Failure } from '../errors.ts';
import type { Answers } from '../questions.ts';
import { type Decided, note, stop, warning } from './findings.ts';
import { packagedInstead, runtimePackages } from './packages.ts';
import type { ReportedVersion, Runtime } from './types.ts';
import { atLeast, compareBase, parseRuntime, parseVersion, type ReportedRuntime } from './versions.ts';

export interface RuntimeChoice {
  readonly runtime: Runtime;
  readonly version: ReportedVersion;
  /** Where the version came from; `Decided.source` is the runtime's. */
  readonly versionSource: string;
}

type ReportedBy = ReportedRuntime & { readonly node: string };

const isSupported = (name: string): name is Runtime => name === 'docker' || name === 'containerd';
const undecided = (...findings: Finding[]): Decided<RuntimeChoice> => ({
  value: undefined,
  source: 'nowhere',
  findings,
});

/**
 * What the user says, else what the control plane has: containerd where both are found, the lowest version where they
 * differ. A node that reports `Unknown` is passed over.
 * @param nodes The control-plane nodes that count; none when nothing is known of them.
 */
export function decideRuntime(nodes: readonly NodeFact[], answers: Answers): Decided<RuntimeChoice> {
  const asked = answers.runtime === undefined ? undefined : parseRuntime(answers.runtime);
  if (asked && !isSupported(asked.name))
    return undecided(stop('UnsupportedRuntime', `the runtime ${asked.raw} is neither docker nor containerd`));
  const versionAsked = askedVersion(answers, asked);
  if ('code' in versionAsked) return undecided(versionAsked);

  const reported = nodes.map((node) => ({ ...parseRuntime(node.runtime), node: node.name }));
  const own = preferred(reported);
  const runtime = (asked ?? own)?.name;
  if (runtime === undefined || !isSupported(runtime)) return undecided(...nothingKnown(reported));
  const lowest = reported
    .flatMap(({ name, version, node }) => (name === runtime && version ? [{ version, node }] : []))
    .toSorted((a, b) => compareBase(a.version, b.version))[0];
  const version = versionAsked.version ?? lowest?.version;
  if (!version) {
    const list = reported.map(({ node, raw }) => `${node} reports ${raw || 'nothing'}`).join(', ');
    return undecided(stop('RuntimeVersionUnknown', `the version of ${runtime} is not known${list && `: ${list}`}`));
  }
  const versionFlag = answers.runtimeVersion === undefined ? '--runtime' : '--runtime-version';
  const followed = reported.filter(({ name }) => !asked || name === runtime);
  const taken = followed.map(({ name, version: own }) => (versionAsked.version ? name : `${name} ${own?.base}`));
  return {
    value: { runtime, version, versionSource: versionAsked.version ? versionFlag : `Node ${lowest?.node}` },
    source: asked ? '--runtime' : `Node ${own?.node}`,
    findings: new Set(taken).size > 1 ? [disagreement(followed, runtime, version)] : [],
  };
}

/** Among what the nodes report: a version before none, containerd before docker, to which clusters move one by one. */
function preferred(reported: readonly ReportedBy[]): ReportedBy | undefined {
  const supported = reported.filter(({ name }) => isSupported(name));
  const known = supported.filter(({ version }) => version);
  return known.find(({ name }) => name === 'containerd') ?? known[0] ?? supported[0];
}

/** The version that the answers name, in either of two places; or why it is none. */
function askedVersion(
  answers: Answers,
  runtime: ReportedRuntime | undefined,
): { version: ReportedVersion | undefined } | Finding {
  if (answers.runtimeVersion === undefined) {
    return runtime?.raw.includes('://') && !runtime.version
      ? stop('RuntimeVersionUnknown', `the runtime ${runtime.raw} does not end in a version of the form 1.6.28`)
      : { version: runtime?.version };
  }
  const version = parseVersion(answers.runtimeVersion);
  if (!version)
    return stop('RuntimeVersionUnknown', `the runtime version ${answers.runtimeVersion} is not of the form 1.6.28`);
  if (runtime?.version && runtime.version.base !== version.base) {
    return stop('AnswersContradict', `--runtime says ${runtime.raw}, and --runtime-version says ${version.raw}`);
  }
  return { version };
}

/** No node has a runtime that could be installed. The caller says it when there are no nodes at all. */
function nothingKnown(reported: readonly ReportedBy[]): readonly Finding[] {
  if (reported.length === 0) return [];
  const raw = reported.find((one) => one.raw !== '')?.raw;
  return [
    raw === undefined
      ? stop(
          'RuntimeVersionUnknown',
          'no control-plane node reports a container runtime',
          'Give --runtime and --runtime-version.',
        )
      : stop('UnsupportedRuntime', `the control plane runs ${raw}, which is neither docker nor containerd`),
  ];
}

function disagreement(reported: readonly ReportedBy[], runtime: Runtime, version: ReportedVersion): Finding {
  const list = reported.map(({ node, raw }) => `${node} ${raw || 'nothing'}`).join(', ');
  return warning(
    'RuntimesDiffer',
    `the control-plane nodes report different runtimes (${list}); new nodes get ${runtime} ${version.base}`,
    'Give --runtime and --runtime-version to choose another.',
  );
}

/** Does this runtime serve that kubelet, and can it be installed? */
export function runtimeFindings(
  kube: ReportedVersion,
  { runtime, version }: RuntimeChoice,
  criDockerdUrl: string | undefined,
): readonly Finding[] {
  const findings: Finding[] = [];
  if (runtime === 'docker' && kube.minor >= 24 && criDockerdUrl === undefined) {
    findings.push(
      stop('DockershimRemoved', `Kubernetes ${kube.base} cannot use docker ${version.base} without cri-dockerd`),
    );
  }
  if (criDockerdUrl !== undefined && (runtime !== 'docker' || kube.minor < 24)) {
    findings.push(
      note(
        'CriDockerdNotNeeded',
        `Kubernetes ${kube.base} with ${runtime} needs no cri-dockerd, so --cri-dockerd-url is not used`,
      ),
    );
  }
  if (runtime === 'containerd') findings.push(...criFindings(kube, version));
  const instead = packagedInstead(runtime, version);
  if (instead !== undefined) {
    findings.push(
      warning(
        'PackageDoubtful',
        `no containerd.io ${version.base} is known to have been packaged; the script looks for it before it changes anything`,
        `Give --runtime-version ${instead}, the next one that was packaged.`,
      ),
    );
  }
  try {
    runtimePackages(runtime, version);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    findings.push(stop(error.code, error.message, ...error.next));
  }
  return findings;
}

/** CRI v1 came with kubelet 1.23 and containerd 1.6; kubelet 1.26 and containerd 2.0 dropped v1alpha2 (facts/versions.md). */
function criFindings(kube: ReportedVersion, version: ReportedVersion): readonly Finding[] {
  if (kube.minor >= 26 && !atLeast(version, '1.6.0')) {
    return [
      stop(
        'RuntimeTooOld',
        `Kubernetes ${kube.base} needs containerd 1.6 or later, and this is ${version.base}`,
        'Give --runtime-version 1.6.33 or later.',
      ),
    ];
  }
  if (kube.minor < 23 && version.major >= 2) {
    return [
      stop(
        'RuntimeTooOld',
        `Kubernetes ${kube.base} speaks a CRI that containerd ${version.base} no longer has`,
        'Give --runtime-version with a 1.x version.',
      ),
    ];
  }
  return kube.minor >= 35 && version.major < 2
    ? [warning('RuntimeAging', `Kubernetes ${kube.base} still takes containerd ${version.base}, but 1.38 will not`)]
    : [];
}
