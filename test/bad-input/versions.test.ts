/** Bad input: versions that are none, and runtimes that no script can install (cases A4 A5 A7 A8 C4). */
import { type Row, table } from './table.ts';

const kubernetes = (version: string, rest: Pick<Row, 'code' | 'says'> & { readonly next?: RegExp }): Row => ({
  title: `the cluster says ${JSON.stringify(version)}`,
  given: (world) => {
    world.version(version);
    return undefined;
  },
  exit: 3,
  ...rest,
});

const noVersion = (version: string): Row =>
  kubernetes(version, {
    code: 'KubeVersionInvalid',
    says: new RegExp(`^the cluster reports ${version}, which is no version that packages exist for$`),
    next: /--kube-version, for example 1\.28\.3/,
  });

const distribution = (version: string, name: string): Row =>
  kubernetes(version, {
    code: 'UnsupportedDistribution',
    says: new RegExp(`^the version v[^ ]+ is one of ${name}, whose nodes cannot join by kubeadm$`),
    next: /distribution's own way/,
  });

table('Kubernetes versions', [
  noVersion('v1'),
  noVersion('stable-1.28'),
  noVersion('abc'),
  noVersion('Unknown'),
  kubernetes('', {
    code: 'KubeVersionInvalid',
    says: /^the cluster reports no Kubernetes version$/,
    next: /--kube-version, for example 1\.28\.3/,
  }),
  kubernetes('v0.14.0', {
    code: 'KubeVersionInvalid',
    says: /^Kubernetes v0\.14\.0 is outside of what ackone-join knows, 1\.12 and later$/,
  }),
  distribution('v1.28.3+k3s1', 'K3s'),
  distribution('v1.23.10-eks-15b7512', 'Amazon EKS'),
  distribution('v1.24.2-gke.1900', 'Google GKE'),
  ...['v1', 'stable-1.28'].map(
    (version): Row => ({
      title: `--kube-version ${version}`,
      given: () => ({ words: ['init', '--yes', '--kube-version', version] }),
      exit: 3,
      code: 'KubeVersionInvalid',
      says: new RegExp(`^the Kubernetes version ${version} is not of the form 1\\.28\\.3$`),
      next: /--kube-version/,
    }),
  ),
  {
    title: '--kube-version newer than the API server',
    given: () => ({ words: ['init', '--yes', '--kube-version', '1.29.1'] }),
    exit: 3,
    code: 'KubeVersionInvalid',
    says: /^Kubernetes 1\.29\.1 is newer than the API server, 1\.28\.3; a kubelet must not be$/,
    next: /--kube-version 1\.28\.3 or lower/,
  },
]);

const runtime = (reported: string, rest: Pick<Row, 'code' | 'says'> & { readonly next?: RegExp }): Row => ({
  title: `the control plane runs ${JSON.stringify(reported)}`,
  given: (world) => {
    world.controlPlane({ runtime: reported });
    return undefined;
  },
  exit: 3,
  ...rest,
});

table('container runtimes', [
  runtime('cri-o://1.28.1', {
    code: 'UnsupportedRuntime',
    says: /^the control plane runs cri-o:\/\/1\.28\.1, which is neither docker nor containerd$/,
    next: /--runtime containerd and --runtime-version/,
  }),
  runtime('containerd://Unknown', {
    code: 'RuntimeVersionUnknown',
    says: /^the version of containerd is not known: cp-1 reports containerd:\/\/Unknown, cp-2 reports/,
    next: /--runtime-version/,
  }),
  runtime('', {
    code: 'RuntimeVersionUnknown',
    says: /^no control-plane node reports a container runtime$/,
    next: /--runtime and --runtime-version/,
  }),
  runtime('docker://1.13.1', {
    code: 'DockershimRemoved',
    says: /^Kubernetes 1\.28\.3 cannot use docker 1\.13\.1 without cri-dockerd$/,
    next: /--cri-dockerd-url .*or --runtime containerd/,
  }),
  runtime('containerd://1.1.5', {
    code: 'RuntimeTooOld',
    says: /^Kubernetes 1\.28\.3 needs containerd 1\.6 or later, and this is 1\.1\.5$/,
    next: /--runtime-version 1\.6/,
  }),
  {
    title: '--runtime crio',
    given: () => ({ words: ['init', '--yes', '--runtime', 'crio'] }),
    exit: 3,
    code: 'UnsupportedRuntime',
    says: /^the runtime crio is neither docker nor containerd$/,
  },
  {
    title: '--runtime-version latest',
    given: () => ({ words: ['init', '--yes', '--runtime-version', 'latest'] }),
    exit: 3,
    code: 'RuntimeVersionUnknown',
    says: /^the runtime version latest is not of the form 1\.6\.28$/,
  },
  {
    title: '--runtime and --runtime-version that disagree',
    given: () => ({ words: ['init', '--yes', '--runtime', 'containerd://1.6.28', '--runtime-version', '1.7.24'] }),
    exit: 2,
    code: 'AnswersContradict',
    says: /^--runtime says containerd:\/\/1\.6\.28, and --runtime-version says 1\.7\.24$/,
    next: /Leave one/,
  },
]);
