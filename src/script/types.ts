import type { Finding } from '../errors.ts';

/** Everything a composed script depends on: the same input gives the same bytes. */

export type Runtime = 'containerd' | 'docker';

/** A version that a node or a user reports, taken apart. */
export interface ReportedVersion {
  /** As it was reported. */
  readonly raw: string;
  /** `1.28.3`: three integers, no leading zeros. */
  readonly base: string;
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** `-aliyun.1`, `+k3s1`, `~ce`: what stands behind the base; empty when nothing does. */
  readonly suffix: string;
}

/**
 * What the node needs to find and trust the API server. With `--config=…` among the extra words, the JoinConfiguration
 * on the node says all of it: endpoint, token and pins are empty, and kubeadm takes no --cri-socket beside it.
 */
export interface JoinTarget {
  /** `192.0.2.10:6443` or `[2001:db8::1]:6443`: host and port, from cluster-info. */
  readonly endpoint: string;
  /** `abcdef.0123456789abcdef` */
  readonly token: string;
  /** `sha256:<64 hex>`, one per CA; empty only beside --config or --discovery-token-unsafe-skip-ca-verification. */
  readonly pins: readonly string[];
  /** More words of the user's own join command (`--ignore-preflight-errors=Swap`, `--config=/etc/join.yaml`), already checked. */
  readonly extraWords: readonly string[];
}

/** A pull-through mirror or a registry of the user's own. */
export interface RegistryMirror {
  /** `registry.k8s.io`, `docker.io`, `192.0.2.5:5000`: whose images it serves; undefined: everybody's. */
  readonly registry: string | undefined;
  /** `https://mirror.example.com[:port][/path]`, without a slash at its end; http only where the user wrote it. */
  readonly url: string;
}

/** What the runtime must be told to pull images in a closed network. */
export interface Registries {
  readonly mirrors: readonly RegistryMirror[];
  /** PEM of one or more CA certificates; undefined: the host's own trust is enough. */
  readonly caPem: string | undefined;
  /** `host[:port]` of each registry and mirror whose certificate comes from that CA, each once. */
  readonly caHosts: readonly string[];
}

/** Where the kubelet of a binary installation comes from. */
export type KubeletSource =
  | { readonly kind: 'url'; readonly url: string /** 64 lower-case hex digits. */; readonly sha256: string }
  /** It is on the image, at this absolute path; a digest is checked where one is given. */
  | { readonly kind: 'path'; readonly path: string; readonly sha256?: string | undefined }
  /** Package kubelet of the Kubernetes repository, without kubeadm. */
  | { readonly kind: 'rpm' };

/**
 * kubelet.service, ours or the user's own, with its ExecStart as it shall be: it ends with `$KUBELET_EXTRA_ARGS`, which
 * the script fills on the node, and names no flag that this kubelet does not know or that belongs to one node.
 */
export interface KubeletUnit {
  /** The whole unit; ends with a newline. */
  readonly text: string;
  /** Absolute path of the program that it starts. */
  readonly kubelet: string;
  /** Absolute paths that its flags name, for the files that the script writes. */
  readonly kubeconfig: string;
  readonly bootstrapKubeconfig: string;
  readonly config: string;
  /** Folder of kubelet-client-current.pem. */
  readonly certDir: string;
  /** Comma lists that stood in the user's ExecStart, to be merged with the pool's. */
  readonly labels: string;
  readonly taints: string;
}

/** Everything that both styles need. */
interface HostInput {
  /** Version of ackone-join. */
  readonly toolVersion: string;
  /** For the comment at the top. */
  readonly clusterName: string;

  readonly kubeVersion: ReportedVersion;
  readonly runtime: Runtime;
  readonly runtimeVersion: ReportedVersion;
  /** `name-version` as YUM takes them, in install order: `docker-ce-19.03.15`, `docker-ce-cli-19.03.15`, `containerd.io`. */
  readonly runtimePackages: readonly string[];
  /**
   * `kubelet-1.28.3`, `kubeadm-1.28.3`, `kubectl-1.28.3`, and kubernetes-cni where old kubelets need a fixed one (B3); for
   * binaries without kubeadm and kubectl, and empty unless kubelet comes as an RPM.
   */
  readonly kubePackages: readonly string[];
  /** EL majors for which the runtime's packages exist, for example ['7']. Empty: no limit known. */
  readonly elMajors: readonly string[];
  /** `legacy`: kubernetes-el7-$arch; `minor`: kubernetes-new/core/stable/v1.NN (facts/versions.md). */
  readonly kubeRepository: 'legacy' | 'minor';

  /** `unix:///run/containerd/containerd.sock`; `/var/run/dockershim.sock` for docker before 1.24, which old kubeadm compares as it is. */
  readonly criSocket: string;
  readonly criDockerdUrl: string | undefined;
  readonly cgroupDriver: 'systemd' | 'cgroupfs';
  /** Full reference of the pause image. */
  readonly sandboxImage: string;
  /** kube-proxy uses ipvs: load its modules and tools. */
  readonly ipvs: boolean;
  /** kubelet-config names a resolv.conf that an RPM host lacks: add --resolv-conf=/etc/resolv.conf. */
  readonly overrideResolvConf: boolean;
  /** kubelet 1.35+ and failCgroupV1 is not false: a cgroup v1 host must stop in `check`. */
  readonly needsCgroupV2: boolean;
  /** kubeadm 1.32+: kernels below 4.19 must stop in `check`. */
  readonly minKernel: string | undefined;

  /** Address for the API server's name, written to /etc/hosts. */
  readonly apiServerIp: string | undefined;

  /** Where packages come from; a URL is a mirror with the layout of mirrors.aliyun.com, without a slash at its end. */
  readonly mirror: 'auto' | 'aliyun' | 'aliyun-internal' | 'upstream' | (string & {});
  readonly registries: Registries;
  /** The user's own script, run when the node has joined; undefined: none. */
  readonly postScript: string | undefined;
  readonly kubeletExtraArgs: readonly string[];
  readonly runtimeConfig: 'keep' | 'replace';
  readonly firewall: 'disable' | 'keep';
  readonly selinux: 'disabled' | 'permissive' | 'keep';
  readonly swap: 'disable' | 'keep';
  readonly kernelModules: 'load' | 'keep';
  /** `key=value` lines for sysctl.d; empty: leave sysctl alone. */
  readonly sysctls: readonly string[];
  readonly tools: 'install' | 'keep';
  /** Total seconds. */
  readonly deadlineSeconds: number;
  /** Flag → value of what the user decided, without secrets, for the comment at the end of the script. */
  readonly answers: Readonly<Record<string, string | number | boolean>>;
}

/** The cluster was installed by kubeadm, and the node joins by it. */
export interface KubeadmInput extends HostInput {
  readonly style: 'kubeadm';
  readonly join: JoinTarget;
}

/** The cluster was installed from binaries: kubelet asks for its certificate itself (TLS bootstrap). */
export interface BinaryInput extends HostInput {
  readonly style: 'binary';
  /** `192.0.2.10:6443`: host and port of the API server. */
  readonly endpoint: string;
  /** PEM of the CAs that its certificate comes from. */
  readonly caPem: string;
  readonly kubelet: KubeletSource;
  /** YAML of a KubeletConfiguration; ends with a newline. */
  readonly kubeletConfig: string;
  readonly unit: KubeletUnit;
  readonly kubeProxy: 'daemonset' | 'on-image' | 'post-script';
  readonly bootstrap: Bootstrap;
}

/** What kubelet shows until it has its certificate. */
export interface Bootstrap {
  /** Text of the kubeconfig, its CA inline; ends with a newline. */
  readonly kubeconfig: string;
  /** The bearer token in it; empty when it holds a client certificate. */
  readonly token: string;
}

export type ScriptInput = KubeadmInput | BinaryInput;

/** A ScriptInput before there is a token. */
export type DecidedInput = Omit<KubeadmInput, 'join'> | Omit<BinaryInput, 'bootstrap'>;

export interface Script {
  readonly text: string;
  /** sha256 hex of `text`. */
  readonly digest: string;
  /** Bytes in UTF-8. */
  readonly size: number;
}

/** What the image must bring and cannot be seen from here; checked on the node (DESIGN.md section 7). */
export interface ImageRequirement {
  /** Stable: `cgroup-v2`, `kernel`, `el-major`, … */
  readonly id: string;
  readonly what: string;
}

/** What facts and answers together say, before a token exists. */
export interface Decision {
  /** Undefined when a finding of severity `stop` leaves nothing to compose. */
  readonly input: DecidedInput | undefined;
  readonly findings: readonly Finding[];
  readonly imageRequirements: readonly ImageRequirement[];
  /** Where each decided value came from, for the plan: `kubeVersion` → `lowest of /version, kubeadm-config and 3 Ready control-plane nodes`. */
  readonly sources: Readonly<Record<string, string>>;
}
