/** The program as a user runs it, in this process. */
import { program } from '../../src/program.ts';
import type { Sandbox } from '../../src/sandbox/index.ts';

export interface Ended {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

export async function run(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  signal: AbortSignal = new AbortController().signal,
): Promise<Ended> {
  const written = { stdout: '', stderr: '' };
  const exit = await program(words, {
    env,
    signal,
    streams: {
      out: (text) => {
        written.stdout += text;
      },
      err: (text) => {
        written.stderr += text;
      },
    },
  });
  return { exit, ...written };
}

/** The variables with which a user would work in a sandbox that `ackone-join sandbox` serves. */
export const sandboxEnv = ({ kubeconfig, env, known }: Sandbox, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  XDG_CONFIG_HOME: '/nonexistent',
  KUBECONFIG: kubeconfig,
  ...env,
  ACKONE_JOIN_BUCKET: known.bucket,
  ACKONE_JOIN_REGION: known.region,
  ACKONE_JOIN_OSS_ENDPOINT: known.endpoint,
  ACKONE_JOIN_NODE_ENDPOINT: known.nodeEndpoint,
  ACKONE_JOIN_VPC_ID: known.vpcId,
  ...more,
});
