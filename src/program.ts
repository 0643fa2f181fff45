/** Picks the command, loads only that one, and turns its end into an exit code. */
import { parseCommandLine, shortHelp } from './commands/command-line.ts';
import type { Flags, Run } from './commands/run.ts';
import { openOutput, type Streams } from './output/terminal.ts';

const commands = {
  init: async (flags: Flags, run: Run) => (await import('./commands/init.ts')).init(flags, run),
  render: async (flags: Flags, run: Run) => (await import('./commands/render.ts')).render(flags, run),
  sandbox: async (flags: Flags, run: Run) => (await import('./commands/sandbox.ts')).sandbox(flags, run),
};

const usage = 2;

/** What a process has, so that tests can bring their own. */
export interface Process {
  readonly env: NodeJS.ProcessEnv;
  /** Aborted by a signal, with an Interrupted as its reason. */
  readonly signal: AbortSignal;
  readonly streams: Streams;
}

/** @returns the exit code (DESIGN.md section 6) */
export async function program(words: readonly string[], { env, signal, streams }: Process): Promise<number> {
  // Before the parser has a say, so that its own failures come in the form that was asked for.
  const json = words.some(
    (word, index) =>
      /^(--output=|-o)json$/.test(word) || (word === 'json' && /^(-o|--output)$/.test(words[index - 1] ?? '')),
  );
  const quiet = words.some((word) => word === '-q' || word === '--quiet');
  const output = openOutput({ json, quiet, debug: words.includes('--debug') }, streams);
  if (words.length === 0) {
    streams.err(shortHelp);
    return usage;
  }
  try {
    const chosen = parseCommandLine(words, streams.out);
    return chosen ? await commands[chosen.command](chosen.flags, { env, signal, output }) : 0;
  } catch (error) {
    return output.failure(error);
  }
}
