/** The whole command line as data: the parser, the help and the completion are made of it. */
import { failures } from '../errors.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { answerFlags } from './answer-flags.ts';

export interface FlagInfo {
  readonly name: string;
  readonly short?: string;
  /** Word for the value in the help; without one the flag is a switch. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly completes?: 'file' | 'folder' | 'context';
  readonly many?: boolean;
  /** There is a `--no-…` as well, which the help does not show. */
  readonly negatable?: boolean;
  /** Heading in the help. */
  readonly group: string;
  readonly help: string;
}

export const commandNames = ['init', 'render', 'config', 'explain', 'sandbox', 'completion'] as const;
export type CommandName = (typeof commandNames)[number];

export interface CommandInfo {
  readonly name: CommandName;
  readonly summary: string;
  /** What is typed behind the program's name. */
  readonly examples: readonly string[];
  /** `choices` are what a shell completes; the command itself checks its argument. */
  readonly argument?: { readonly name: string; readonly choices: readonly string[]; readonly help: string };
  /** Checked by the table of answers. */
  readonly answers: readonly FlagInfo[];
  /** Checked by the parser. */
  readonly flags: readonly FlagInfo[];
  readonly exits: readonly ExitCode[];
}

export const shells = ['bash', 'zsh', 'fish'] as const;

const run = 'Run';
const common = 'Common';
const sandboxFlag = { name: '--sandbox', group: common, help: 'use an embedded cluster and OSS instead of real ones' };
const configFlag = {
  name: '--config',
  group: common,
  value: 'file',
  completes: 'file',
  help: 'config file (default: ackone-join.yaml)',
} as const;
const outputFlag = {
  name: '--output',
  short: '-o',
  group: common,
  value: 'text|json',
  choices: ['text', 'json'],
  help: 'form of the result (default: text)',
} as const;
const always: readonly FlagInfo[] = [
  { name: '--quiet', short: '-q', group: common, help: 'print the result and failures only' },
  { name: '--debug', group: common, help: 'write a log of every request, and say where a failure happened' },
  { name: '--no-color', group: common, help: 'print without colours (also by the variable NO_COLOR)' },
];

const answersFor = (command: 'init' | 'render') => answerFlags.filter((flag) => flag.for.includes(command));
const vpc = '--bucket example --access vpc --vpc-id vpc-example0000001';

export const commandTree: readonly CommandInfo[] = [
  {
    name: 'init',
    summary: 'Reads the cluster, makes a token, uploads the script and registers it.',
    examples: ['init --sandbox --yes', `init ${vpc} --dry-run`, `init ${vpc} --yes`],
    answers: answersFor('init'),
    flags: [
      { name: '--yes', short: '-y', group: run, help: 'carry the plan out without asking' },
      { name: '--no-input', group: run, help: 'never ask' },
      { name: '--dry-run', group: run, help: 'print the plan and change nothing' },
      {
        name: '--detailed-exitcode',
        group: run,
        help: 'with --dry-run: exit 6 when a run would change something',
      },
      {
        name: '--confirm',
        group: run,
        value: 'name',
        help: 'say the name of what is hard to take back (the bucket, for --access public-read)',
      },
      sandboxFlag,
      configFlag,
      outputFlag,
      ...always,
    ],
    exits: [0, 1, 2, 3, 4, 5, 6, 7, 129, 130, 143],
  },
  {
    name: 'render',
    summary: 'Composes the script and prints it; offline when it is told everything.',
    examples: [
      'render --sandbox --join-command-file join.txt --output-file join.sh',
      'render --kube-version 1.28.3 --runtime containerd --runtime-version 1.6.28 --join-command-file join.txt',
    ],
    answers: answersFor('render'),
    flags: [sandboxFlag, configFlag, outputFlag, ...always],
    exits: [0, 1, 2, 3, 4, 129, 130, 143],
  },
  {
    name: 'config',
    summary: 'Shows the value of each answer and where it comes from.',
    examples: ['config', 'config --config ackone-join.yaml -o json'],
    answers: answersFor('init'),
    flags: [configFlag, outputFlag, ...always],
    exits: [0, 1, 2],
  },
  {
    name: 'explain',
    summary: 'Says what a failure code, an exit code or a failure on a node means, and what to do.',
    examples: ['explain TokenNotSigned', 'explain exit-4', 'explain node-39'],
    argument: {
      name: 'code',
      choices: [...Object.keys(failures), ...exitCodes.map(({ exit }) => `exit-${exit}`)],
      help: 'code of a failure, exit-N, or node-N for the script on a node',
    },
    answers: [],
    flags: [outputFlag, ...always],
    exits: [0, 1, 2],
  },
  {
    name: 'sandbox',
    summary: 'Serves an embedded cluster and OSS to try everything on, until Ctrl-C.',
    examples: ['sandbox --dir ./sandbox'],
    answers: [],
    flags: [
      { name: '--dir', group: run, value: 'dir', completes: 'folder', help: 'keep the sandbox in this folder' },
      ...always,
    ],
    exits: [1, 2, 129, 130, 143],
  },
  {
    name: 'completion',
    summary: 'Prints what makes a shell complete commands, flags and values.',
    examples: ['completion bash', 'completion zsh', 'completion fish'],
    argument: { name: 'shell', choices: shells, help: 'bash, zsh or fish' },
    answers: [],
    flags: always,
    exits: [0, 1, 2],
  },
];

/** All flags of a command, those of the answers first. */
export const flagsOf = ({ answers, flags }: CommandInfo): readonly FlagInfo[] => [...answers, ...flags];

/** As they can be typed: `--bucket`, `-o`, `--new-token`, `--no-new-token`. */
export const spellingsOf = ({ name, short, negatable }: FlagInfo): readonly string[] => [
  name,
  ...(short === undefined ? [] : [short]),
  ...(negatable ? [name.replace('--', '--no-')] : []),
];
