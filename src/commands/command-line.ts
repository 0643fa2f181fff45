/** Reads a command line by the tree of commands; help and parsing are commander's. */
import { Command, CommanderError, type HelpConfiguration, Option } from 'commander';
import { Failure } from '../errors.ts';
import { exitCodes } from '../exit-codes.ts';
import { nearest } from '../nearest.ts';
import { version } from '../version.ts';
import type { Flags } from './run.ts';
import { type CommandInfo, type CommandName, commandNames, commandTree, type FlagInfo, spellingsOf } from './tree.ts';

export interface Chosen {
  readonly command: CommandName;
  /** The argument of the command, if it takes one, is among them under its name. */
  readonly flags: Flags;
}

/** How the program was called, and where help goes. */
export interface Surface {
  /** `ackone-join`, or `kubectl ackone_join`. */
  readonly programName: string;
  readonly print: (text: string) => unknown;
  /** How help is laid out. Default: as wide as the terminal, or 80 columns. */
  readonly help?: HelpConfiguration;
}

/**
 * @returns undefined when help or the version was asked for and has been printed
 * @throws Failure Usage
 */
export function parseCommandLine(words: readonly string[], surface: Surface): Chosen | undefined {
  let chosen: Chosen | undefined;
  const program = parser(
    surface,
    words.find((word) => !word.startsWith('-')),
    (command, flags) => {
      chosen = { command, flags };
    },
  );
  try {
    program.parse([...words], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    const command = commandTree.find(({ name }) => words.includes(name));
    const { owned, meant } = suggestion(error.message, command);
    throw new Failure('Usage', `${sentence(error.message)}${owned}`, {
      next: [...meant, `Run ${['ackone-join', ...(command ? [command.name] : []), '--help'].join(' ')}.`],
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
    .replace(/ argument missing$/, ' needs a value')
    .replace(/ argument '(.*)' is invalid\. Allowed choices are (.*)$/, " must be one of $2, and is '$1'")
    .replace(/\. ([A-Z])/g, (_, letter: string) => `: ${letter.toLowerCase()}`);

interface Suggestion {
  /** Ends the sentence: the commands that have this flag. */
  readonly owned: string;
  /** The name that was probably meant, as a next step. */
  readonly meant: readonly string[];
}

function suggestion(message: string, command: CommandInfo | undefined): Suggestion {
  const [, kind, given = ''] = /unknown (option|command) '([^'=]+)/.exec(message) ?? [];
  if (kind === undefined) return { owned: '', meant: [] };
  if (kind === 'command') return { owned: '', meant: didYouMean(nearest(given, commandNames)) };
  const owners = commandTree.filter((each) => spellings(each).includes(given)).map(({ name }) => name);
  if (command && owners.length > 0) return { owned: `: it is a flag of ${owners.join(' and ')}`, meant: [] };
  return { owned: '', meant: didYouMean(nearest(given, command ? spellings(command) : ['--help', '--version'])) };
}

const spellings = ({ answers, flags }: CommandInfo) => [...answers, ...flags].flatMap(spellingsOf);
const didYouMean = (name: string | undefined) => (name === undefined ? [] : [`Did you mean ${name}?`]);

/** @param named The command that is called: only it gets its flags, because to make them all takes a fifth of a start. */
function parser(
  { programName, print, help }: Surface,
  named: string | undefined,
  choose: (command: CommandName, flags: Flags) => void,
): Command {
  const program = new Command(programName)
    .description(
      'Publishes the bootstrap script with which ECS nodes join a cluster registered with Alibaba Cloud ACK One.',
    )
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .showSuggestionAfterError(false)
    .exitOverride()
    // The tree says choices and defaults in its own words.
    .configureHelp({
      optionDescription: (option) => option.description,
      subcommandTerm: (command) => `${command.name()} ${command.usage()}`,
      ...help,
    })
    .configureOutput({ writeOut: print, writeErr: () => {} })
    .addHelpText('after', `\n${exitCodesText(exitCodes.map(({ exit }) => exit))}`);
  for (const info of commandTree) {
    const { name, summary, argument } = info;
    const command = program.command(name).description(summary);
    if (argument) command.argument(`<${argument.name}>`, argument.help);
    if (name === named) furnish(command, info, programName, choose);
  }
  return program;
}

function furnish(
  command: Command,
  { name, examples, argument, answers, flags, exits }: CommandInfo,
  programName: string,
  choose: (command: CommandName, flags: Flags) => void,
): void {
  command
    .helpOption('-h, --help', 'print this help')
    .addHelpText('before', `Examples:\n${examples.map((example) => `  ${programName} ${example}\n`).join('')}`)
    .addHelpText('after', `\n${exitCodesText(exits)}`);
  for (const flag of answers) {
    for (const option of optionsOf(flag)) command.addOption(option);
  }
  for (const flag of flags) {
    for (const option of optionsOf(flag)) command.addOption(flag.choices ? option.choices(flag.choices) : option);
  }
  command.action((...given: unknown[]) => {
    const options = command.opts<Flags>();
    choose(name, argument ? { ...options, [argument.name]: given[0] } : options);
  });
}

/** Commander gets neither defaults nor variables: where a value comes from stays visible that way. */
function optionsOf({ name, short, value, many, negatable, group, help }: FlagInfo): readonly Option[] {
  const spelled = `${short === undefined ? '' : `${short}, `}${name}${value === undefined ? '' : ` <${value}>`}`;
  const option = new Option(spelled, help).helpGroup(`${group}:`);
  if (many) option.argParser((given: string, before: string[] = []) => [...before, given]);
  return negatable
    ? [option, new Option(name.replace('--', '--no-'), `not: ${help}`).helpGroup(`${group}:`).hideHelp()]
    : [option];
}

function exitCodesText(exits: readonly number[]): string {
  const rows = exitCodes.filter(({ exit }) => exits.includes(exit));
  return `Exit codes:\n${rows.map(({ exit, means }) => `  ${String(exit).padEnd(3)}  ${means}\n`).join('')}`;
}

/** What the bare command says. */
export const shortHelp = (
  programName: string,
) => `ackone-join publishes the bootstrap script with which ECS nodes join a registered cluster.

  ${programName} init --sandbox --yes    the whole job on an embedded cluster and OSS
  ${programName} --help                  all commands
`;
