/** The program as a user runs it, in this process. */
import { type Process, program } from '../../src/program.ts';
import type { Sandbox } from '../../src/sandbox/index.ts';

export interface Ended {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a run may have besides words and variables. */
interface More extends Partial<Pick<Process, 'signal' | 'programName'>> {
  readonly isTerminal?: boolean;
  /** Called with all that stderr has so far, whenever more is written. */
  readonly onStderr?: (text: string) => void;
}

export async function run(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  { signal = new AbortController().signal, programName = 'ackone-join', isTerminal = false, onStderr }: More = {},
): Promise<Ended> {
  const written = { stdout: '', stderr: '' };
  const exit = await program(words, {
    env,
    signal,
    programName,
    streams: {
      out: (text) => {
        written.stdout += text;
      },
      err: (text) => {
        written.stderr += text;
        onStderr?.(written.stderr);
      },
      isTerminal,
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
