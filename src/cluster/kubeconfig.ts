/** Finds and merges kubeconfigs as kubectl does (client-go tools/clientcmd/loader.go). */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { text as readAll } from 'node:stream/consumers';
import * as z from 'zod';
import { Failure } from '../errors.ts';
import { fileTrouble } from '../file-trouble.ts';
import { readYaml } from '../yaml.ts';

const text = z
  .string()
  .nullish()
  .transform((value) => value || undefined);
const list = <S extends z.ZodType>(item: S) =>
  z
    .array(item)
    .nullish()
    .transform((value) => value ?? []);

const execEntry = z.object({
  apiVersion: text,
  command: z.string().min(1),
  args: list(z.string()),
  env: list(z.object({ name: z.string(), value: z.string() })),
  installHint: text,
  interactiveMode: z.enum(['Never', 'IfAvailable', 'Always']).nullish(),
  provideClusterInfo: z.boolean().nullish(),
});
const clusterEntry = z.object({
  server: text,
  'certificate-authority': text,
  'certificate-authority-data': text,
  'insecure-skip-tls-verify': z.boolean().nullish(),
  'tls-server-name': text,
  'proxy-url': text,
  extensions: list(z.object({ name: z.string(), extension: z.unknown() })),
});
const userEntry = z.object({
  'client-certificate': text,
  'client-certificate-data': text,
  'client-key': text,
  'client-key-data': text,
  token: text,
  tokenFile: text,
  username: text,
  password: text,
  as: text,
  'as-groups': list(z.string()),
  'auth-provider': z.object({ name: z.string(), config: z.record(z.string(), z.unknown()).nullish() }).nullish(),
  exec: execEntry.nullish(),
});
const contextEntry = z.object({ cluster: text, user: text });
const file = z.object({
  'current-context': text,
  clusters: list(z.object({ name: z.string(), cluster: clusterEntry })),
  users: list(z.object({ name: z.string(), user: userEntry })),
  contexts: list(z.object({ name: z.string(), context: contextEntry })),
});

/** An entry and the folder that its relative paths start from; undefined for standard input. */
interface From<T> {
  readonly value: T;
  readonly folder: string | undefined;
}
export type ExecEntry = z.output<typeof execEntry>;
export type ClusterEntry = z.output<typeof clusterEntry>;
export type UserEntry = z.output<typeof userEntry>;

export interface Kubeconfig {
  readonly currentContext: string | undefined;
  readonly contexts: ReadonlyMap<string, z.output<typeof contextEntry>>;
  readonly clusters: ReadonlyMap<string, From<ClusterEntry>>;
  readonly users: ReadonlyMap<string, From<UserEntry>>;
}

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
  stdin: process.stdin,
  serviceAccount: '/var/run/secrets/kubernetes.io/serviceaccount',
};

/**
 * The one file that was asked for; else all of KUBECONFIG, of which the first to define a name wins and missing ones
 * are skipped; else ~/.kube/config; else the service account of a pod.
 * @throws Failure KubeconfigMissing, KubeconfigInvalid
 */
export async function loadKubeconfig(options: KubeconfigOptions, machine = thisMachine): Promise<Kubeconfig> {
  if (options.kubeconfig === '-') return parseKubeconfig(await readOnce(machine.stdin), 'standard input', undefined);
  if (options.kubeconfig !== undefined) {
    const path = resolve(options.kubeconfig);
    if (!existsSync(path)) throw new Failure('KubeconfigMissing', `there is no kubeconfig at ${path}`);
    return parseFile(path);
  }
  const named = [...new Set((options.env.KUBECONFIG ?? '').split(delimiter).filter((path) => path !== ''))];
  const paths = named.length > 0 ? named : [join(options.env.HOME || homedir(), '.kube', 'config')];
  const present = paths.map((path) => resolve(path)).filter((path) => existsSync(path));
  if (present.length > 0) return merged(await Promise.all(present.map(parseFile)));
  const pod = ofPod(options.env, machine.serviceAccount);
  if (!pod) throw new Failure('KubeconfigMissing', `there is no kubeconfig at ${paths.join(', nor at ')}`);
  return pod;
}

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
  return parseKubeconfig(content, path, dirname(path));
}

function parseKubeconfig(content: string, origin: string, folder: string | undefined): Kubeconfig {
  const yaml = readYaml(content);
  if ('wrongAt' in yaml) {
    const where = yaml.wrongAt === undefined ? 'YAML that can be read' : `YAML at line ${yaml.wrongAt}`;
    throw new Failure('KubeconfigInvalid', `the kubeconfig ${origin} is not ${where}`);
  }
  const found = file.safeParse(yaml.value ?? {});
  if (!found.success) {
    const [issue] = found.error.issues;
    const what = `the kubeconfig ${origin} is not one at ${issue?.path.join('.') || 'its top'}: ${issue?.message}`;
    throw new Failure('KubeconfigInvalid', what);
  }
  const { clusters, users, contexts } = found.data;
  return {
    currentContext: found.data['current-context'],
    contexts: firstOfEach(contexts.map(({ name, context }) => [name, context])),
    clusters: firstOfEach(clusters.map(({ name, cluster }) => [name, { value: cluster, folder }])),
    users: firstOfEach(users.map(({ name, user }) => [name, { value: user, folder }])),
  };
}

function merged(configs: readonly Kubeconfig[]): Kubeconfig {
  return {
    currentContext: configs.find(({ currentContext }) => currentContext !== undefined)?.currentContext,
    contexts: firstOfEach(configs.flatMap(({ contexts }) => [...contexts])),
    clusters: firstOfEach(configs.flatMap(({ clusters }) => [...clusters])),
    users: firstOfEach(configs.flatMap(({ users }) => [...users])),
  };
}

/** In the order of their first mention; a Map by itself would keep the last. */
function firstOfEach<T>(entries: readonly (readonly [string, T])[]): ReadonlyMap<string, T> {
  const found = new Map<string, T>();
  for (const [name, value] of entries) if (!found.has(name)) found.set(name, value);
  return found;
}

/** As client-go's rest.InClusterConfig does. */
function ofPod(env: NodeJS.ProcessEnv, folder: string): Kubeconfig | undefined {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  if (!host || !port || !existsSync(join(folder, 'token'))) return undefined;
  const name = 'in-cluster';
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const cluster = clusterEntry.parse({ server, 'certificate-authority': 'ca.crt' });
  return {
    currentContext: name,
    contexts: new Map([[name, { cluster: name, user: name }]]),
    clusters: new Map([[name, { value: cluster, folder }]]),
    users: new Map([[name, { value: userEntry.parse({ tokenFile: 'token' }), folder }]]),
  };
}
