/** What kubeadm is asked to make for the test cluster: keys, kubeconfigs, flags, ConfigMaps, roles. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';

const run = promisify(execFile);

/** In the documentation's range (RFC 5737): a server that nodes could reach, unlike one on the loopback. */
export const server = { host: '192.0.2.10', port: 6443 };

/** The environment of a Go program that is to find that server behind the proxy, whatever this machine's says. */
export const behindProxy = (proxyUrl: string): NodeJS.ProcessEnv => ({
  ...process.env,
  HTTPS_PROXY: proxyUrl,
  NO_PROXY: '',
  no_proxy: '',
});

/** A token that is not ours, with a day to live, as `kubeadm init` leaves one behind. */
export const foreignToken = { id: 'abcdef', secret: '0123456789abcdef' };

export interface KubeadmInput {
  /** Path of the program. */
  readonly kubeadm: string;
  /** Everything is written below this folder. */
  readonly folder: string;
  /** `v1.NN.P` of the program. */
  readonly version: string;
  readonly apiPort: number;
  readonly etcdPort: number;
}

/** What a kubeadm cluster's administrator would have written: this is what is published in the cluster. */
export function publishedConfig({ version }: KubeadmInput): string {
  return documents(initConfiguration(), clusterConfiguration(version));
}

/** The same cluster with keys, kubeconfigs and ports where they are on this machine. */
export function localConfig({ folder, version, apiPort, etcdPort }: KubeadmInput): string {
  const kubeconfig = join(folder, 'controller-manager.conf');
  return documents(initConfiguration(), {
    ...clusterConfiguration(version),
    certificatesDir: join(folder, 'pki'),
    etcd: { external: { endpoints: [`http://127.0.0.1:${etcdPort}`] } },
    apiServer: { extraArgs: args({ 'bind-address': '127.0.0.1', 'secure-port': `${apiPort}` }) },
    controllerManager: {
      extraArgs: args({
        kubeconfig,
        'authentication-kubeconfig': kubeconfig,
        'authorization-kubeconfig': kubeconfig,
        'secure-port': '0',
        // No kubelet reports here: without this every Node would turn NotReady during the tests.
        'node-monitor-grace-period': '24h',
        // The default of 20 requests a second makes it take five seconds to start.
        'kube-api-qps': '1000',
        'kube-api-burst': '1000',
      }),
    },
  });
}

const apiVersion = 'kubeadm.k8s.io/v1beta4';

const initConfiguration = () => ({
  apiVersion,
  kind: 'InitConfiguration',
  localAPIEndpoint: { advertiseAddress: server.host, bindPort: server.port },
  nodeRegistration: { name: 'cp-1', criSocket: 'unix:///run/containerd/containerd.sock' },
  bootstrapTokens: [{ token: `${foreignToken.id}.${foreignToken.secret}`, ttl: '24h' }],
});

const clusterConfiguration = (kubernetesVersion: string) => ({
  apiVersion,
  kind: 'ClusterConfiguration',
  clusterName: 'lab',
  kubernetesVersion,
  controlPlaneEndpoint: `${server.host}:${server.port}`,
  imageRepository: 'registry.example.com/google_containers',
});

const documents = (...all: object[]) => all.map((document) => stringify(document)).join('---\n');

const args = (values: Record<string, string>) => Object.entries(values).map(([name, value]) => ({ name, value }));

/** `kubeadm init phase …` with the config of that name in the folder. */
export async function initPhase(
  { kubeadm, folder }: KubeadmInput,
  config: 'local.yaml' | 'published.yaml',
  phase: string,
  more: readonly string[] = [],
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  await run(kubeadm, ['init', 'phase', ...phase.split(' '), '--config', join(folder, config), ...more], { env });
}

/** The arguments that kubeadm writes into the static pod of `component` (cmd/kubeadm/app/phases/controlplane/manifests.go). */
export async function staticPodArguments(input: KubeadmInput, component: string): Promise<string[]> {
  const env = { ...process.env, KUBEADM_INIT_DRYRUN_DIR: input.folder };
  await initPhase(input, 'local.yaml', `control-plane ${component.replace('kube-', '')}`, ['--dry-run'], env);
  const pod = parse(await readFile(join(input.folder, `${component}.yaml`), 'utf8')) as {
    spec: { containers: [{ command: string[] }] };
  };
  return pod.spec.containers[0].command.slice(1);
}
