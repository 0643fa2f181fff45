/** Facts and answers → everything that a script depends on, but for the token. */
import type { ClusterFacts } from '../cluster/types.ts';
import { Failure, type Finding } from '../errors.ts';
import { type Answers, flagOf, type Key, rows } from '../questions.ts';
import { clusterFindings } from './cluster-findings.ts';
import { type Decided, note, warning } from './findings.ts';
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
import { elMajors, kubePackages, kubeRepository, runtimePackages } from './packages.ts';
import { decideRuntime, type RuntimeChoice, runtimeFindings } from './runtime-choice.ts';
import type { Decision, ReportedVersion } from './types.ts';
import { parseRuntime } from './versions.ts';

/**
 * Decides without a look at anything but its arguments, so the same arguments give the same script.
 * @param facts Undefined when a script is rendered without a cluster: then everything comes from answers.
 * @throws Failure AnswerMissing without a cluster, naming every flag that is missing.
 */
export function decide(facts: ClusterFacts | undefined, answers: Answers, toolVersion: string): Decision {
  if (!facts) requireAnswers(answers);
  const kube = decideKubeVersion(facts, answers);
  const runtime = decideRuntime(trustedControlPlane(facts?.nodes ?? []), answers);
  const findings = [
    ...(answers.joinCommand === undefined ? [] : [tokenInTheOpen]),
    ...kube.findings,
    ...(facts ? clusterFindings(facts, answers, kube.value) : []),
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
    facts,
    answers,
    toolVersion,
    { ...kube, value: kube.value },
    { ...runtime, value: runtime.value },
    findings,
  );
}

type Known<T> = Decided<T> & { readonly value: T };

function decideRest(
  facts: ClusterFacts | undefined,
  answers: Answers,
  toolVersion: string,
  { value: kube, source: kubeSource }: Known<ReportedVersion>,
  { value: choice, source: runtimeSource }: Known<RuntimeChoice>,
  before: readonly Finding[],
): Decision {
  const { runtime, version } = choice;
  const driver = decideCgroupDriver(kube, facts, answers);
  const image = decideSandboxImage(kube, facts, answers);
  const resolvConf = decideResolvConf(facts);
  const sysctls = decideSysctls(answers);
  const proxy = facts?.kubeProxyMode;
  const needs = hostNeeds(kube, facts, elMajors(runtime, version));
  const findings = [
    ...before,
    ...runtimeFindings(kube, choice, answers.criDockerdUrl),
    ...[driver, image, resolvConf, sysctls].flatMap((decided) => decided.findings),
    ...(facts ? [] : [assumed(driver.source, image.source)]),
  ];
  const sources = {
    kubeVersion: kubeSource,
    runtime: runtimeSource,
    runtimeVersion: choice.versionSource,
    cgroupDriver: driver.source,
    sandboxImage: image.source,
    resolvConf: resolvConf.source,
    sysctls: sysctls.source,
    ...(proxy && { ipvs: proxy.source }),
  };
  const stopped = findings.some(({ severity }) => severity === 'stop');
  if (stopped || !driver.value || !image.value || !sysctls.value)
    return { input: undefined, findings, imageRequirements: [], sources };
  const packages = runtimePackages(runtime, version);
  return {
    findings,
    sources,
    imageRequirements: imageRequirements(needs, kube, packages[0]!),
    input: {
      toolVersion,
      clusterName: facts?.clusterName ?? 'unnamed',
      kubeVersion: kube,
      runtime,
      runtimeVersion: version,
      runtimePackages: packages,
      kubePackages: kubePackages(kube),
      kubeRepository: kubeRepository(kube),
      ...needs,
      criSocket: criSocket(runtime, kube),
      criDockerdUrl: runtime === 'docker' && kube.minor >= 24 ? answers.criDockerdUrl : undefined,
      cgroupDriver: driver.value,
      sandboxImage: image.value,
      ipvs: proxy?.value === 'ipvs',
      overrideResolvConf: resolvConf.value === true,
      apiServerIp: answers.apiServerIp,
      mirror: answers.mirror,
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

/** Without a cluster nothing can be looked up: everything that is missing is named at once. */
function requireAnswers(answers: Answers): void {
  const version = answers.runtimeVersion ?? (answers.runtime && parseRuntime(answers.runtime).version);
  const missing: Key[] = [
    ...(answers.kubeVersion === undefined ? ['kubeVersion' as const] : []),
    ...(answers.runtime === undefined ? ['runtime' as const] : []),
    ...(version === undefined ? ['runtimeVersion' as const] : []),
    ...(answers.joinCommand === undefined && answers.joinCommandFile === undefined ? ['joinCommandFile' as const] : []),
  ];
  if (missing.length === 0) return;
  const flags = missing
    .map(flagOf)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' and ');
  throw new Failure('AnswerMissing', `without a cluster to look at, ${flags} must be given`, {
    next: [`Give ${flags}.`],
  });
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

/** Answers of these groups shape the script; a join command holds a token and is left out. */
const recorded = rows.filter(
  ([key, { group }]) => (group === 'Script' || group === 'Host') && !key.startsWith('joinCommand'),
);

/** What the user decided beyond the defaults, so that a live script explains itself. */
function record(answers: Answers): Readonly<Record<string, string | number | boolean>> {
  return Object.fromEntries(
    recorded.flatMap(([key, row]) => {
      const value = answers[key];
      if (value === undefined || value === row.default?.({}, {})) return [];
      return [
        [
          key,
          typeof value === 'object' ? value.join(',') : key === 'criDockerdUrl' ? withoutSecrets(String(value)) : value,
        ],
      ];
    }),
  );
}

/** A URL without user, password and query, any of which may be a credential. */
function withoutSecrets(text: string): string {
  const { origin, pathname } = new URL(text);
  return origin + pathname;
}
