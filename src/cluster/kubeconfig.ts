/** Finds and merges kubeconfigs as kubectl does (client-go tools/clientcmd/loader.go). */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { text as readAll } from 'node:stream/consumers';
import { Failure } from '../errors.ts';
import { fileTrouble } from '../file-trouble.ts';
import type { Kubeconfig } from './kubeconfig-file.ts';

export type { ClusterEntry, ExecEntry, UserEntry } from '../kubeconfig-shape.ts';
export type { Kubeconfig } from './kubeconfig-file.ts';

export interface KubeconfigOptions {
  /** A path, or `-` for standard input. */
  readonly kubeconfig?: string;
  readonly env: NodeJS.ProcessEnv;
}

/** What differs between a user's machine and a test. */
export interface Machine {
  readonly stdin: Readable;
  /** Where a pod finds its own credentials. */
  readonly serviceAccount: string;
}
export const thisMachine: Machine = {
  // Node makes the stream when it is asked for.
  get stdin() {
    return process.stdin;
  },
  serviceAccount: '/var/run/secrets/kubernetes.io/serviceaccount',
};

/**
 * The one file that was asked for; else all of KUBECONFIG, of which the first to define a name wins and missing ones
 * are skipped; else ~/.kube/config; else the service account of a pod.
 * @throws Failure KubeconfigMissing, KubeconfigInvalid
 */
export async function loadKubeconfig(options: KubeconfigOptions, machine = thisMachine): Promise<Kubeconfig> {
  if (options.kubeconfig === '-') {
    return (await reader()).parseKubeconfig(await readOnce(machine.stdin), 'standard input', undefined);
  }
  if (options.kubeconfig !== undefined) {
    const path = resolve(options.kubeconfig);
    if (!existsSync(path)) throw new Failure('KubeconfigMissing', `there is no kubeconfig at ${path}`);
    return parseFile(path);
  }
  const named = [...new Set((options.env.KUBECONFIG ?? '').split(delimiter).filter((path) => path !== ''))];
  const paths = named.length > 0 ? named : [join(options.env.HOME || homedir(), '.kube', 'config')];
  const present = paths.map((path) => resolve(path)).filter((path) => existsSync(path));
  if (present.length > 0) return (await reader()).merged(await Promise.all(present.map(parseFile)));
  const pod = podServer(options.env, machine.serviceAccount);
  if (pod === undefined) {
    throw new Failure('KubeconfigMissing', `there is no kubeconfig at ${paths.join(', nor at ')}`);
  }
  return (await reader()).podKubeconfig(pod, machine.serviceAccount);
}

/** Loaded when there is something to read: it takes longer than all else that an offline render does. */
const reader = () => import('./kubeconfig-file.ts');

const alreadyRead = new WeakMap<Readable, Promise<string>>();

/** Standard input gives its text once, and both the list of contexts and the connection want it. */
function readOnce(input: Readable): Promise<string> {
  const text = alreadyRead.get(input) ?? readAll(input);
  alreadyRead.set(input, text);
  return text;
}

async function parseFile(path: string): Promise<Kubeconfig> {
  const content = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Failure('KubeconfigInvalid', `the kubeconfig ${path} cannot be read: ${fileTrouble(error)}`);
  });
  return (await reader()).parseKubeconfig(content, path, dirname(path));
}

/** As client-go's rest.InClusterConfig does. */
function podServer(env: NodeJS.ProcessEnv, folder: string): string | undefined {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  if (!host || !port || !existsSync(join(folder, 'token'))) return undefined;
  return `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
