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

export interface ScriptInput {
  /** Version of ackone-join. */
  readonly toolVersion: string;
  /** For the comment at the top. */
  readonly clusterName: string;

  readonly kubeVersion: ReportedVersion;
  readonly runtime: Runtime;
  readonly runtimeVersion: ReportedVersion;
  /** `name-version` as YUM takes them, in install order: `docker-ce-19.03.15`, `docker-ce-cli-19.03.15`, `containerd.io`. */
  readonly runtimePackages: readonly string[];
  /** `kubelet-1.28.3`, `kubeadm-1.28.3`, `kubectl-1.28.3`, and kubernetes-cni where old kubelets need a fixed one (B3). */
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

  readonly join: JoinTarget;
  /** Address for the host of join.endpoint, written to /etc/hosts. */
  readonly apiServerIp: string | undefined;

  readonly mirror: 'auto' | 'aliyun' | 'aliyun-internal' | 'upstream';
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
  readonly input: Omit<ScriptInput, 'join'> | undefined;
  readonly findings: readonly Finding[];
  readonly imageRequirements: readonly ImageRequirement[];
  /** Where each decided value came from, for the plan: `kubeVersion` → `lowest of /version, kubeadm-config and 3 Ready control-plane nodes`. */
  readonly sources: Readonly<Record<string, string>>;
}
