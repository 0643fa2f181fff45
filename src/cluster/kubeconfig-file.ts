/** The kubeconfigs that say how to log in. Loaded by the first one that there is to read. */
import { Failure } from '../errors.ts';
import {
  type ClusterEntry,
  type ContextEntry,
  clusterEntry,
  kubeconfigShape,
  type UserEntry,
  userEntry,
} from '../kubeconfig-shape.ts';
import { readYaml } from '../yaml.ts';

/** An entry and the folder that its relative paths start from; undefined for standard input. */
interface From<T> {
  readonly value: T;
  readonly folder: string | undefined;
}

export interface Kubeconfig {
  readonly currentContext: string | undefined;
  readonly contexts: ReadonlyMap<string, ContextEntry>;
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
  const found = kubeconfigShape.safeParse(yaml.value ?? {});
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
