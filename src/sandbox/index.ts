/** The sandbox: clusters and an OSS in this process, to try everything and to test. */
import { randomBytes } from 'node:crypto';
import { accessSync, constants, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Failure } from '../errors.ts';
import type { Known } from '../questions.ts';
import { type Cluster, createCluster, restoreCluster } from './cluster.ts';
import { contexts, currentContext } from './contexts.ts';
import { Traffic } from './faults.ts';
import { listen } from './http.ts';
import { kubeconfig } from './kubeconfig.ts';
import { defaultBucket, vpcId } from './oss/buckets.ts';
import { replaceFile } from './oss/files.ts';
import { Oss } from './oss/server.ts';
import { createProxy } from './proxy.ts';
import { loadState, type State, saveState } from './state.ts';

export type { Cluster } from './cluster.ts';
export type { Effect } from './faults.ts';

export interface Sandbox {
  readonly dir: string;
  /** Path of a kubeconfig with all contexts. */
  readonly kubeconfig: string;
  /** The current one. */
  readonly context: string;
  /** Credentials for its OSS. */
  readonly env: Readonly<Record<'ALIBABA_CLOUD_ACCESS_KEY_ID' | 'ALIBABA_CLOUD_ACCESS_KEY_SECRET', string>>;
  readonly known: NonNullable<Known['sandbox']>;
  /** For tests: faults to come, and requests that were. */
  readonly faults: Traffic;
  /** By the context's name. */
  readonly clusters: ReadonlyMap<string, Cluster>;
  readonly oss: Oss;
  close(): Promise<void>;
}

/** How often the clusters' controllers look, in milliseconds. */
const controllerInterval = 100;

/**
 * @param options.dir Where everything is kept, for a later start to go on with; without it a folder that is removed in the end.
 * @param options.context The current one of the kubeconfig.
 * @throws Failure ContextUnknown; OutputUnwritable; Usage when what is kept in `dir` is being served already, or is foreign
 */
export async function startSandbox(options: { dir?: string; context?: string } = {}): Promise<Sandbox> {
  const { context = currentContext } = options;
  if (!(context in contexts)) {
    throw new Failure('ContextUnknown', `the sandbox has no context ${JSON.stringify(context)}`, {
      next: [`Choose one of ${Object.keys(contexts).join(', ')}.`],
    });
  }
  const folder = openFolder(options.dir);
  const { dir } = folder;
  const saved = loadState(dir);
  const accessKey = saved?.accessKey ?? newAccessKey();
  const traffic = new Traffic();
  let save = () => {};
  const changed = () => save();

  const clusters = new Map(
    await Promise.all(
      Object.entries(contexts).map(async ([name, description]) => {
        const former = saved?.clusters[name];
        const made = former ? restoreCluster(description, former, changed) : createCluster(description, changed);
        return [name, await made] as const;
      }),
    ),
  );
  const routes = new Map(
    [...clusters].map(([name, cluster]) => [cluster.endpoint, cluster.createServer(name, traffic)]),
  );
  const oss = new Oss(join(dir, 'objects'), accessKey, saved?.buckets, changed);
  const proxy = await serve(createProxy(routes), saved?.ports.proxy, dir);
  const storage = await serve(createServer(listen('oss', oss.handler, traffic)), saved?.ports.oss, dir).catch(
    async (error: unknown) => {
      await proxy.close();
      throw error;
    },
  );

  const ports = { proxy: proxy.port, oss: storage.port };
  save = () => saveState(dir, stateOf(ports, accessKey, clusters, oss));
  save();
  const file = join(dir, 'kubeconfig');
  replaceFile(file, kubeconfig(clusters, context, `http://127.0.0.1:${ports.proxy}`));
  const controllers = setInterval(() => {
    for (const cluster of clusters.values()) cluster.runControllers(new Date());
  }, controllerInterval);
  controllers.unref();

  const endpoint = `http://127.0.0.1:${ports.oss}`;
  return {
    dir,
    kubeconfig: file,
    context,
    env: { ALIBABA_CLOUD_ACCESS_KEY_ID: accessKey.id, ALIBABA_CLOUD_ACCESS_KEY_SECRET: accessKey.secret },
    known: { bucket: defaultBucket.name, region: defaultBucket.region, endpoint, nodeEndpoint: endpoint, vpcId },
    faults: traffic,
    clusters,
    oss,
    close: async () => {
      clearInterval(controllers);
      save = () => {};
      await Promise.all([proxy.close(), storage.close()]);
      folder.remove();
    },
  };
}

interface Folder {
  readonly dir: string;
  /** Of a kept folder: nothing. */
  remove(): void;
}

function openFolder(given: string | undefined): Folder {
  if (given !== undefined) {
    const dir = resolve(given);
    try {
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      accessSync(dir, constants.W_OK);
    } catch {
      throw new Failure('OutputUnwritable', `the sandbox cannot keep anything in ${dir}`);
    }
    return { dir, remove: () => {} };
  }
  const dir = mkdtempSync(join(tmpdir(), 'ackone-join-sandbox-'));
  const remove = () => {
    process.off('exit', remove);
    rmSync(dir, { recursive: true, force: true });
  };
  process.on('exit', remove);
  return { dir, remove };
}

const newAccessKey = () => ({
  id: `LTAI5sandbox${randomBytes(6).toString('hex')}`,
  secret: randomBytes(15).toString('hex'),
});

/** @param port Of a former run; undefined for any. */
async function serve(server: Server, port: number | undefined, dir: string) {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(port ?? 0, '127.0.0.1', done);
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new Failure('Usage', `port ${port} of 127.0.0.1, which the sandbox in ${dir} needs, is in use`, {
      next: ['Stop the process that serves it already, or use another --dir.'],
    });
  });
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      for (const socket of open) socket.destroy();
    });
  return { port: (server.address() as AddressInfo).port, close };
}

function stateOf(
  ports: State['ports'],
  accessKey: State['accessKey'],
  clusters: ReadonlyMap<string, Cluster>,
  oss: Oss,
): State {
  const saved = [...clusters].map(([name, cluster]) => [name, cluster.save()] as const);
  const buckets = oss.buckets.map(({ policy, ...bucket }) => ({ ...bucket, ...(policy && { policy }) }));
  return { schema: 'ackone-join/sandbox/v1', ports, accessKey, clusters: Object.fromEntries(saved), buckets };
}
