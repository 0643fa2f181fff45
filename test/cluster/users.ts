/** Whoever asks the API server: kubeconfigs of other users, and the program's own connection with one. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';
import { type Cluster, connect } from '../../src/cluster/connect.ts';
import type { ControlPlane } from './control-plane.ts';

const run = promisify(execFile);

/** As the program connects: with `kubeconfig`, which already says how to get there, and nothing of this machine's. */
export const connectWith = (kubeconfig: string, readOnly = false): Promise<Cluster> =>
  connect({ kubeconfig, timeoutMs: 10_000, env: { PATH: process.env.PATH }, readOnly });

/** Path of a kubeconfig for a new user `name` without any right: a client certificate signed by the cluster's CA. */
export async function newUser({ parts, folder, proxyUrl }: ControlPlane, name: string): Promise<string> {
  const config = join(folder, 'local.yaml');
  const { stdout } = await run(parts.kubeadm, ['kubeconfig', 'user', '--client-name', name, '--config', config]);
  const kubeconfig = parse(stdout) as { clusters: { cluster: Record<string, string> }[] };
  for (const { cluster } of kubeconfig.clusters) cluster['proxy-url'] = proxyUrl;
  const path = join(folder, `${name}.kubeconfig`);
  await writeFile(path, stringify(kubeconfig), { mode: 0o600 });
  return path;
}

/** `kubectl …` with the kubeconfig of `cluster`, and `input` on its standard input. */
export async function kubectl(
  { parts, kubeconfig }: Pick<ControlPlane, 'parts' | 'kubeconfig'>,
  args: readonly string[],
  input = '',
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const child = run(parts.kubectl, ['--kubeconfig', kubeconfig, ...args], { env });
  child.child.stdin?.end(input);
  return (await child).stdout;
}
