/** From a command line to answers, in the sandbox or outside of it. */
import { type Layers, type Resolved, resolveAnswers } from '../answers.ts';
import { listContexts } from '../cluster/contexts.ts';
import { readConfigFiles } from '../config-files.ts';
import { Failure } from '../errors.ts';
import { type CommandName, flagOf, type Known } from '../questions.ts';
import type { Flags, Run } from './run.ts';

export interface Answering extends Resolved {
  /** With the sandbox's credentials in it, where there is one. */
  readonly env: NodeJS.ProcessEnv;
}

/** Runs `then` with the answers. The sandbox, if asked for, lives as long as that. */
export const withAnswers = (
  command: CommandName,
  flags: Flags,
  run: Run,
  then: (answering: Answering) => Promise<number>,
): Promise<number> => withLayers(flags, run, (layers, env) => then({ ...resolveAnswers(command, layers), env }));

/**
 * Runs `then` with what answers come from, for who resolves them by asking.
 * In the sandbox only flags count: a variable or a file that names a real bucket must not lead out of it.
 */
export async function withLayers(
  flags: Flags,
  run: Run,
  then: (layers: Layers, env: NodeJS.ProcessEnv) => Promise<number>,
): Promise<number> {
  if (!flags.sandbox) {
    const files = await readConfigFiles(flags.config, run.env);
    const known = await contextsOf(flags, run.env);
    return then({ flags, env: run.env, ...files, known }, run.env);
  }
  if (flags.config !== undefined) {
    throw new Failure('AnswersContradict', '--sandbox takes answers from flags only, so --config cannot be given', {
      next: ['Leave --config out, or --sandbox.'],
    });
  }
  for (const flag of ['kubeconfig', 'ossEndpoint', 'scriptUrl'] as const) {
    if (flags[flag] !== undefined) {
      throw new Failure(
        'AnswersContradict',
        `--sandbox brings its own cluster and its own OSS, so ${flagOf(flag)} cannot be given`,
        { next: [`Leave ${flagOf(flag)} out, or --sandbox.`] },
      );
    }
  }
  run.output.waiting('Starting the sandbox');
  const { startSandbox } = await import('../sandbox/index.ts');
  const sandbox = await startSandbox();
  try {
    const env = { PATH: run.env.PATH, HOME: run.env.HOME, ...sandbox.env, KUBECONFIG: sandbox.kubeconfig };
    const known: Known = { sandbox: sandbox.known, ...(await contextsOf({}, env)) };
    run.output.note(`Sandbox: an embedded cluster and OSS in ${sandbox.dir}, removed at the end`);
    return await then({ flags, env: {}, known }, env);
  } finally {
    await sandbox.close();
  }
}

/** What the kubeconfig offers; that it can't be read is said when it is needed. */
async function contextsOf(flags: Flags, env: NodeJS.ProcessEnv): Promise<Known> {
  const kubeconfig = typeof flags.kubeconfig === 'string' ? { kubeconfig: flags.kubeconfig } : {};
  const found = await listContexts({ ...kubeconfig, env }).catch(() => undefined);
  return found
    ? { contexts: found.names, ...(found.current === undefined ? {} : { currentContext: found.current }) }
    : {};
}
