/** Connects to a cluster as kubectl does, and to its other servers in the same way. */
import {
  AuthorizationV1Api,
  type Cluster as ClientCluster,
  type User as ClientUser,
  CoreV1Api,
  createConfiguration,
  HttpMethod,
  KubeConfig,
  ServerConfiguration,
  VersionApi,
} from '@kubernetes/client-node';
import { proxyFor } from '../proxy.ts';
import type { KubeconfigOptions } from './kubeconfig.ts';
import { loadKubeconfig, thisMachine } from './kubeconfig.ts';
import { clientCluster, type Login, logIn } from './login.ts';
import type { Limits } from './transport.ts';
import { transport } from './transport.ts';

export interface ConnectOptions extends KubeconfigOptions {
  /** Default: the kubeconfig's current one. */
  readonly context?: string;
  /** Of every single request. */
  readonly timeoutMs: number;
  /** Refuses every request but reads and access reviews, with Failure Bug. */
  readonly readOnly: boolean;
  readonly signal?: AbortSignal;
  /** Called with what a credential plugin says while it runs: without it, nobody sees that it asks something. */
  readonly onPluginOutput?: (text: string) => void;
  /** Whether a credential plugin may ask at the terminal. Default: whether standard input is one. */
  readonly interactive?: boolean;
}

/** The parts of the API that are used. Every call rejects with a Failure that names verb and resource. */
export interface ClusterClient {
  readonly core: CoreV1Api;
  readonly authorization: AuthorizationV1Api;
  readonly version: VersionApi;
  /** A GET of what these have no method for, by its path; the parsed answer, whose shape is the caller's to check. */
  get(path: string): Promise<unknown>;
  /** Ends every wait for this cluster. */
  readonly signal: AbortSignal | undefined;
}

export interface Cluster extends ClusterClient {
  readonly context: string;
  /** Of the kubeconfig: maybe a proxy in front of the cluster. */
  readonly server: string;
  /** The kubeconfig's own server, asked without credentials. */
  readonly anonymous: ClusterClient;
  /** Another server of this cluster, by the same proxy: asked as `user`, or without credentials. */
  at(server: string, caPem: string, user?: ClientUser): ClusterClient;
  /** The same login with the gate open, for what was agreed to after it. */
  writable(): Cluster;
}

/**
 * Reads the kubeconfig and logs in; the API server itself is not asked yet. A credential plugin runs here, so this
 * comes before anything takes over the terminal.
 * @throws Failure KubeconfigMissing, KubeconfigInvalid, ContextUnknown, CredentialPluginFailed,
 *   CredentialPluginNeedsTerminal, ClusterCertificateExpired (the client's)
 */
export async function connect(options: ConnectOptions, machine = thisMachine): Promise<Cluster> {
  const { env, timeoutMs, readOnly, signal } = options;
  const login = await logIn(await loadKubeconfig(options, machine), options.context, {
    env,
    timeoutMs,
    interactive: options.interactive ?? process.stdin.isTTY === true,
    onOutput: options.onPluginOutput,
  });
  return open(login, env, { timeoutMs, readOnly, signal });
}

const nobody: ClientUser = { name: 'nobody (anonymous)' };

function open(login: Login, env: NodeJS.ProcessEnv, limits: Limits): Cluster {
  const { context, cluster, user } = login;
  const at = (server: string, caPem: string, asked: ClientUser = nobody) => {
    const url = new URL(server);
    const proxyUrl = login.proxyUrl ?? proxyFor(url, env);
    return client(clientCluster(server, url, { ca: caPem, proxyUrl, skipVerify: false }), asked, asked.name, limits);
  };
  return {
    ...client(cluster, user, `context ${context}`, limits),
    context,
    server: cluster.server,
    anonymous: client(cluster, nobody, nobody.name, limits),
    at,
    writable: () => open(login, env, { ...limits, readOnly: false }),
  };
}

function client(cluster: ClientCluster, user: ClientUser, who: string, limits: Limits): ClusterClient {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromClusterAndUser(cluster, user);
  const proxy = cluster.proxyUrl === undefined ? undefined : new URL(cluster.proxyUrl).host;
  const configuration = createConfiguration({
    baseServer: new ServerConfiguration(cluster.server, {}),
    authMethods: { default: kubeConfig },
    httpApi: transport({ server: cluster.server, who, proxy }, limits),
  });
  return {
    core: new CoreV1Api(configuration),
    authorization: new AuthorizationV1Api(configuration),
    version: new VersionApi(configuration),
    async get(path) {
      const request = configuration.baseServer.makeRequestContext(path, HttpMethod.GET);
      request.setHeaderParam('accept', 'application/json');
      await kubeConfig.applySecurityAuthentication(request);
      const answer = await configuration.httpApi.send(request).toPromise();
      return JSON.parse(await answer.body.text());
    },
    signal: limits.signal,
  };
}
