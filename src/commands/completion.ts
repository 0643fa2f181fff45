/**
 * `ackone-join completion SHELL`: a script for the shell, made of the tree of commands. It answers by itself; only for
 * the contexts of the kubeconfig it calls back, by `completion contexts`, which no help shows.
 */
import { Failure } from '../errors.ts';
import { bashCompletion } from './completion-bash.ts';
import { fishCompletion } from './completion-fish.ts';
import { zshCompletion } from './completion-zsh.ts';
import type { Flags, Run } from './run.ts';
import { commandTree, shells } from './tree.ts';

export interface CompletionFlags extends Flags {
  readonly shell?: string;
}

type Shell = (typeof shells)[number];

const scripts: Readonly<Record<Shell, () => string>> = {
  bash: () => bashCompletion(commandTree),
  zsh: () => zshCompletion(commandTree),
  fish: () => fishCompletion(commandTree),
};

export const completionFor = (shell: Shell): string => scripts[shell]();

/** @throws Failure Usage */
export async function completion({ shell = '' }: CompletionFlags, { env, output }: Run): Promise<number> {
  if (shell === 'contexts') {
    output.data(await contextLines(env));
    return 0;
  }
  const known = shells.find((name) => name === shell);
  if (!known) {
    throw new Failure('Usage', `there is no completion for ${shell}, only for ${shells.join(', ')}`, {
      next: ['Run ackone-join completion --help.'],
    });
  }
  output.data(completionFor(known));
  return 0;
}

/** Without those that a line cannot hold, and nothing when there is no kubeconfig: a Tab is no place for failures. */
async function contextLines(env: NodeJS.ProcessEnv): Promise<string> {
  const { listContexts } = await import('../cluster/contexts.ts');
  const { names } = await listContexts({ env }).catch(() => ({ names: [] }));
  return names
    .filter((name) => !/\p{Cc}/u.test(name))
    .map((name) => `${name}\n`)
    .join('');
}
