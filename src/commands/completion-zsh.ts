import { quote } from '../quote.ts';
import { type CommandInfo, type FlagInfo, flagsOf } from './tree.ts';

/** For compinit: by `source`, or as the file _ackone-join in a folder of fpath. */
export const zshCompletion = (tree: readonly CommandInfo[]): string => `#compdef ackone-join
# Completion of ackone-join for zsh:
#   source <(ackone-join completion zsh)

_ackone_join_contexts() {
  local -a contexts
  contexts=("\${(@f)$(ackone-join completion contexts 2>/dev/null)}")
  compadd -a contexts
}

_ackone_join_commands() {
  local -a commands
  commands=(
${tree.map(({ name, summary }) => `    ${quote(`${name}:${described(summary)}`)}\n`).join('')}  )
  _describe command commands
}

_ackone_join() {
  local context state state_descr line
  local -A opt_args
  _arguments -C \\
    '(- *)'{-h,--help}'[print this help]' \\
    '(- *)--version[print the version]' \\
    '1: :_ackone_join_commands' \\
    '*:: :->rest'
  [[ $state == rest ]] || return
  case $line[1] in
${tree.map(commandCase).join('')}  esac
}

if [[ $funcstack[1] == _ackone_join || $funcstack[1] == _ackone-join ]]; then
  _ackone_join "$@"
else
  compdef _ackone_join ackone-join
fi
`;

function commandCase(info: CommandInfo): string {
  const { name, argument } = info;
  const specs = [
    `'(- *)'{-h,--help}'[print this help]'`,
    ...flagsOf(info).flatMap(flagSpecs),
    ...(argument ? [quote(`1:${argument.name}:(${argument.choices.join(' ')})`)] : []),
  ];
  return `    ${name})\n      _arguments -s \\\n${specs.map((spec) => `        ${spec}`).join(' \\\n')}\n      ;;\n`;
}

/** What _arguments takes for each spelling: `'(-o --output)'{-o+,--output=}'[form of the result]:value:(text json)'`. */
function flagSpecs({ name, short, value, choices, completes, many, negatable, help }: FlagInfo): readonly string[] {
  const actions = { file: '_files', folder: '_path_files -/', context: '_ackone_join_contexts' } as const;
  const action = choices ? `(${choices.join(' ')})` : completes ? actions[completes] : ' ';
  const rest = `[${described(help)}]${value === undefined ? '' : `:${described(value)}:${action}`}`;
  const repeat = many ? '*' : '';
  if (short !== undefined) {
    const spellings = value === undefined ? `{${short},${name}}` : `{${short}+,${name}=}`;
    return [`${quote(`(${short} ${name})`)}${spellings}${quote(rest)}`];
  }
  const spec = (flag: string, text: string) => quote(`${repeat}${flag}${value === undefined ? '' : '='}${text}`);
  return [spec(name, rest), ...(negatable ? [spec(name.replace('--', '--no-'), `[not: ${described(help)}]`)] : [])];
}

/** Colons and brackets end a description. */
const described = (text: string) => text.replace(/[\\:[\]]/g, '\\$&');
