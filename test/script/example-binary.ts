import { tokenBootstrap } from '../../src/script/bootstrap-kubeconfig.ts';
import type { BinaryInput, KubeletUnit } from '../../src/script/types.ts';
import { exampleInput, exampleToken } from './example-input.ts';

/** Looks like a certificate, and is none. */
export const examplePem = '-----BEGIN CERTIFICATE-----\nZXhhbXBsZQ==\n-----END CERTIFICATE-----\n';

const [id = '', secret = ''] = exampleToken.split('.');

/** A unit as ours is, for a program at `kubelet` and with more flags. */
export const exampleUnit = (kubelet = '/usr/local/bin/kubelet', flags: readonly string[] = []): KubeletUnit => ({
  text: `[Unit]
Description=kubelet
Wants=network-online.target
After=network-online.target

[Service]
EnvironmentFile=-/etc/sysconfig/kubelet
ExecStart=${[
    kubelet,
    '--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf',
    '--kubeconfig=/etc/kubernetes/kubelet.conf',
    '--config=/var/lib/kubelet/config.yaml',
    ...flags,
    '$KUBELET_EXTRA_ARGS',
  ].join(' ')}
Restart=always
RestartSec=10

[Install]
WantedBy=multi-user.target
`,
  kubelet,
  kubeconfig: '/etc/kubernetes/kubelet.conf',
  bootstrapKubeconfig: '/etc/kubernetes/bootstrap-kubelet.conf',
  config: '/var/lib/kubelet/config.yaml',
  certDir: '/var/lib/kubelet/pki',
  labels: '',
  taints: '',
});

/** A unit of the user's own, with its own folders, in which more than kubelet's files may be. */
export const exampleOwnUnit = (kubelet: string, flags: readonly string[] = []): KubeletUnit => ({
  text: `[Unit]
Description=Kubernetes Kubelet
After=containerd.service docker.service

[Service]
EnvironmentFile=-/etc/sysconfig/kubelet
ExecStart=${[
    kubelet,
    '--v=2',
    '--kubeconfig=/opt/kubernetes/cfg/kubelet.kubeconfig',
    '--bootstrap-kubeconfig=/opt/kubernetes/cfg/bootstrap.kubeconfig',
    '--config=/opt/kubernetes/cfg/kubelet-config.yml',
    '--cert-dir=/opt/kubernetes/ssl',
    ...flags,
    '$KUBELET_EXTRA_ARGS',
  ].join(' \\\n  ')}
Restart=on-failure

[Install]
WantedBy=multi-user.target
`,
  kubelet,
  kubeconfig: '/opt/kubernetes/cfg/kubelet.kubeconfig',
  bootstrapKubeconfig: '/opt/kubernetes/cfg/bootstrap.kubeconfig',
  config: '/opt/kubernetes/cfg/kubelet-config.yml',
  certDir: '/opt/kubernetes/ssl',
  labels: 'rack=r1',
  taints: '',
});

/** @param endpoint Of the CRI; none before Kubernetes 1.27, where it is a flag. */
export const exampleKubeletConfig = (endpoint?: string) => `apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
authentication:
  anonymous:
    enabled: false
  webhook:
    enabled: true
  x509:
    clientCAFile: /etc/kubernetes/pki/ca.crt
authorization:
  mode: Webhook
cgroupDriver: systemd
clusterDNS:
- 10.96.0.10
clusterDomain: cluster.local
${endpoint === undefined ? '' : `containerRuntimeEndpoint: ${endpoint}\n`}rotateCertificates: true
`;

const { join: _, ...host } = exampleInput();
const example: BinaryInput = {
  ...host,
  style: 'binary',
  kubePackages: [],
  endpoint: '192.0.2.10:6443',
  caPem: examplePem,
  kubelet: { kind: 'url', url: 'https://files.example.com/kubelet-1.28.2', sha256: 'ab'.repeat(32) },
  kubeletConfig: exampleKubeletConfig('unix:///run/containerd/containerd.sock'),
  unit: exampleUnit(),
  kubeProxy: 'daemonset',
  bootstrap: tokenBootstrap('192.0.2.10:6443', examplePem, { id, secret }),
};

/** A whole input of binary style: containerd 1.6.28, and a kubelet 1.28.2 from a URL, but for what is given. */
export const exampleBinary = (overrides: Partial<BinaryInput> = {}): BinaryInput => ({ ...example, ...overrides });
