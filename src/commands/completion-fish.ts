import { quote } from '../quote.ts';
import { type CommandInfo, type FlagInfo, flagsOf } from './tree.ts';

export const fishCompletion = (tree: readonly CommandInfo[]): string => `# Completion of ackone-join for fish:
#   ackone-join completion fish | source
complete -c ackone-join -f
complete -c ackone-join -n __fish_use_subcommand -l version -d 'print the version'
complete -c ackone-join -s h -l help -d 'print this help'
${tree.map(commandLines).join('')}`;

function commandLines(info: CommandInfo): string {
  const { name, summary, argument } = info;
  const within = `complete -c ackone-join -n '__fish_seen_subcommand_from ${name}'`;
  return [
    `complete -c ackone-join -n __fish_use_subcommand -a ${name} -d ${word(summary)}`,
    ...(argument ? [`${within} -a ${word(argument.choices.join(' '))}`] : []),
    ...flagsOf(info).flatMap((flag) => flagWords(flag).map((words) => `${within} ${words}`)),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

const sources = {
  // Files are switched off for all words, and back on for this one.
  file: '-r -F',
  folder: "-x -a '(__fish_complete_directories)'",
  context: "-x -a '(ackone-join completion contexts 2>/dev/null)'",
} as const;

function flagWords({ name, short, value, choices, completes, negatable, help }: FlagInfo): readonly string[] {
  const spelled = (flag: string) => `-l ${flag.slice(2)}${short === undefined ? '' : ` -s ${short.slice(1)}`}`;
  const values = choices ? `-x -a ${word(choices.join(' '))}` : completes ? sources[completes] : '-x';
  return [
    `${spelled(name)} ${value === undefined ? '' : `${values} `}-d ${word(help)}`,
    ...(negatable ? [`${spelled(name.replace('--', '--no-'))} -d ${word(`not: ${help}`)}`] : []),
  ];
}

/** Fish knows two escapes within single quotes, bash none (https://fishshell.com/docs/current/language.html#quotes). */
const word = (text: string) => (/[\\']/.test(text) ? `'${text.replace(/[\\']/g, '\\$&')}'` : quote(text));
