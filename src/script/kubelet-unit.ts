/** Our kubelet.service for a cluster installed from binaries, and what it has in common with the user's own. */
import type { KubeletUnit, ReportedVersion, Runtime } from './types.ts';

/** Whom a kubelet of this version speaks to. */
export interface CriClient {
  readonly kube: ReportedVersion;
  readonly runtime: Runtime;
  /** `unix:///run/containerd/containerd.sock`; for dockershim of no use. */
  readonly criSocket: string;
}

/** Where kubelet's files are, as kubeadm has it. */
export const kubeletFiles = {
  kubeconfig: '/etc/kubernetes/kubelet.conf',
  bootstrapKubeconfig: '/etc/kubernetes/bootstrap-kubelet.conf',
  config: '/var/lib/kubelet/config.yaml',
  certDir: '/var/lib/kubelet/pki',
} as const;
export const fileFlags = {
  '--kubeconfig': 'kubeconfig',
  '--bootstrap-kubeconfig': 'bootstrapKubeconfig',
  '--config': 'config',
} as const;
export const environmentFile = 'EnvironmentFile=-/etc/sysconfig/kubelet';

/**
 * How kubelet finds its runtime. A remote one had to be asked for until dockershim went with 1.24, and its endpoint is a
 * field of the configuration from 1.27 on (kubernetes cmd/kubelet/app/options, kubelet config v1beta1).
 */
export function runtimeFlags({ kube, runtime, criSocket }: CriClient): readonly string[] {
  if (runtime === 'docker' && kube.minor < 24) return ['--network-plugin=cni'];
  return [
    ...(kube.minor < 24 ? ['--container-runtime=remote'] : []),
    ...(kube.minor < 27 ? [`--container-runtime-endpoint=${criSocket}`] : []),
  ];
}

/** @param program Absolute path of kubelet. */
export function ourUnit(program: string, client: CriClient): KubeletUnit {
  const words = [
    program,
    ...Object.entries(fileFlags).map(([flag, file]) => `${flag}=${kubeletFiles[file]}`),
    ...runtimeFlags(client),
    '$KUBELET_EXTRA_ARGS',
  ];
  const text = `[Unit]
Description=kubelet, the Kubernetes node agent
Documentation=https://kubernetes.io/docs/
Wants=network-online.target
After=network-online.target containerd.service docker.service
StartLimitIntervalSec=0

[Service]
${environmentFile}
ExecStart=${words.join(' ')}
Restart=always
RestartSec=10

[Install]
WantedBy=multi-user.target
`;
  return { text, kubelet: program, ...kubeletFiles, labels: '', taints: '' };
}
