/** What the cluster says: the shapes that the rooms to the right share. Read only. */

/** A value and where it was read, in words a person can check (`Node cp-1`, `ConfigMap kube-system/kubelet-config`). */
export interface Sourced<T> {
  readonly value: T;
  readonly source: string;
}

export interface NodeFact {
  readonly name: string;
  /** Carries node-role.kubernetes.io/control-plane or /master, whatever the label's value. */
  readonly controlPlane: boolean;
  readonly ready: boolean;
  /** As reported, for example `v1.28.3` or `v1.20.4-aliyun.1`. */
  readonly kubeletVersion: string;
  /** As reported, for example `containerd://1.6.28`, `docker://Unknown`, or empty. */
  readonly runtime: string;
  /** `cn-hangzhou.i-…` on an ECS node. */
  readonly providerId: string | undefined;
  /** Region of an ECS provider id. */
  readonly region: string | undefined;
  /** Annotation kubeadm.alpha.kubernetes.io/cri-socket. */
  readonly criSocket: string | undefined;
  readonly osImage: string;
  readonly architecture: string;
  readonly addresses: readonly string[];
}

/** From ConfigMap kube-system/kubeadm-config, key ClusterConfiguration. */
export interface KubeadmFact {
  readonly kubernetesVersion: string | undefined;
  readonly imageRepository: string | undefined;
  readonly controlPlaneEndpoint: string | undefined;
  readonly clusterName: string | undefined;
}

/** From ConfigMap kube-system/kubelet-config, or kubelet-config-1.NN before 1.24. */
export interface KubeletFact {
  readonly cgroupDriver: string | undefined;
  readonly resolvConf: string | undefined;
  readonly failCgroupV1: boolean | undefined;
  readonly containerRuntimeEndpoint: string | undefined;
}

/** From ConfigMap kube-public/cluster-info: what kubeadm's discovery will use. */
export interface DiscoveryFact {
  /** `https://host[:port]`, as cluster-info has it. */
  readonly server: string;
  /** PEM of every CA in certificate-authority-data. */
  readonly caPem: string;
  /** `sha256:<64 hex>` of each CA's SubjectPublicKeyInfo, in the bundle's order. */
  readonly pins: readonly string[];
  /** Ids of the tokens that cluster-info is signed for. */
  readonly signedFor: readonly string[];
  /** What an anonymous GET from cluster-info's own server says; `unreachable` when that server can't be reached from here. */
  readonly anonymous: 'readable' | 'unauthorized' | 'forbidden' | 'unreachable';
}

/** ConfigMap kube-system/ack-agent-config. */
export interface AgentConfigFact {
  /** Trimmed; undefined when unset or empty. */
  readonly addNodeScriptPath: string | undefined;
  readonly resourceVersion: string;
}

/** A fact that is not known, unlike one that is known to be missing. */
export interface Unread {
  readonly fact:
    | 'nodes'
    | 'kubeadm'
    | 'kubelet'
    | 'kubeProxyMode'
    | 'discovery'
    | 'agentConfig'
    | 'endpoints'
    | 'rootCa'
    | 'workerConfig'
    | 'proxyDaemonSet';
  /** One sentence. */
  readonly why: string;
}

export interface ClusterFacts {
  readonly context: string;
  /** A name for prefixes and comments: kubeadm's clusterName when it says something, else the context, made safe for an OSS key. */
  readonly clusterName: string;
  /** Server of the kubeconfig: maybe a proxy, never a default for nodes. */
  readonly kubeconfigServer: string;
  /** gitVersion of GET /version. */
  readonly serverVersion: Sourced<string>;
  /** Undefined when the right to list nodes is missing. */
  readonly nodes: readonly NodeFact[] | undefined;
  readonly kubeadm: Sourced<KubeadmFact> | undefined;
  readonly kubelet: Sourced<KubeletFact> | undefined;
  /** `iptables`, `ipvs`, `nftables`; undefined when ConfigMap kube-proxy is not there. */
  readonly kubeProxyMode: Sourced<string> | undefined;
  /** Undefined when cluster-info is missing: a cluster installed from binaries. */
  readonly discovery: Sourced<DiscoveryFact> | undefined;
  /**
   * Addresses of the API servers behind Service default/kubernetes, `192.0.2.10:6443` or `[2001:db8::1]:6443`, sorted. Like
   * the three below it is read only where there is no cluster-info, or --style binary asks for it.
   */
  readonly endpoints: Sourced<readonly string[]> | undefined;
  /** PEM of the cluster's CAs, from ConfigMap kube-system/kube-root-ca.crt. */
  readonly rootCa: Sourced<string> | undefined;
  /** KubeletConfiguration of a Ready worker, as that kubelet runs with it. */
  readonly workerConfig: Sourced<Readonly<Record<string, unknown>>> | undefined;
  /** The DaemonSet of kube-system that brings services to nodes: `kube-proxy`, `cilium`, `kube-router`. */
  readonly proxyDaemonSet: Sourced<string> | undefined;
  /** Undefined when missing. */
  readonly agentConfig: AgentConfigFact | undefined;
  /** Regions of the existing ECS nodes, each once, sorted. */
  readonly nodeRegions: readonly string[];
  /** What could not be read, for example because of a 403. */
  readonly unread: readonly Unread[];
}

/** A bootstrap token. The secret half appears nowhere but in the Secret, the script and the upload. */
export interface BootstrapToken {
  /** `[a-z0-9]{6}` */
  readonly id: string;
  /** `[a-z0-9]{16}` */
  readonly secret: string;
}

/** Outcome of using a token against cluster-info's own server. */
export type TokenProof =
  | { readonly result: 'proven'; readonly shown: readonly string[] }
  | { readonly result: 'refuted'; readonly missing: readonly string[] }
  | { readonly result: 'unreachable'; readonly why: string };
