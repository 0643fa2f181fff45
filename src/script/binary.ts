/** What a cluster installed from binaries cannot do without, and what only its owner knows (facts/registered-cluster.md). */
import type { AnswerFiles } from '../answer-files.ts';
import { bundleIn } from '../certificates.ts';
import type { ClusterFacts } from '../cluster/types.ts';
import type { FailureCode, Finding } from '../errors.ts';
import type { Answers } from '../questions.ts';
import { type Missing, needed } from './binary-missing.ts';
import { parseBootstrapKubeconfig } from './bootstrap-kubeconfig.ts';
import { type Decided, stop } from './findings.ts';
import { criSocket } from './host-settings.ts';
import { decideFields, type Fields, kubeletFactOf } from './kubelet-config.ts';
import { decideKubeletSource, programOf } from './kubelet-source.ts';
import { type CriClient, ourUnit } from './kubelet-unit.ts';
import { ownUnit } from './own-unit.ts';
import type { RuntimeChoice } from './runtime-choice.ts';
import { parseServer, serverFindings } from './server.ts';
import type { BinaryInput, ReportedVersion } from './types.ts';

/** @param fields The configuration as it was found, without what else is decided. */
export type BinaryPart = Pick<BinaryInput, 'endpoint' | 'caPem' | 'kubelet' | 'unit' | 'kubeProxy'> & {
  readonly fields: Fields;
};

export interface BinaryDecision {
  /** Undefined beside a finding that stops. */
  readonly value: BinaryPart | undefined;
  /** What the configuration says, in place of kubeadm's ConfigMap. */
  readonly kubelet: ClusterFacts['kubelet'];
  readonly findings: readonly Finding[];
  readonly sources: Readonly<Record<string, string>>;
}

type Facts = ClusterFacts | undefined;
const nothing = (source: string) => ({ value: undefined, source, findings: [] }) as const;
const refused = (code: FailureCode, source: string, what: string, ...next: string[]) => ({
  value: undefined,
  source,
  findings: [stop(code, what, ...next)],
});

/** @param kube and runtime: undefined where they stop; then what else is missing is said all the same. */
export function decideBinary(
  facts: Facts,
  answers: Answers,
  files: AnswerFiles,
  kube: ReportedVersion | undefined,
  choice: RuntimeChoice | undefined,
): BinaryDecision {
  const client = kube && choice && { kube, runtime: choice.runtime, criSocket: criSocket(choice.runtime, kube) };
  const fields = decideFields(facts?.workerConfig, files);
  const configuration = fields.value && { value: kubeletFactOf(fields.value), source: fields.source };
  const own = ownBootstrap(files);
  const server = decideServer(facts, answers, own.value?.endpoint);
  const ca = decideCa(facts, files, own.value?.caPem);
  const kubelet = decideKubeletSource(answers);
  const kubeProxy = decideKubeProxy(facts, answers);
  const unit = decideUnit(files, kubelet.value, client);
  const sources = {
    server: server.source,
    ca: ca.source,
    kubelet: kubelet.source,
    kubeletConfig: fields.source,
    unit: unit.source,
    kubeProxy: kubeProxy.source,
  };
  const decided = [own, server, ca, kubelet, fields, kubeProxy, unit];
  const parts = { server, caFile: ca, kubeletSource: kubelet, kubeletConfig: fields, kubeProxy };
  const missing = Object.entries(parts)
    .filter(([, { value, findings }]) => value === undefined && findings.length === 0)
    .map(([key]) => key as Missing);
  const findings = [
    ...decided.flatMap((part) => part.findings),
    ...(missing.length > 0 ? [needed(missing, facts, answers)] : []),
    ...elsewhere(kubelet.value, unit.value?.kubelet, files),
    ...((answers.joinCommand ?? answers.joinCommandFile) === undefined
      ? []
      : [stop('AnswersContradict', 'a join command is for kubeadm, and this cluster was installed without it')]),
  ];
  if (
    server.value === undefined ||
    ca.value === undefined ||
    kubelet.value === undefined ||
    fields.value === undefined ||
    kubeProxy.value === undefined ||
    unit.value === undefined
  ) {
    return { value: undefined, kubelet: configuration, findings, sources };
  }
  return {
    kubelet: configuration,
    findings,
    sources,
    value: {
      endpoint: server.value,
      caPem: ca.value,
      kubelet: kubelet.value,
      kubeProxy: kubeProxy.value,
      unit: unit.value,
      fields: fields.value,
    },
  };
}

function decideUnit(
  { kubeletService }: AnswerFiles,
  kubelet: BinaryInput['kubelet'] | undefined,
  client: CriClient | undefined,
): Decided<BinaryInput['unit']> {
  if (!client) return nothing('nowhere');
  if (kubeletService !== undefined) return ownUnit(kubeletService, client);
  return { value: kubelet && ourUnit(programOf(kubelet), client), source: 'of ackone-join', findings: [] };
}

function ownBootstrap({ bootstrapKubeconfig }: AnswerFiles) {
  const source = '--bootstrap-kubeconfig';
  if (bootstrapKubeconfig === undefined) return nothing(source);
  return { ...nothing(source), value: parseBootstrapKubeconfig(bootstrapKubeconfig) };
}

/** Never the server of the operator's own kubeconfig: it may be a proxy. */
function decideServer(facts: Facts, answers: Answers, ofBootstrap: string | undefined): Decided<string> {
  const endpoints = facts?.endpoints;
  const [only] = endpoints?.value.length === 1 ? endpoints.value : [];
  const ofDiscovery = facts?.discovery && parseServer(facts.discovery.value.server)?.text;
  const candidates: readonly (readonly [string | undefined, string])[] = [
    [answers.server && parseServer(answers.server)?.text, '--server'],
    [ofDiscovery, facts?.discovery?.source ?? ''],
    [ofBootstrap, '--bootstrap-kubeconfig'],
    [only, endpoints?.source ?? ''],
  ];
  if (answers.server !== undefined && candidates[0]![0] === undefined) {
    return refused('AnswerInvalid', '--server', `the value of --server, ${answers.server}, is not https://host:port`);
  }
  const [value, source] = candidates.find(([endpoint]) => endpoint !== undefined) ?? [undefined, 'nowhere'];
  const server = value === undefined ? undefined : parseServer(`https://${value}`);
  if (!server) return nothing(source);
  return { value: server.text, source, findings: serverFindings(server, answers.apiServerIp, 'Give --server.') };
}

function decideCa(facts: Facts, { caFile }: AnswerFiles, ofBootstrap: string | undefined): Decided<string> {
  if (caFile !== undefined) {
    const value = bundleIn(caFile);
    return value === undefined
      ? refused('AnswerInvalid', '--ca-file', 'the file of --ca-file holds no certificate in PEM')
      : { value, source: '--ca-file', findings: [] };
  }
  const { discovery, rootCa } = facts ?? {};
  if (discovery) return { value: discovery.value.caPem, source: discovery.source, findings: [] };
  if (ofBootstrap !== undefined) return { value: ofBootstrap, source: '--bootstrap-kubeconfig', findings: [] };
  return rootCa ? { ...rootCa, findings: [] } : nothing('nowhere');
}

function decideKubeProxy(facts: Facts, { kubeProxy, postScript }: Answers): Decided<BinaryInput['kubeProxy']> {
  const source = '--kube-proxy';
  if (kubeProxy === 'post-script' && postScript === undefined) {
    const next = 'Give --post-script with a script that brings kube-proxy to the node.';
    return refused('AnswerMissing', source, '--kube-proxy post-script needs a script', next);
  }
  if (kubeProxy !== undefined) return { value: kubeProxy, source, findings: [] };
  const daemonSet = facts?.proxyDaemonSet;
  return daemonSet ? { value: 'daemonset', source: daemonSet.source, findings: [] } : nothing(source);
}

/** The program must be where the unit looks for it. */
function elsewhere(
  kubelet: BinaryInput['kubelet'] | undefined,
  started: string | undefined,
  { kubeletService }: AnswerFiles,
): readonly Finding[] {
  if (kubeletService === undefined || !kubelet || started === undefined || kubelet.kind === 'url') return [];
  const program = programOf(kubelet);
  if (program === started) return [];
  const what = `the unit of --kubelet-service starts ${started}, and --kubelet-source says that kubelet is at ${program}`;
  return [stop('AnswersContradict', what, 'Correct one of the two.')];
}
