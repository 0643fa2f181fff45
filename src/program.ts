/** Picks the command, loads only that one, and turns its end into an exit code. */
import { parseCommandLine, shortHelp } from './commands/command-line.ts';
import type { Flags, Run, Terminals } from './commands/run.ts';
import { type CommandName, commandNames } from './commands/tree.ts';
import { wantsColours } from './output/colours.ts';
import { openOutput, type Streams } from './output/terminal.ts';
import { type Asked, traceTo } from './tracing.ts';
import { version } from './version.ts';

const commands: Readonly<Record<CommandName, (flags: Flags, run: Run) => Promise<number>>> = {
  init: async (flags, run) => (await import('./commands/init.ts')).init(flags, run),
  render: async (flags, run) => (await import('./commands/render.ts')).render(flags, run),
  config: async (flags, run) => (await import('./commands/config.ts')).config(flags, run),
  explain: async (flags, run) => (await import('./commands/explain.ts')).explain(flags, run),
  sandbox: async (flags, run) => (await import('./commands/sandbox.ts')).sandbox(flags, run),
  completion: async (flags, run) => (await import('./commands/completion.ts')).completion(flags, run),
};

const usage = 2;
const ownName = 'ackone-join';

/** What a process has, so that tests can bring their own. */
export interface Process {
  readonly env: NodeJS.ProcessEnv;
  /** Aborted by a signal, with an Interrupted as its reason. */
  readonly signal: AbortSignal;
  readonly streams: Streams;
  readonly terminals?: Terminals;
  /** How the program was called. Default: ackone-join. */
  readonly programName?: string;
}

/**
 * kubectl finds its plugins by name: `kubectl-ackone_join` is called as `kubectl ackone_join`
 * (https://kubernetes.io/docs/tasks/extend-kubectl/kubectl-plugins/).
 * @param path What was started, as the shell found it.
 */
export const calledAs = (path = ''): string =>
  /(^|[/\\])kubectl-ackone_join$/.test(path) ? 'kubectl ackone_join' : ownName;

/** Every `ackone-join` in a text that begins a command. */
const commandsIn = new RegExp(`\\b${ownName}(?= (?:--\\w|(?:${commandNames.join('|')})\\b))`, 'g');

/** @returns the exit code (DESIGN.md section 6) */
export async function program(
  words: readonly string[],
  { env, signal, streams, terminals, programName = ownName }: Process,
): Promise<number> {
  if (words.length === 0) {
    streams.err(shortHelp(programName));
    return usage;
  }
  // Before the parser has a say, so that its own failures come in the form that was asked for.
  const json = words.some(
    (word, index) =>
      /^(--output=|-o)json$/.test(word) || (word === 'json' && /^(-o|--output)$/.test(words[index - 1] ?? '')),
  );
  const debug = words.includes('--debug');
  const log = debug ? (await import('./output/debug-log.ts')).openDebugLog(env, new Date()) : undefined;
  const asCalled = (text: string) => text.replaceAll(commandsIn, programName);
  const output = openOutput(
    {
      json,
      quiet: words.some((word) => word === '-q' || word === '--quiet'),
      debug,
      colours: wantsColours(env, words.includes('--no-color'), streams.isTerminal === true),
      log,
      asCalled,
    },
    streams,
  );
  const run = async () => {
    try {
      const chosen = parseCommandLine(words, { programName, print: streams.out });
      return chosen
        ? await commands[chosen.command](chosen.flags, { programName, asCalled, env, signal, output, terminals })
        : 0;
    } catch (error) {
      return output.failure(error);
    }
  };
  if (!log) return run();
  // Values may be secrets, and are in none of the lines.
  const flags = words.flatMap((word) => /^--[a-z-]+/.exec(word)?.[0] ?? []);
  log.line(`ackone-join ${version} on Node ${process.version}, ${process.platform}, with ${flags.join(' ')}`);
  output.note(`Log: ${log.path}`);
  const exit = await traceTo((asked) => log.line(askedText(asked)), run);
  log.line(`exit code ${exit}`);
  return exit;
}

const askedText = ({ whom, what, answer, milliseconds }: Asked): string =>
  `${whom}  ${what}  ${answer}  ${milliseconds.toFixed(0)} ms`;
