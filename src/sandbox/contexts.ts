/** The sandbox's clusters, one a context, each with what makes it worth trying. */
import type { Algorithm } from './certificates.ts';

export interface Machine {
  readonly name: string;
  readonly address: string;
  readonly kubelet: string;
  /** As the kubelet reports it. */
  readonly runtime: string;
  readonly os: string;
  readonly kernel: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly criSocket: string;
  readonly providerId?: string;
}

export interface Description {
  /** Documentation address (RFC 5737) of the API server, as its kubeconfig and cluster-info have it. */
  readonly address: string;
  /** `v1.28.3`: of the API server and of kubeadm-config. */
  readonly version: string;
  readonly authority: Algorithm;
  readonly machines: readonly Machine[];
  /** False: installed from binaries, without kubeadm's ConfigMaps and cluster-info. */
  readonly kubeadm: boolean;
  /** False: nobody has thought of new nodes, so they are granted nothing, and kube-proxy is no DaemonSet. */
  readonly prepared: boolean;
  readonly kubeProxyMode: 'iptables' | 'ipvs';
  /** `viewer` may read, and nothing else. */
  readonly user: 'admin' | 'viewer';
}

const controlPlane = { 'node-role.kubernetes.io/control-plane': '' };
const master = { 'node-role.kubernetes.io/master': '' };
const containerdSocket = 'unix:///run/containerd/containerd.sock';
const ubuntu = { os: 'Ubuntu 22.04.5 LTS', kernel: '5.15.0-125-generic', criSocket: containerdSocket };
const centos = { os: 'CentOS Linux 7 (Core)', kernel: '3.10.0-1160.el7.x86_64', criSocket: '/var/run/dockershim.sock' };
const alinux = { os: 'Alibaba Cloud Linux 3', kernel: '5.10.134-16.al8.x86_64', criSocket: containerdSocket };

type Kind = Omit<Machine, 'name' | 'address' | 'labels'>;

/** Machines of one kind: `cp-1`, `cp-2`, … with addresses that count up from the first. */
function onPremises(prefix: string, count: number, first: number, kind: Kind, labels: Machine['labels']) {
  return Array.from({ length: count }, (_, index) => ({
    ...kind,
    labels,
    name: `${prefix}-${index + 1}`,
    address: `192.168.10.${first + index}`,
  }));
}

/** Nodes that the cluster has on ECS already; their name and labels are those that ACK One gives. */
function onEcs(kind: Kind): Machine[] {
  return [21, 22].map((last) => {
    const instance = `i-bp1sandbox0000000000${last}`;
    return {
      ...kind,
      name: `cn-hangzhou.192.168.20.${last}`,
      address: `192.168.20.${last}`,
      providerId: `cn-hangzhou.${instance}`,
      labels: {
        'alibabacloud.com/external': 'true',
        'alibabacloud.com/instance-id': instance,
        'alibabacloud.com/nodepool-id': 'npsandbox0000000000000000000000001',
      },
    };
  });
}

const kube128 = { kubelet: 'v1.28.3', runtime: 'containerd://1.6.28' };
const kube130 = { kubelet: 'v1.30.8', runtime: 'containerd://1.7.24' };
const kube131 = { kubelet: 'v1.31.4', runtime: 'containerd://1.7.24' };
const usual: Description = {
  address: '192.0.2.10',
  version: 'v1.28.3',
  authority: 'EC',
  machines: [...onPremises('cp', 3, 11, { ...ubuntu, ...kube128 }, controlPlane), ...onEcs({ ...alinux, ...kube128 })],
  kubeadm: true,
  prepared: true,
  kubeProxyMode: 'iptables',
  user: 'admin',
};

const installedFromBinaries: Description = {
  ...usual,
  machines: [...usual.machines, ...onPremises('worker', 2, 31, { ...ubuntu, ...kube128 }, {})],
  kubeadm: false,
};

export const contexts: Readonly<Record<string, Description>> = {
  containerd: usual,
  'docker-18.06': {
    ...usual,
    address: '192.0.2.20',
    version: 'v1.14.10',
    authority: 'RSA',
    machines: [
      ...onPremises('master', 3, 11, { ...centos, kubelet: 'v1.14.10', runtime: 'docker://18.6.3' }, master),
      ...onPremises('worker', 2, 31, { ...centos, kubelet: 'v1.14.10', runtime: 'docker://18.6.3' }, {}),
    ],
  },
  'mid-upgrade': {
    ...usual,
    address: '192.0.2.30',
    version: 'v1.31.4',
    machines: [
      ...onPremises('cp', 2, 11, { ...ubuntu, ...kube131 }, { ...controlPlane, ...master }),
      ...onPremises('cp-old', 2, 13, { ...ubuntu, ...kube130 }, { ...controlPlane, ...master }),
      ...onPremises('worker', 2, 31, { ...ubuntu, kubelet: 'v1.29.12', runtime: 'containerd://1.7.20' }, {}),
    ],
    kubeProxyMode: 'ipvs',
  },
  'no-control-plane': {
    ...usual,
    address: '192.0.2.40',
    machines: onPremises('worker', 2, 31, { ...ubuntu, ...kube128 }, {}),
  },
  binary: { ...installedFromBinaries, address: '192.0.2.50' },
  'binary-bare': { ...installedFromBinaries, address: '192.0.2.55', prepared: false },
  forbidden: { ...usual, address: '192.0.2.60', user: 'viewer' },
};
export const currentContext = 'containerd';
export const port = 6443;

/** 28 of v1.28.3 */
export const minorOf = ({ version }: { readonly version: string }) => Number(/^v1\.(\d+)/.exec(version)?.[1]);
