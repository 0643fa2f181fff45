/** Bad input: clusters installed from binaries, and what only their owner knows (case E7). */
import { stringify } from 'yaml';
import { type Row, table } from './table.ts';
import type { World } from './the-world.ts';

const rpm = ['--kubelet-source', 'rpm'];
const digest = 'ab'.repeat(32);
const token = 'abcdef.0123456789abcdef';

/** On the sandbox's cluster that lacks nothing but what no cluster can say. */
const binary = (
  title: string,
  words: (world: World) => readonly string[],
  rest: Omit<Row, 'title' | 'given' | 'exit'> & { readonly exit?: Row['exit'] },
): Row => ({
  title,
  given: (world) => ({ words: ['init', '--yes', '--context', 'binary', ...words(world)] }),
  exit: 2,
  ...rest,
});

const bootstrap = (user: object) =>
  stringify({
    'current-context': 'a',
    clusters: [],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'a', context: { cluster: 'c', user: 'u' } }],
  });

table('a cluster installed from binaries', [
  binary('nobody says where kubelet comes from', () => [], {
    exit: 3,
    code: 'BinaryCluster',
    says: /^ConfigMaps kube-public\/cluster-info and kube-system\/kubeadm-config are missing: kubeadm did not install this cluster, and a script for a cluster installed from binaries needs --kubelet-source$/,
    next: /a URL together with --kubelet-sha256, the path of kubelet on the image, or rpm\.\n.*kubelet\.service.*\n.*inject/,
  }),
  binary('the same, asked for by name', () => ['--style', 'binary'], {
    code: 'AnswerMissing',
    says: /^a script for a cluster installed from binaries needs --kubelet-source$/,
  }),
  binary('asked to join it by kubeadm', () => ['--style', 'kubeadm'], {
    exit: 3,
    code: 'DiscoveryInvalid',
    says: /^ConfigMap kube-public\/cluster-info is missing, and a joining node reads it$/,
    next: /--style binary/,
  }),
  binary('a URL without its digest', () => ['--kubelet-source', 'https://files.example.com/kubelet'], {
    code: 'AnswerInvalid',
    says: /^a kubelet that is fetched from a URL is run as root, and nothing says that it is the right one$/,
    next: /--kubelet-sha256/,
  }),
  binary(
    'an archive in place of the program',
    () => ['--kubelet-source', 'https://dl.example.com/kubernetes-node-linux-amd64.tar.gz', '--kubelet-sha256', digest],
    {
      code: 'AnswerInvalid',
      says: /^--kubelet-source names kubernetes-node-linux-amd64\.tar\.gz, an archive or a package, and the kubelet program itself is needed$/,
      next: /Unpack it/,
    },
  ),
  binary('a digest that is none', () => [...rpm, '--kubelet-sha256', 'xyz'], {
    code: 'AnswerInvalid',
    says: /^--kubelet-sha256 must be 64 hex digits$/,
  }),
  binary('a digest of nothing', () => ['--kubelet-sha256', digest], {
    code: 'AnswerMissing',
    says: /^--kubelet-sha256 is the digest of a kubelet, but --kubelet-source is not given$/,
  }),
  binary('a digest of an RPM', () => [...rpm, '--kubelet-sha256', digest], {
    code: 'AnswerInvalid',
    says: /^an RPM is checked by its signature, and --kubelet-sha256 is for a program$/,
  }),
  binary('a source that is a relative path', () => ['--kubelet-source', 'bin/kubelet'], {
    code: 'AnswerInvalid',
    says: /^--kubelet-source must be an http or https URL, an absolute path on the image, or rpm$/,
  }),
  binary('a server with a path', () => [...rpm, '--server', 'https://rancher.example.com/k8s/clusters/c-1'], {
    code: 'AnswerInvalid',
    says: /^--server must be https:\/\/host:port, and nothing more$/,
  }),
  binary('a server that is not https', () => [...rpm, '--server', 'http://192.0.2.1:8080'], {
    code: 'AnswerInvalid',
    says: /^--server must be https:\/\/host:port$/,
  }),
  binary('a server that no ECS host can reach', () => [...rpm, '--server', 'https://127.0.0.1:6443'], {
    exit: 3,
    code: 'ServerUnreachableFromEcs',
    says: /^the API server's address 127\.0\.0\.1:6443 is the loopback address$/,
    next: /Give --server/,
  }),
  binary('a CA file that is not there', () => [...rpm, '--ca-file', '/nowhere/ca.pem'], {
    code: 'AnswerInvalid',
    says: /^--ca-file: \/nowhere\/ca\.pem cannot be read: /,
  }),
  binary(
    'a key in place of a CA',
    (world) => [...rpm, '--ca-file', world.file('ca', '-----BEGIN PRIVATE KEY-----\nx\n')],
    {
      code: 'AnswerInvalid',
      says: /^the file of --ca-file holds no certificate in PEM$/,
    },
  ),
  binary('a configuration that is no YAML', (world) => [...rpm, '--kubelet-config', world.file('k', 'kind: [')], {
    code: 'AnswerInvalid',
    says: /^the file of --kubelet-config is no YAML at line 1$/,
  }),
  binary('a ConfigMap in its place', (world) => [...rpm, '--kubelet-config', world.file('k', 'kind: ConfigMap\n')], {
    code: 'AnswerInvalid',
    says: /^the file of --kubelet-config is no KubeletConfiguration of kubelet\.config\.k8s\.io\/v1beta1$/,
  }),
  binary('a unit without a command', (world) => [...rpm, '--kubelet-service', world.file('u', '[Service]\n')], {
    code: 'AnswerInvalid',
    says: /^the unit of --kubelet-service has no ExecStart in its section \[Service\]$/,
  }),
  binary(
    'a unit that starts something else',
    (world) => [...rpm, '--kubelet-service', world.file('u', '[Service]\nExecStart=/usr/bin/dockerd\n')],
    {
      code: 'AnswerInvalid',
      says: /^the unit of --kubelet-service starts \/usr\/bin\/dockerd in line 2, and not kubelet by its absolute path$/,
    },
  ),
  binary('a post script that is missing', () => [...rpm, '--kube-proxy', 'post-script'], {
    code: 'AnswerMissing',
    says: /^--kube-proxy post-script needs a script$/,
  }),
  binary(
    'a bootstrap kubeconfig that runs a program',
    (world) => [...rpm, '--bootstrap-kubeconfig', world.file('b', bootstrap({ exec: { command: 'aws' } }))],
    {
      code: 'AnswerInvalid',
      says: /^the file of --bootstrap-kubeconfig logs in by exec, and a node can only use a token or a client certificate that stand in it$/,
    },
  ),
  binary(
    'a bootstrap kubeconfig that the cluster does not know',
    (world) => [...rpm, '--bootstrap-kubeconfig', world.file('b', bootstrap({ token }))],
    {
      exit: 3,
      code: 'BootstrapKubeconfigRefuted',
      says: /^a node could not join with --bootstrap-kubeconfig$/,
      secret: '0123456789abcdef',
    },
  ),
  binary(
    'a bootstrap kubeconfig and a token of ours',
    (world) => [...rpm, '--bootstrap-kubeconfig', world.file('b', bootstrap({ token })), '--new-token'],
    {
      code: 'AnswersContradict',
      says: /^--bootstrap-kubeconfig and --new-token cannot both be given: /,
      secret: '0123456789abcdef',
    },
  ),
  binary(
    'a join command',
    () => [
      ...rpm,
      '--join-command',
      'kubeadm join 192.0.2.1:6443 --token abcdef.0123456789abcdef --discovery-token-unsafe-skip-ca-verification',
    ],
    {
      code: 'AnswersContradict',
      says: /^a join command is for kubeadm, and this cluster was installed without it$/,
      secret: '0123456789abcdef',
    },
  ),
  {
    title: 'answers for binaries on a cluster of kubeadm',
    given: () => ({ words: ['init', '--yes', ...rpm] }),
    exit: 2,
    code: 'AnswersContradict',
    says: /^--kubelet-source is for a cluster installed from binaries, and new nodes join this one by kubeadm$/,
  },
  {
    title: 'nothing brings services to nodes',
    given: () => ({ words: ['init', '--yes', '--context', 'binary-bare', ...rpm] }),
    exit: 3,
    code: 'BinaryCluster',
    says: /needs --kube-proxy$/,
    next: /on-image, or post-script/,
  },
  {
    title: 'nobody has granted new nodes anything',
    given: () => ({ words: ['init', '--yes', '--context', 'binary-bare', ...rpm, '--kube-proxy', 'on-image'] }),
    exit: 3,
    code: 'BootstrapRolesMissing',
    says: /^the cluster does not grant new nodes what they need$/,
    cause: /create certificatesigningrequests\/nodeclient/,
    next: /kubectl apply -f -/,
  },
]);
