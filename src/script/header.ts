/** The constants of a script: the one door through which values enter it. */

import { quote } from '../quote.ts';
import { dockerKey, kubernetesKey, legacyKubernetesKey } from './keys.ts';
import { kubeletFiles } from './kubelet-unit.ts';
import { el8Tree } from './packages.ts';
import { registryConstants } from './registry-files.ts';
import { namesServer } from './server.ts';
import type { BinaryInput, KubeadmInput, KubeletUnit, ScriptInput } from './types.ts';
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

const hasConfig = (words: readonly string[]) => words.some((word) => /^--config(=|$)/.test(word));

/**
 * Flags of kubelet that do not depend on the node. A kubelet that speaks to docker itself takes the pause image from one.
 */
function kubeletFlags(input: ScriptInput): readonly string[] {
  const dockershim = input.runtime === 'docker' && input.criDockerdUrl === undefined;
  return [...(dockershim ? [`--pod-infra-container-image=${input.sandboxImage}`] : []), ...input.kubeletExtraArgs];
}

/**
 * Where packages come from. `@mirror`, `@el` and `@arch` are found out on the node: one script serves hosts of every
 * release and architecture. Upstream keeps no copy of the legacy Kubernetes repository, so that one is the mirror's.
 */
function repositories({
  mirror,
  kubeRepository,
  kubeVersion,
  runtime,
  runtimeVersion,
}: ScriptInput): Readonly<Record<string, Value>> {
  const upstream = mirror === 'upstream';
  const docker = `${upstream ? 'https://download.docker.com' : '@mirror/docker-ce'}/linux/centos`;
  const minor = `v${kubeVersion.major}.${kubeVersion.minor}/rpm`;
  const perMinor = upstream
    ? `https://pkgs.k8s.io/core:/stable:/${minor}`
    : `@mirror/kubernetes-new/core/stable/${minor}`;
  const legacy = '@mirror/kubernetes/yum';
  return {
    MIRROR: mirror,
    RUNTIME_REPOSITORY: `${docker}/@el/@arch/stable`,
    RUNTIME_TREE: el8Tree(runtime, runtimeVersion),
    RUNTIME_KEY_URL: `${docker}/gpg`,
    KUBE_REPOSITORY: kubeRepository === 'legacy' ? `${legacy}/repos/kubernetes-el7-@arch` : perMinor,
    KUBE_KEY_URL:
      kubeRepository === 'legacy' ? `${legacy}/doc/rpm-package-key.gpg` : `${perMinor}/repodata/repomd.xml.key`,
    CENTOS_VAULT: upstream ? 'http://vault.centos.org' : '@mirror/centos-vault',
  };
}

/**
 * kubeadm join's words. Beside a JoinConfiguration kubeadm takes few flags (validation.go, isAllowedFlag), so the file must
 * say the rest; --node-name is one of the few, and is added on the node.
 */
function joinWords(input: KubeadmInput): readonly string[] {
  const { endpoint, token, pins, extraWords } = input.join;
  const target = [
    endpoint,
    ...['--token', token],
    ...pins.flatMap((pin) => ['--discovery-token-ca-cert-hash', pin]),
    ...['--cri-socket', socketWord(input)],
  ];
  return [
    ...(hasConfig(extraWords) ? [] : target),
    ...extraWords,
    ...(input.swap === 'keep' ? ['--ignore-preflight-errors=Swap'] : []),
  ];
}

/** How a node finds the API server, and what it shows to it. */
function kubeadmConstants(input: KubeadmInput): Readonly<Record<string, Value>> {
  return {
    ...server(input.join.endpoint),
    JOIN_TOKEN: input.join.token,
    JOIN_WORDS: joinWords(input),
    ...unitConstants({ ...kubeletFiles, labels: '', taints: '' }),
  };
}

function binaryConstants({ endpoint, caPem, kubelet, unit, ...input }: BinaryInput): Readonly<Record<string, Value>> {
  return {
    ...server(endpoint),
    JOIN_TOKEN: input.bootstrap.token,
    SERVER_CA: caPem,
    BOOTSTRAP_KUBECONFIG: input.bootstrap.kubeconfig,
    KUBELET_CONFIG: input.kubeletConfig,
    KUBELET_UNIT: unit.text,
    KUBELET_PROGRAM: unit.kubelet,
    KUBELET_URL: kubelet.kind === 'url' ? kubelet.url : '',
    KUBELET_SHA256: kubelet.kind === 'rpm' ? '' : kubelet.sha256,
    ...unitConstants(unit),
  };
}

/** Where kubelet's files are, and what its unit says of the node. */
const unitConstants = (unit: Omit<KubeletUnit, 'text' | 'kubelet'>): Readonly<Record<string, Value>> => ({
  KUBECONFIG_FILE: unit.kubeconfig,
  BOOTSTRAP_FILE: unit.bootstrapKubeconfig,
  CONFIG_FILE: unit.config,
  CERT_DIR: unit.certDir,
  UNIT_LABELS: unit.labels,
  UNIT_TAINTS: unit.taints,
});

function server(endpoint: string): Readonly<Record<string, Value>> {
  const { host, port } = hostAndPort(endpoint);
  return { API_SERVER_HOST: host, API_SERVER_PORT: port, JOIN_ENDPOINT: endpoint };
}

/** Every constant that a template may name. `undefined` is the empty word, a boolean `yes` or `no`. */
function constants(input: ScriptInput): Readonly<Record<string, Value>> {
  const ipvs = (words: readonly string[]) => (input.ipvs ? words : []);
  return {
    DEADLINE_SECONDS: input.deadlineSeconds,
    KUBE_VERSION: input.kubeVersion.base,
    KUBE_MINOR: `${input.kubeVersion.major}.${input.kubeVersion.minor}`,
    KUBE_PACKAGES: input.kubePackages,
    KUBE_KEY: input.kubeRepository === 'legacy' ? legacyKubernetesKey : kubernetesKey,
    RUNTIME_PACKAGES: input.runtimePackages,
    RUNTIME_KEY: dockerKey,
    ...repositories(input),

    EL_MAJORS: input.elMajors,
    MIN_KERNEL: input.minKernel,
    SELINUX_MODE: input.selinux,
    MODULES: ['overlay', 'br_netfilter', ...ipvs(['ip_vs', 'ip_vs_rr', 'ip_vs_wrr', 'ip_vs_sh', 'nf_conntrack'])],
    SYSCTLS: input.sysctls,
    TOOLS: ['conntrack-tools', 'socat', 'ethtool', 'iptables', ...ipvs(['ipset', 'ipvsadm'])],

    CRI_SOCKET: socketWord(input),
    CRI_ENDPOINT: input.criSocket.replace(/^\//, 'unix:///'),
    CRI_DOCKERD_URL: input.criDockerdUrl,
    CGROUP_DRIVER: input.cgroupDriver,
    SYSTEMD_CGROUP: String(input.cgroupDriver === 'systemd'),
    SANDBOX_IMAGE: input.sandboxImage,
    RUNTIME_CONFIG: input.runtimeConfig,
    ...registryConstants(input),
    OVERLAY_CHECK: input.runtime === 'docker' && !atLeast(input.runtimeVersion, '19.3.0'),

    API_SERVER_IP: namesServer(input) ? input.apiServerIp : undefined,
    POST_SCRIPT: input.postScript,
    ...(input.style === 'kubeadm' ? kubeadmConstants(input) : binaryConstants(input)),
    KUBELET_FLAGS: kubeletFlags(input),
    OVERRIDE_RESOLV_CONF: input.overrideResolvConf,
  };
}

/** In the words of shellcheck: what looks like an expansion is none. */
const asItStands = '# Text of a file: nothing in it shall expand.\n# shellcheck disable=SC2016\n';

/**
 * Without `readonly`: where a download ends behind that word, bash would print every variable, the token among them.
 */
function assignment(name: string, value: Value): string {
  if (typeof value === 'object') return `${name}=(${value.map(quote).join(' ')})`;
  if (typeof value === 'boolean') return `${name}=${quote(value ? 'yes' : 'no')}`;
  const text = String(value ?? '');
  return `${/[$`]/.test(text) ? asItStands : ''}${name}=${quote(text)}`;
}

/** One assignment for each constant that `body` names. */
export function header(input: ScriptInput, body: string): string {
  return Object.entries(constants(input))
    .filter(([name]) => new RegExp(`\\b${name}\\b`).test(body))
    .map(([name, value]) => `${assignment(name, value)}\n`)
    .join('');
}
