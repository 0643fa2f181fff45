/** The command line as a tree: built from the table of answers, parsed by commander. */
import { Command, CommanderError, Option } from 'commander';
import { durationText } from '../durations.ts';
import { Failure } from '../errors.ts';
import { type CommandName, choicesOf, flagOf, groups, type Question, rows } from '../questions.ts';
import { version } from '../version.ts';
import type { Flags } from './run.ts';

export interface Chosen {
  readonly command: 'init' | 'render' | 'sandbox';
  readonly flags: Flags;
}

/**
 * @returns undefined when help or the version was asked for and has been printed
 * @throws Failure Usage
 */
export function parseCommandLine(words: readonly string[], print: (text: string) => unknown): Chosen | undefined {
  let chosen: Chosen | undefined;
  const program = commandTree(print, (command, flags) => {
    chosen = { command, flags };
  });
  try {
    program.parse([...words], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    const command = program.commands.find((known) => words.includes(known.name()));
    throw new Failure('Usage', sentence(error.message), {
      next: [`Run ${['ackone-join', ...(command ? [command.name()] : []), '--help'].join(' ')}.`],
    });
  }
  return chosen;
}

/** What commander says in one or two sentences, as one. */
const sentence = (message: string): string =>
  message
    .replace(/^error: /, '')
    // What was typed behind an unknown flag may be a secret that was meant for another one.
    .replace(/'(--?[^'=]+)=[^']*'/g, "'$1'")
    .replace(/\s+/g, ' ')
    .replace(/\.$/, '')
    .replace(/\. ([A-Z])/g, (_, letter: string) => `: ${letter.toLowerCase()}`);

function commandTree(
  print: (text: string) => unknown,
  choose: (command: Chosen['command'], flags: Flags) => void,
): Command {
  const program = new Command('ackone-join')
    .description(
      'Publishes the bootstrap script with which ECS nodes join a cluster registered with Alibaba Cloud ACK One.',
    )
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: print, writeErr: () => {} });
  const add = (name: Chosen['command'], description: string, examples: readonly string[]) => {
    const command = program
      .command(name)
      .description(description)
      .helpOption('-h, --help', 'print this help')
      .exitOverride()
      .addHelpText('before', `Examples\n${examples.map((example) => `  ${example}\n`).join('')}`)
      .action((flags: Flags) => choose(name, flags));
    return command;
  };

  const init = add('init', 'Reads the cluster, makes a token, uploads the script and registers it.', [
    'ackone-join init --sandbox --yes',
    'ackone-join init --bucket example --access vpc --vpc-id vpc-example0000001 --dry-run',
    'ackone-join init --bucket example --access vpc --vpc-id vpc-example0000001 --yes',
  ]);
  addAnswers(init, 'init');
  init
    .option('-y, --yes', 'carry the plan out without asking')
    .option('--no-input', 'never ask')
    .option('--dry-run', 'print the plan and change nothing')
    .option('--detailed-exitcode', 'with --dry-run: exit 6 when a run would change something')
    .option('--confirm <name>', 'say the name of what is hard to take back (the bucket, for --access public-read)');
  addCommon(init, true);

  const render = add('render', 'Composes the script and prints it; offline when it is told everything.', [
    'ackone-join render --sandbox --join-command-file join.txt --output-file join.sh',
    'ackone-join render --kube-version 1.28.3 --runtime containerd --runtime-version 1.6.28 --join-command-file join.txt',
  ]);
  addAnswers(render, 'render');
  addCommon(render, true);

  const sandbox = add('sandbox', 'Serves an embedded cluster and OSS to try everything on, until Ctrl-C.', [
    'ackone-join sandbox --dir ./sandbox',
  ]);
  sandbox.option('--dir <dir>', 'keep the sandbox in this folder');
  addCommon(sandbox, false);
  return program;
}

function addAnswers(command: Command, name: CommandName): void {
  for (const group of groups) {
    for (const [key, row] of rows) {
      if (row.group === group && row.for.includes(name)) {
        for (const option of optionsOf(flagOf(key), row)) command.addOption(option.helpGroup(`${group}:`));
      }
    }
  }
}

/** What the bare command says. */
export const shortHelp = `ackone-join publishes the bootstrap script with which ECS nodes join a registered cluster.

  ackone-join init --sandbox --yes    the whole job on an embedded cluster and OSS
  ackone-join --help                  all commands
`;

/** The default that does not depend on anything, as it would be typed. */
function defaultText({ default: value, hint }: Question): string {
  const fixed = value?.({}, {});
  if (typeof fixed === 'number' && hint === 'duration') return ` (default: ${fixed === 0 ? '0' : durationText(fixed)})`;
  return fixed === undefined || typeof fixed === 'boolean' ? '' : ` (default: ${fixed})`;
}

/** Commander gets neither defaults nor variables: where a value comes from stays visible that way. */
function optionsOf(flag: string, row: Question): readonly Option[] {
  if (row.prompt === 'confirm') {
    return [new Option(flag, row.help), new Option(flag.replace('--', '--no-'), `not: ${row.help}`).hideHelp()];
  }
  const choices = choicesOf(row);
  const option = new Option(
    `${flag} <${choices ? choices.join('|') : (row.hint ?? 'value')}>`,
    row.help + defaultText(row),
  );
  return [row.many ? option.argParser((value: string, before: string[] = []) => [...before, value]) : option];
}

function addCommon(command: Command, withSandbox: boolean): void {
  const group = 'Common:';
  const options = [
    ...(withSandbox ? [new Option('--sandbox', 'use an embedded cluster and OSS instead of real ones')] : []),
    ...(withSandbox ? [new Option('--config <file>', 'config file (default: ackone-join.yaml)')] : []),
    ...(withSandbox ? [new Option('-o, --output <text|json>', 'form of the result').choices(['text', 'json'])] : []),
    new Option('-q, --quiet', 'print the result and failures only'),
    new Option('--debug', 'with a failure, say where in the program it happened'),
    new Option('--no-color', 'print without colours'),
  ];
  for (const option of options) command.addOption(option.helpGroup(group));
}
