import { program } from '../../src/program.ts';
import { configMaps, secrets } from '../../src/sandbox/api/resources.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { type PlayedCluster, play } from './cluster.ts';

export interface Published {
  /** What ConfigMap ack-agent-config says now. */
  readonly url: string;
  readonly cluster: PlayedCluster;
}

/**
 * Publishes by `ackone-join init --yes` from a context of the sandbox into the sandbox's OSS.
 * @param reach Makes a loopback port reachable for hosts; gives the port there.
 */
export async function publishFromSandbox(
  context: string,
  {
    reach,
    onTestFinished,
  }: { reach: (port: number) => Promise<string>; onTestFinished: (stop: () => Promise<void>) => void },
): Promise<Published> {
  const sandbox = await startSandbox({ context });
  onTestFinished(() => sandbox.close());
  const { bucket, region, endpoint, vpcId } = sandbox.known;
  const target = {
    bucket,
    region,
    'oss-endpoint': endpoint,
    'vpc-id': vpcId,
    'node-endpoint': await reach(Number(new URL(endpoint).port)),
  };
  const said: string[] = [];
  const exit = await program(
    ['init', '--yes', ...Object.entries(target).map(([name, value]) => `--${name}=${value}`)],
    {
      env: { PATH: process.env.PATH, HOME: '/nonexistent', KUBECONFIG: sandbox.kubeconfig, ...sandbox.env },
      signal: new AbortController().signal,
      streams: { out: () => {}, err: (text) => said.push(text) },
    },
  );
  if (exit !== 0) throw new Error(`init ended with ${exit}:\n${said.join('')}`);
  const cluster = sandbox.clusters.get(context)!;
  const data = (object: { readonly [field: string]: unknown }) => object.data as Readonly<Record<string, string>>;
  const url = data(cluster.objects.get(configMaps, 'kube-system', 'ack-agent-config')).addNodeScriptPath!;
  const [secret] = cluster.objects
    .list(secrets, 'kube-system')
    .filter(({ metadata }) => metadata.name.startsWith('bootstrap-token-'));
  const part = (key: string) => Buffer.from(data(secret!)[key]!, 'base64').toString();
  return { url, cluster: play(cluster, `${part('token-id')}.${part('token-secret')}`) };
}
