/** A control plane as kubeadm makes it, on the loopback, without containers and without touching the machine. */
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ConnectProxy, startConnectProxy } from '../support/connect-proxy.ts';
import { type Connection, call } from '../support/raw-api.ts';
import type { PartName, Parts } from './build-parts.ts';
import { adminKubeconfig, throughProxy } from './furnish.ts';
import {
  behindProxy,
  initPhase,
  type KubeadmInput,
  localConfig,
  publishedConfig,
  server,
  staticPodArguments,
} from './kubeadm.ts';
import { type Server, startServer } from './processes.ts';

const run = promisify(execFile);

/** What tests get: plain values, so that vitest can hand them to its workers. */
export interface ControlPlane {
  readonly parts: Parts;
  /** `v1.NN.P` */
  readonly version: string;
  /** Holds `pki/` and the logs; removed at the end. */
  readonly folder: string;
  /** Path of the administrator's kubeconfig: server https://192.0.2.10:6443, reached by its proxy-url. */
  readonly kubeconfig: string;
  /** Of the proxy that leads to the API server. */
  readonly proxyUrl: string;
  /** `http://127.0.0.1:PORT` */
  readonly etcd: string;
}

export interface RunningControlPlane {
  readonly controlPlane: ControlPlane;
  /** Stops every process and removes the folder. */
  stop(): Promise<void>;
}

/** What stands in a cluster besides what its API server and its controllers make. */
export interface Contents {
  /** @param root Connection as system:masters. @param proxyUrl Leads to the API server. */
  furnish(input: KubeadmInput, root: Connection, proxyUrl: string): Promise<void>;
  /** Whether the controller manager has done its part. */
  isReady(root: Connection): Promise<boolean>;
  /** More that the proxy leads to: `host:port` → port on 127.0.0.1. */
  readonly routes: Readonly<Record<string, number>>;
}

/** Starts etcd, kube-apiserver and kube-controller-manager with kubeadm's own keys and flags, and puts `contents` into it. */
export async function startControlPlane(parts: Parts, contents: Contents): Promise<RunningControlPlane> {
  const folder = await mkdtemp(join(tmpdir(), 'ackone-join-control-plane-'));
  const [apiPort, etcdPort, peerPort] = await freePorts();
  const proxy = await startConnectProxy({
    [`${server.host}:${server.port}`]: apiPort,
    // What the API server says of itself in Endpoints default/kubernetes.
    [`${server.host}:${apiPort}`]: apiPort,
    ...contents.routes,
  });
  const servers: Server[] = [];
  const start = (name: PartName, args: readonly string[]) => {
    const started = startServer(parts[name], args, folder, behindProxy(proxy.url));
    servers.push(started);
    return started;
  };
  const stop = stopper(folder, servers, proxy);
  try {
    const version = (await run(parts.kubeadm, ['version', '-o', 'short'])).stdout.trim();
    const input: KubeadmInput = { kubeadm: parts.kubeadm, folder, version, apiPort, etcdPort };
    const etcd = `http://127.0.0.1:${etcdPort}`;
    await writeFile(join(folder, 'local.yaml'), localConfig(input));
    await writeFile(join(folder, 'published.yaml'), publishedConfig(input));
    start('etcd', etcdArguments(folder, etcd, `http://127.0.0.1:${peerPort}`));
    await initPhase(input, 'local.yaml', 'certs all');
    await initPhase(input, 'local.yaml', 'kubeconfig all', ['--kubeconfig-dir', folder]);
    const kubeconfig = await adminKubeconfig(folder, proxy.url);
    const root = (await throughProxy(join(folder, 'super-admin.conf'), proxy.url)).connection;
    const apiServer = start('kube-apiserver', await staticPodArguments(input, 'kube-apiserver'));
    await apiServer.until(async () => (await call(root, 'GET', '/readyz')).status === 200);
    const controllers = start('kube-controller-manager', await staticPodArguments(input, 'kube-controller-manager'));
    await contents.furnish(input, root, proxy.url);
    await controllers.until(() => contents.isReady(root));
    return { controlPlane: { parts, version, folder, kubeconfig, proxyUrl: proxy.url, etcd }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Also cleans up when this process ends by a signal, where vitest runs no teardown. */
function stopper(folder: string, servers: readonly Server[], proxy: ConnectProxy): () => Promise<void> {
  const stopNow = () => {
    for (const each of servers) each.killNow();
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', stopNow);
  return async () => {
    // Last started, first stopped: nobody is left without the server that it writes to.
    for (const each of [...servers].reverse()) await each.stop();
    await proxy.close();
    await rm(folder, { recursive: true, force: true });
    process.off('exit', stopNow);
  };
}

function etcdArguments(folder: string, client: string, peer: string): string[] {
  return [
    ...['--data-dir', join(folder, 'etcd'), '--unsafe-no-fsync', '--name', 'etcd'],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `etcd=${peer}`],
  ];
}

/** Three ports of 127.0.0.1 that are free now. */
async function freePorts(): Promise<[number, number, number]> {
  const listeners = [createServer(), createServer(), createServer()] as const;
  for (const each of listeners) await new Promise<void>((resolve) => each.listen(0, '127.0.0.1', resolve));
  const [api, etcd, peer] = listeners.map((each) => (each.address() as AddressInfo).port) as [number, number, number];
  for (const each of listeners) await new Promise((resolve) => each.close(resolve));
  return [api, etcd, peer];
}
