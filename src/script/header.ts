/** The constants of a script: the one door through which values enter it. */
import { dockerKey, kubernetesKey, legacyKubernetesKey } from './keys.ts';
import { quote } from './quote.ts';
import type { ScriptInput } from './types.ts';
import { atLeast } from './versions.ts';

type Value = string | number | boolean | readonly string[] | undefined;

/** `192.0.2.10:6443` or `[2001:db8::1]:6443`, taken apart, without the brackets. */
function hostAndPort(endpoint: string): { host: string; port: string } {
  const at = endpoint.lastIndexOf(':');
  return { host: endpoint.slice(0, at).replace(/^\[|\]$/g, ''), port: endpoint.slice(at + 1) };
}

/** Before 1.24 kubeadm wants the socket as a path, and knows dockershim's by that (cmd/kubeadm, v1.14 ValidateAbsolutePath). */
const socketWord = ({ criSocket, kubeVersion }: ScriptInput): string =>
  atLeast(kubeVersion, '1.24.0') ? criSocket : criSocket.replace(/^unix:\/\//, '');

/**
 * Flags of kubelet that do not depend on the node. Before 1.22 kubelet's own default for the cgroup driver stands where
 * kubelet-config is silent, and docker's kubelet takes its pause image from a flag.
 */
function kubeletFlags(input: ScriptInput): readonly string[] {
  const dockershim = input.runtime === 'docker' && input.criDockerdUrl === undefined;
  return [
    ...(atLeast(input.kubeVersion, '1.22.0') ? [] : [`--cgroup-driver=${input.cgroupDriver}`]),
    ...(dockershim ? [`--pod-infra-container-image=${input.sandboxImage}`] : []),
    ...input.kubeletExtraArgs,
  ];
}

/** Every constant that a template may name. `undefined` is the empty word, a boolean `yes` or `no`. */
function constants(input: ScriptInput): Readonly<Record<string, Value>> {
  const { host, port } = hostAndPort(input.join.endpoint);
  const ignored = input.join.extraWords.join(' ');
  const extraKeys = input.extraKeyFingerprints ?? [];
  return {
    DEADLINE_SECONDS: input.deadlineSeconds,
    KUBE_MINOR: `${input.kubeVersion.major}.${input.kubeVersion.minor}`,
    KUBE_PACKAGES: input.kubePackages,
    KUBE_REPOSITORY: input.kubeRepository,
    KUBE_KEYS: [input.kubeRepository === 'legacy' ? legacyKubernetesKey : kubernetesKey, ...extraKeys],
    RUNTIME_PACKAGES: input.runtimePackages,
    RUNTIME_KEYS: [dockerKey, ...extraKeys],
    EL_MAJORS: input.elMajors.join(' '),
    MIRROR: input.mirror,

    CRI_SOCKET: socketWord(input),
    CRI_ENDPOINT: input.criSocket.replace(/^\//, 'unix:///'),
    CRI_DOCKERD_URL: input.criDockerdUrl,
    CGROUP_DRIVER: input.cgroupDriver,
    SANDBOX_IMAGE: input.sandboxImage,
    RUNTIME_CONFIG: input.runtimeConfig,
    REGISTRY_MIRRORS: input.registryMirrors,
    OVERLAY_CHECK: input.runtime === 'docker' && !atLeast(input.runtimeVersion, '19.3.0'),

    IPVS: input.ipvs,
    NEEDS_CGROUP_V2: input.needsCgroupV2,
    // kubeadm itself would stop, unless it is told not to.
    MIN_KERNEL: /ignore-preflight-errors[= ]\S*(SystemVerification|\ball\b)/i.test(ignored)
      ? undefined
      : input.minKernel,
    SELINUX_MODE: input.selinux,
    SYSCTLS: input.sysctls,

    API_SERVER_HOST: host,
    API_SERVER_PORT: port,
    API_SERVER_IP: input.apiServerIp,
    JOIN_ENDPOINT: input.join.endpoint,
    JOIN_TOKEN: input.join.token,
    PINS: input.join.pins,
    JOIN_CONFIG: input.join.extraWords.some((word) => /^--config(=|$)/.test(word)),
    JOIN_WORDS: [...input.join.extraWords, ...(input.swap === 'keep' ? ['--ignore-preflight-errors=Swap'] : [])],
    KUBELET_FLAGS: kubeletFlags(input),
    OVERRIDE_RESOLV_CONF: input.overrideResolvConf,
  };
}

function assignment(name: string, value: Value): string {
  if (typeof value === 'object') return `readonly -a ${name}=(${value.map(quote).join(' ')})`;
  if (typeof value === 'boolean') return `readonly ${name}=${quote(value ? 'yes' : 'no')}`;
  return `readonly ${name}=${quote(String(value ?? ''))}`;
}

/** One `readonly` line for each constant that `body` names. */
export function header(input: ScriptInput, body: string): string {
  return Object.entries(constants(input))
    .filter(([name]) => new RegExp(`\\b${name}\\b`).test(body))
    .map(([name, value]) => `${assignment(name, value)}\n`)
    .join('');
}
