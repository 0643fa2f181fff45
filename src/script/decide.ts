/** Facts and answers → everything that a script depends on, but for the token. */
import type { AnswerFiles } from '../answer-files.ts';
import type { ClusterFacts } from '../cluster/types.ts';
import type { Finding } from '../errors.ts';
import { type Answers, flagOf, rows } from '../questions.ts';
import { type BinaryDecision, decideBinary } from './binary.ts';
import { clusterFindings } from './cluster-findings.ts';
import { type Decided, note, stop, warning } from './findings.ts';
import {
  criSocket,
  decideCgroupDriver,
  decideResolvConf,
  decideSandboxImage,
  decideSysctls,
  hostNeeds,
  imageRequirements,
} from './host-settings.ts';
import { decideKubeVersion, trustedControlPlane } from './kube-version.ts';
import { kubeletConfiguration } from './kubelet-config.ts';
import { mirrorFindings } from './mirror.ts';
import { requireAnswers } from './offline.ts';
import { elMajors, kubePackages, kubeRepository, runtimePackages } from './packages.ts';
import { record } from './record.ts';
import { decideRegistries } from './registries.ts';
import { decideRuntime, type RuntimeChoice, runtimeFindings } from './runtime-choice.ts';
import { decideStyle, type Style } from './style.ts';
import type { Decision, ReportedVersion } from './types.ts';

/**
 * Decides without a look at anything but its arguments, so the same arguments give the same script.
 * @param facts Undefined when a script is rendered without a cluster: then everything comes from answers.
 * @param files The files that the answers name.
 * @throws Failure AnswerMissing without a cluster, naming every flag that is missing.
 */
export function decide(
  facts: ClusterFacts | undefined,
  answers: Answers,
  toolVersion: string,
  files: AnswerFiles = {},
): Decision {
  if (!facts) requireAnswers(answers);
  const style = decideStyle(facts, answers);
  const kube = decideKubeVersion(facts, answers);
  const runtime = decideRuntime(trustedControlPlane(facts?.nodes ?? []), answers);
  const binary = style.value === 'binary' ? decideBinary(facts, answers, files, kube.value, runtime.value) : undefined;
  const findings = [
    ...(answers.joinCommand === undefined ? [] : [tokenInTheOpen]),
    ...kube.findings,
    // Where it stops, the same is said there.
    ...(binary?.findings.some(({ code }) => code === 'BinaryCluster') ? [] : style.findings),
    ...misplaced(style.value, answers),
    ...(binary?.findings ?? []),
    ...(facts ? clusterFindings(facts, answers, kube.value, style.value) : []),
    ...runtime.findings,
  ];
  if (!kube.value || !runtime.value) {
    return {
      input: undefined,
      findings,
      imageRequirements: [],
      sources: { kubeVersion: kube.source, runtime: runtime.source },
    };
  }
  return decideRest(
    style,
    binary,
    facts,
    answers,
    toolVersion,
    { ...kube, value: kube.value },
    { ...runtime, value: runtime.value },
    files,
    findings,
  );
}

type Known<T> = Decided<T> & { readonly value: T };

function decideRest(
  { value: style, source: styleSource }: Known<Style>,
  binary: BinaryDecision | undefined,
  facts: ClusterFacts | undefined,
  answers: Answers,
  toolVersion: string,
  { value: kube, source: kubeSource }: Known<ReportedVersion>,
  { value: choice, source: runtimeSource }: Known<RuntimeChoice>,
  files: AnswerFiles,
  before: readonly Finding[],
): Decision {
  const { runtime, version } = choice;
  const kubelet = binary ? binary.kubelet : facts?.kubelet;
  const driver = decideCgroupDriver(kube, kubelet, answers, style);
  const image = decideSandboxImage(kube, facts, answers);
  const resolvConf = decideResolvConf(kubelet);
  const sysctls = decideSysctls(answers);
  const registries = decideRegistries(answers, files.registryCa, { runtime, version, sandboxImage: image.value });
  const proxy = facts?.kubeProxyMode;
  const needs = hostNeeds(kube, kubelet, elMajors(runtime, version), style);
  const findings = [
    ...before,
    ...runtimeFindings(kube, choice, answers.criDockerdUrl),
    ...[driver, image, resolvConf, sysctls, registries].flatMap((decided) => decided.findings),
    ...mirrorFindings(answers.mirror),
    ...(facts || binary ? [] : [assumed(driver.source, image.source)]),
  ];
  const sources = {
    style: styleSource,
    kubeVersion: kubeSource,
    runtime: runtimeSource,
    runtimeVersion: choice.versionSource,
    cgroupDriver: driver.source,
    sandboxImage: image.source,
    resolvConf: resolvConf.source,
    sysctls: sysctls.source,
    ...(proxy && { ipvs: proxy.source }),
    ...binary?.sources,
  };
  const stopped = findings.some(({ severity }) => severity === 'stop');
  if (stopped || !driver.value || !image.value || !sysctls.value || !registries.value || (binary && !binary.value))
    return { input: undefined, findings, imageRequirements: [], sources };
  const packages = runtimePackages(runtime, version);
  const socket = criSocket(runtime, kube);
  return {
    findings,
    sources,
    imageRequirements: imageRequirements(needs, kube, packages[0]!),
    input: {
      ...(binary?.value ? ofBinary(binary.value, kube, socket, driver.value, answers) : ofKubeadm(kube)),
      toolVersion,
      clusterName: facts?.clusterName ?? 'unnamed',
      kubeVersion: kube,
      runtime,
      runtimeVersion: version,
      runtimePackages: packages,
      kubeRepository: kubeRepository(kube),
      ...needs,
      criSocket: socket,
      criDockerdUrl: runtime === 'docker' && kube.minor >= 24 ? answers.criDockerdUrl : undefined,
      cgroupDriver: driver.value,
      sandboxImage: image.value,
      ipvs: proxy?.value === 'ipvs',
      overrideResolvConf: resolvConf.value === true,
      apiServerIp: answers.apiServerIp,
      mirror: answers.mirror,
      registries: registries.value,
      postScript: files.postScript,
      kubeletExtraArgs: driver.kubeletExtraArgs,
      runtimeConfig: answers.runtimeConfig,
      firewall: answers.firewall,
      selinux: answers.selinux,
      swap: answers.swap,
      kernelModules: answers.kernelModules,
      sysctls: sysctls.value,
      tools: answers.tools,
      deadlineSeconds: answers.deadline,
      answers: record(answers),
    },
  };
}

const ofKubeadm = (kube: ReportedVersion) => ({ style: 'kubeadm' as const, kubePackages: kubePackages(kube) });

function ofBinary(
  { fields, ...part }: NonNullable<BinaryDecision['value']>,
  kube: ReportedVersion,
  socket: string,
  cgroupDriver: string,
  { swap }: Answers,
) {
  const isNeeded = (name: string) => !/^kube(adm|ctl)-/.test(name);
  // From 1.27 on the endpoint is a field; before, a flag of the unit (kubernetes#112136).
  const containerRuntimeEndpoint = kube.minor >= 27 ? socket : undefined;
  return {
    style: 'binary' as const,
    kubePackages: part.kubelet.kind === 'rpm' ? kubePackages(kube).filter(isNeeded) : [],
    kubeletConfig: kubeletConfiguration(fields, { cgroupDriver, containerRuntimeEndpoint, swap }),
    ...part,
  };
}

/** Answers that mean something for clusters installed from binaries only. */
function misplaced(style: Style, answers: Answers): readonly Finding[] {
  if (style === 'binary') return [];
  return rows
    .filter(([key, { group }]) => group === 'Binary style' && answers[key] !== undefined)
    .map(([key]) =>
      stop(
        'AnswersContradict',
        `${flagOf(key)} is for a cluster installed from binaries, and new nodes join this one by kubeadm`,
        'Leave it out, or give --style binary.',
      ),
    );
}

const tokenInTheOpen = warning(
  'JoinCommandOnCommandLine',
  'the join command holds a token, and a command line is seen by other users of this machine and kept by the shell',
  'Use --join-command-file.',
);

const assumed = (driver: string, image: string) =>
  note(
    'AssumedWithoutCluster',
    `without a cluster these are assumed: cgroup driver (${driver}), pause image (${image}), kube-proxy without ipvs, a kubelet-config without surprises`,
  );
