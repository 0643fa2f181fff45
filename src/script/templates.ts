/** The bash of script-templates/: which files a script is made of, in order, and their text. */
import { existsSync, readFileSync } from 'node:fs';
import { isOwnMirror } from './mirror.ts';
import { asksForSandbox, hasRegistries } from './registry-files.ts';
import { namesServer } from './server.ts';
import type { ScriptInput } from './types.ts';
import { atLeast } from './versions.ts';

/** script-templates/ stands beside dist/, where the bundler puts this file, and two folders up from its source. */
const folder = ['../script-templates/', '../../script-templates/']
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(url));

/** Configuration version that a containerd writes and reads: 2 from 1.3, 3 from 2.0 (facts/versions.md). */
function containerdConfig({ runtimeVersion }: ScriptInput): string {
  if (atLeast(runtimeVersion, '2.0.0')) return 'prepare/containerd-config-3.sh';
  return atLeast(runtimeVersion, '1.3.0') ? 'prepare/containerd-config-2.sh' : 'prepare/containerd-config-1.sh';
}

function runtimeFiles(input: ScriptInput): readonly string[] {
  const registries = hasRegistries(input.registries) ? [`prepare/${input.runtime}-registries.sh`] : [];
  if (input.runtime === 'containerd') return [containerdConfig(input), ...registries, 'prepare/containerd.sh'];
  return [
    'prepare/docker.sh',
    ...registries,
    input.criDockerdUrl === undefined ? 'prepare/dockershim.sh' : 'prepare/cri-dockerd.sh',
  ];
}

/** kubeadm itself would stop for a kernel that is too old, unless it is told not to. */
const ignoresKernel = (input: ScriptInput) =>
  input.style === 'kubeadm' &&
  /ignore-preflight-errors[= ]\S*(systemverification|\ball\b)/i.test(input.join.extraWords.join(' '));

/** Its packages exist for EL 7 as far as is known, and its kernel, 3.10, is new enough. */
const fitsEl7 = (input: ScriptInput) =>
  (input.elMajors.length === 0 || input.elMajors.includes('7')) &&
  (input.minKernel === undefined || ignoresKernel(input));

/** Each of them has its own install_kubelet. */
function kubeletFiles(input: ScriptInput): readonly string[] {
  if (input.style === 'kubeadm' || input.kubelet.kind === 'rpm') return ['prepare/kubelet-rpm.sh'];
  return ['prepare/kubelet-program.sh', `prepare/kubelet-${input.kubelet.kind}.sh`];
}

/** How the API server comes to be trusted; a JoinConfiguration on the node says it in its own way. */
function serverFiles(input: ScriptInput): readonly string[] {
  if (input.style === 'binary') return ['check/api.sh', 'check/server-ca.sh'];
  return input.join.endpoint === '' ? [] : ['check/api.sh', 'check/discovery.sh'];
}

/** What a script consists of, in order. A step that is not needed, or that the user wants left alone, is not in it. */
export function templateFiles(input: ScriptInput): readonly string[] {
  const only = (wanted: boolean, file: string) => (wanted ? [file] : []);
  const ownMirror = isOwnMirror(input.mirror);
  const kubeProxy = input.style === 'binary' && input.kubeProxy === 'on-image';
  return [
    'lib/fail.sh',
    'lib/log.sh',
    'lib/phase.sh',
    'lib/retry.sh',
    'lib/files.sh',
    'lib/host.sh',
    'lib/repositories.sh',
    'check/host.sh',
    ...only(input.elMajors.length > 0, 'check/el.sh'),
    ...only(input.minKernel !== undefined && !ignoresKernel(input), 'check/kernel.sh'),
    ...only(input.needsCgroupV2, 'check/cgroup.sh'),
    'check/variables.sh',
    'check/identity.sh',
    ...serverFiles(input),
    'check/packages.sh',
    ...only(ownMirror, 'check/base-repositories.sh'),
    ...only(hasRegistries(input.registries), 'check/registries.sh'),
    ...only(!asksForSandbox(input), 'check/registry.sh'),
    ...only(kubeProxy, 'check/kube-proxy.sh'),
    'check/check.sh',
    ...only(input.firewall === 'disable', 'prepare/firewall.sh'),
    ...only(input.selinux !== 'keep', 'prepare/selinux.sh'),
    ...only(input.swap === 'disable', 'prepare/swap.sh'),
    ...only(input.kernelModules === 'load', 'prepare/kernel.sh'),
    ...only(input.sysctls.length > 0, 'prepare/sysctl.sh'),
    ...only(input.apiServerIp !== undefined && namesServer(input), 'prepare/hosts.sh'),
    ...only(fitsEl7(input), 'prepare/centos7.sh'),
    ...only(ownMirror, 'prepare/base-repositories.sh'),
    'prepare/keys.sh',
    'prepare/packages.sh',
    ...only(input.tools === 'install', 'prepare/tools.sh'),
    'prepare/service.sh',
    ...runtimeFiles(input),
    ...kubeletFiles(input),
    'prepare/prepare.sh',
    'join/kubelet.sh',
    ...(input.style === 'binary' ? ['join/unit.sh', 'join/bootstrap.sh'] : ['join/kubeadm.sh']),
    ...only(kubeProxy, 'join/kube-proxy.sh'),
    'join/join.sh',
    'join/verify.sh',
    ...only(input.postScript !== undefined, 'join/post-script.sh'),
    'main.sh',
  ];
}

const texts = new Map<string, string>();

/**
 * One template as it goes into a script: comments of whole lines are dropped, since the node has no use for them, but for
 * those that speak to shellcheck and the reason in front of them.
 */
export function templateText(file: string): string {
  let text = texts.get(file);
  if (text === undefined) {
    const lines = readFileSync(new URL(file, folder), 'utf8').split('\n');
    const isComment = (line: string | undefined) => line !== undefined && /^\s*#/.test(line);
    const speaks = (line: string | undefined) => line !== undefined && /^\s*# shellcheck /.test(line);
    text = lines.filter((line, at) => !isComment(line) || speaks(line) || speaks(lines[at + 1])).join('\n');
    texts.set(file, text);
  }
  return text;
}
