/** What the runtime, the kubelet and the host must agree on (cases C1 C6 and facts/versions.md). */
import type { ClusterFacts } from '../cluster/types.ts';
import type { Finding } from '../errors.ts';
import type { Answers } from '../questions.ts';
import { type Decided, note, stop, warning } from './findings.ts';
import { isImageReference, ownRepository, pauseImage } from './images.ts';
import type { Style } from './style.ts';
import type { ImageRequirement, ReportedVersion, Runtime, ScriptInput } from './types.ts';

type CgroupDriver = ScriptInput['cgroupDriver'];
const isDriver = (text: string | undefined): text is CgroupDriver => text === 'systemd' || text === 'cgroupfs';

/**
 * The driver that kubelet will use, which the runtime must use as well: its configuration's, or where that says none, systemd
 * from kubeadm 1.22 on, and cgroupfs before and without kubeadm.
 */
export function decideCgroupDriver(
  kube: ReportedVersion,
  configuration: ClusterFacts['kubelet'],
  answers: Answers,
  style: Style,
): Decided<CgroupDriver> & { readonly kubeletExtraArgs: readonly string[] } {
  const stated = configuration?.value.cgroupDriver || undefined;
  const usual: CgroupDriver = style === 'kubeadm' && kube.minor >= 22 ? 'systemd' : 'cgroupfs';
  const kubelet = isDriver(stated) ? stated : usual;
  const findings: Finding[] = [];
  if (stated !== undefined && !isDriver(stated)) {
    findings.push(
      warning(
        'CgroupDriverUnknown',
        `${configuration?.source ?? 'kubelet-config'} states the cgroup driver ${stated}, which is none; ${usual} is used`,
      ),
    );
  }
  const asked = answers.cgroupDriver;
  if (asked === undefined) {
    const source = isDriver(stated) ? configuration!.source : `default of Kubernetes 1.${kube.minor}`;
    return { value: kubelet, source, findings, kubeletExtraArgs: [] };
  }
  if (asked !== kubelet) {
    findings.push(
      warning(
        'CgroupDriverDiffers',
        `the cluster's kubelets use the cgroup driver ${kubelet}; new nodes get ${asked} by --cgroup-driver`,
      ),
    );
  }
  return {
    value: asked,
    source: '--cgroup-driver',
    findings,
    // Without kubeadm it stands in the configuration itself.
    kubeletExtraArgs: asked === kubelet || style === 'binary' ? [] : [`--cgroup-driver=${asked}`],
  };
}

/** Whole reference of the pause image: a flag's, else from the cluster's own repository, else from the Aliyun mirror. */
export function decideSandboxImage(
  kube: ReportedVersion,
  facts: ClusterFacts | undefined,
  answers: Answers,
): Decided<string> {
  const invalid = (flag: string, value: string): Decided<string> => ({
    value: undefined,
    source: flag,
    findings: [stop('AnswerInvalid', `the value of ${flag}, ${value}, is no image reference`)],
  });
  if (answers.sandboxImage !== undefined) {
    if (!isImageReference(answers.sandboxImage)) return invalid('--sandbox-image', answers.sandboxImage);
    return { value: answers.sandboxImage, source: '--sandbox-image', findings: [] };
  }
  if (answers.imageRepository !== undefined) {
    const image = pauseImage(kube.minor, answers.imageRepository);
    return isImageReference(image)
      ? { value: image, source: '--image-repository', findings: [] }
      : invalid('--image-repository', answers.imageRepository);
  }
  const own = ownRepository(facts?.kubeadm?.value.imageRepository);
  if (own !== undefined && isImageReference(pauseImage(kube.minor, own))) {
    return { value: pauseImage(kube.minor, own), source: facts!.kubeadm!.source, findings: [] };
  }
  const findings =
    own === undefined
      ? []
      : [
          warning(
            'ImageRepositoryInvalid',
            `kubeadm-config names the image repository ${own}, which is none; the Aliyun mirror is used`,
          ),
        ];
  return {
    value: pauseImage(kube.minor),
    source: `default of Kubernetes 1.${kube.minor}, from the Aliyun mirror`,
    findings,
  };
}

/** The runtime's socket as `kubeadm join --cri-socket` of that version takes it (cmd/kubeadm/app/constants). */
export function criSocket(runtime: Runtime, kube: ReportedVersion): string {
  if (runtime === 'containerd') return 'unix:///run/containerd/containerd.sock';
  return kube.minor >= 24 ? 'unix:///var/run/cri-dockerd.sock' : '/var/run/dockershim.sock';
}

/** kubelet-config names a resolv.conf that an RPM host has not got: Ubuntu's, mostly (kubeadm#3034). */
export function decideResolvConf(configuration: ClusterFacts['kubelet']): Decided<boolean> {
  const { value, source = 'kubelet-config' } = configuration ?? {};
  const foreign = Boolean(value?.resolvConf) && value?.resolvConf !== '/etc/resolv.conf';
  const what = `${source} names ${value?.resolvConf}, which an RPM host does not have; new nodes use /etc/resolv.conf`;
  return { value: foreign, source, findings: foreign ? [note('ForeignResolvConf', what)] : [] };
}

/** Kernel settings of the samples, then the user's; a later value of a key wins, and `keep` alone leaves all as they are. */
export function decideSysctls(answers: Answers): Decided<readonly string[]> {
  const asked = answers.sysctl ?? [];
  if (asked.includes('keep')) {
    const alone = asked.every((line) => line === 'keep');
    return {
      value: alone ? [] : undefined,
      source: '--sysctl',
      findings: alone
        ? []
        : [stop('AnswersContradict', '--sysctl keep and other kernel settings cannot both be given')],
    };
  }
  const defaults = [
    'net.bridge.bridge-nf-call-ip6tables=1',
    'net.bridge.bridge-nf-call-iptables=1',
    'net.ipv4.ip_forward=1',
  ];
  if (answers.swap === 'disable') defaults.push('vm.swappiness=0');
  const settings = new Map([...defaults, ...asked].map((line) => [sysctlKey(line), line]));
  return { value: [...settings.values()], source: asked.length > 0 ? 'default and --sysctl' : 'default', findings: [] };
}

/** `net/ipv4/ip_forward` is `net.ipv4.ip_forward` (sysctl.d(5): the first separator tells which way it is written). */
function sysctlKey(line: string): string {
  const key = line.slice(0, line.indexOf('=')).trim();
  return /^[^.]*\//.test(key) ? key.replace(/[./]/g, (char) => (char === '/' ? '.' : '/')) : key;
}

type HostNeeds = Pick<ScriptInput, 'needsCgroupV2' | 'minKernel' | 'elMajors'>;

/** From 1.35 kubelet exits on cgroup v1 unless told otherwise; from 1.32 kubeadm wants kernel 4.19. */
export const hostNeeds = (
  kube: ReportedVersion,
  configuration: ClusterFacts['kubelet'],
  elMajors: readonly string[],
  style: Style,
): HostNeeds => ({
  needsCgroupV2: kube.minor >= 35 && configuration?.value.failCgroupV1 !== false,
  minKernel: style === 'kubeadm' && kube.minor >= 32 ? '4.19' : undefined,
  elMajors,
});

/** The same, in words for the plan. */
export function imageRequirements(
  { needsCgroupV2, minKernel, elMajors }: HostNeeds,
  kube: ReportedVersion,
  runtimePackage: string,
): readonly ImageRequirement[] {
  return [
    ...(needsCgroupV2
      ? [
          {
            id: 'cgroup-v2',
            what: `cgroup v2, because kubelet ${kube.base} exits on v1; EL 7, EL 8 and Alibaba Cloud Linux 2 and 3 boot v1 unless told otherwise`,
          },
        ]
      : []),
    ...(minKernel
      ? [
          {
            id: 'kernel',
            what: `kernel ${minKernel} or later for Kubernetes ${kube.base}; EL 7 and EL 8 have older ones`,
          },
        ]
      : []),
    ...(elMajors.length > 0
      ? [
          {
            id: 'el-major',
            what: `EL ${elMajors.join(' or ')}, because ${runtimePackage} is packaged for nothing else`,
          },
        ]
      : []),
  ];
}
