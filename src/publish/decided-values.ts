/** What was decided, and by whom, for the plan's first lines. Pure. */
import { certificatesIn } from '../certificates.ts';
import { bareUrl } from '../masking.ts';
import type { Readability } from '../oss/types.ts';
import { isOwnMirror } from '../script/mirror.ts';
import type { DecidedInput, KubeletSource } from '../script/types.ts';
import type { Survey } from './survey.ts';
import type { DecidedValue } from './types.ts';

export function decidedValues(survey: Survey, readability: Readability): readonly DecidedValue[] {
  const { decision } = survey;
  const input = decision.input!;
  const source = (name: string) => decision.sources[name] ?? 'computed';
  return [
    {
      name: 'Kubernetes',
      value: `${input.kubeVersion.base} (${input.kubeVersion.raw})`,
      source: source('kubeVersion'),
    },
    {
      name: 'Runtime',
      value: `${input.runtime} ${input.runtimeVersion.base} (${input.runtimeVersion.raw})`,
      source: source('runtime'),
    },
    { name: 'Runtime packages', value: input.runtimePackages.join(' '), source: 'computed' },
    { name: 'cgroup driver', value: input.cgroupDriver, source: source('cgroupDriver') },
    { name: 'CRI socket', value: input.criSocket, source: source('criSocket') },
    { name: 'Pause image', value: input.sandboxImage, source: source('sandboxImage') },
    ...closedNetworkValues(input),
    ...(input.style === 'binary' ? binaryValues(input, source) : kubeadmValues(survey)),
    { name: 'Readable by nodes', value: readability.answer, source: readability.why },
  ];
}

/** What a host without a way out gets things from. */
function closedNetworkValues({ mirror, registries: { mirrors, caHosts } }: DecidedInput): readonly DecidedValue[] {
  const images = mirrors.map(({ registry, url }) => `${url}${registry === undefined ? '' : ` for ${registry}`}`);
  return [
    ...(isOwnMirror(mirror) ? [{ name: 'Packages from', value: mirror, source: '--mirror' }] : []),
    ...(images.length > 0 ? [{ name: 'Images from', value: images.join(', '), source: '--registry-mirror' }] : []),
    ...(caHosts.length > 0 ? [{ name: 'Registry CA for', value: caHosts.join(', '), source: '--registry-ca' }] : []),
  ];
}

function kubeadmValues({ facts: { discovery }, own }: Survey): readonly DecidedValue[] {
  const join = own && 'join' in own.credential ? own.credential.join : undefined;
  const source = join ? 'join command' : (discovery?.source ?? '');
  return [
    { name: 'API server', value: join?.endpoint ?? discovery?.value.server ?? '', source },
    { name: 'CA pins', value: String((join?.pins ?? discovery?.value.pins ?? []).length), source },
  ];
}

const kubeProxies = { daemonset: 'as a DaemonSet', 'on-image': 'on the image', 'post-script': 'by the post script' };

function binaryValues(
  input: Extract<DecidedInput, { style: 'binary' }>,
  source: (name: string) => string,
): readonly DecidedValue[] {
  return [
    { name: 'Style', value: 'binary, without kubeadm', source: source('style') },
    { name: 'API server', value: `https://${input.endpoint}`, source: source('server') },
    { name: 'CA certificates', value: String(certificatesIn(input.caPem).length), source: source('ca') },
    { name: 'kubelet', value: kubeletText(input.kubelet), source: source('kubelet') },
    { name: 'kubelet config', value: input.unit.config, source: source('kubeletConfig') },
    { name: 'kubelet.service', value: input.unit.kubelet, source: source('unit') },
    { name: 'kube-proxy', value: kubeProxies[input.kubeProxy], source: source('kubeProxy') },
  ];
}

/** A URL may hold a password or a signature. */
function kubeletText(kubelet: KubeletSource): string {
  if (kubelet.kind === 'rpm') return 'RPM of the Kubernetes repository';
  if (kubelet.kind === 'path') return `${kubelet.path} on the image`;
  return `${bareUrl(kubelet.url)}, sha256 ${kubelet.sha256.slice(0, 12)}…`;
}
