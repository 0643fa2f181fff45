/** What a kubeconfig holds (client-go tools/clientcmd/api/v1/types.go). Loaded by the first one that there is to read. */
import * as z from 'zod';
import { Failure } from '../errors.ts';
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

/**
 * @param origin How the user knows it: a path.
 * @param folder That its relative paths start from.
 * @throws Failure KubeconfigInvalid
 */
export function parseKubeconfig(content: string, origin: string, folder: string | undefined): Kubeconfig {
  const yaml = readYaml(content);
  if ('wrongAt' in yaml) {
    const where = yaml.wrongAt === undefined ? 'YAML that can be read' : `YAML at line ${yaml.wrongAt}`;
    throw new Failure('KubeconfigInvalid', `the kubeconfig ${origin} is not ${where}`);
  }
  const found = file.safeParse(yaml.value ?? {});
  if (!found.success) {
    const place = found.error.issues[0]?.path.join('.') || 'its top';
    throw new Failure('KubeconfigInvalid', `the kubeconfig ${origin} does not have the form of one at ${place}`);
  }
  const { clusters, users, contexts } = found.data;
  return {
    currentContext: found.data['current-context'],
    contexts: firstOfEach(contexts.map(({ name, context }) => [name, context])),
    clusters: firstOfEach(clusters.map(({ name, cluster }) => [name, { value: cluster, folder }])),
    users: firstOfEach(users.map(({ name, user }) => [name, { value: user, folder }])),
  };
}

/** The first to define a name wins. */
export function merged(configs: readonly Kubeconfig[]): Kubeconfig {
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

/** The one that a pod has, as client-go's rest.InClusterConfig makes it. @param folder Of the service account. */
export function podKubeconfig(server: string, folder: string): Kubeconfig {
  const name = 'in-cluster';
  const cluster = clusterEntry.parse({ server, 'certificate-authority': 'ca.crt' });
  return {
    currentContext: name,
    contexts: new Map([[name, { cluster: name, user: name }]]),
    clusters: new Map([[name, { value: cluster, folder }]]),
    users: new Map([[name, { value: userEntry.parse({ tokenFile: 'token' }), folder }]]),
  };
}
