import { quote } from '../quote.ts';
import { type CommandInfo, flagsOf, spellingsOf } from './tree.ts';

/**
 * For bash 4 and later. What has been typed is taken from the line, since bash splits its words at `:`, `=` and `@`,
 * which contexts may hold; a candidate must then begin with the part that bash takes for the word, its second argument.
 */
export const bashCompletion = (
  tree: readonly CommandInfo[],
): string => `# Completion of ackone-join for bash 4 and later:
#   source <(ackone-join completion bash)

# What may stand behind a command and a flag; fails where no value is due.
_ackone_join_values() {
  case "$1 $2" in
${tree.flatMap(valueCases).join('')}    *) return 1 ;;
  esac
}

_ackone_join_flags() {
  case $1 in
${tree.map((info) => `    ${info.name}) ${lines(['--help', ...flagsOf(info).flatMap(spellingsOf)])} ;;\n`).join('')}    *) ${lines(['--help', '--version'])} ;;
  esac
}

_ackone_join_arguments() {
  case $1 in
    '') ${lines(tree.map(({ name }) => name))} ;;
${tree.flatMap(({ name, argument }) => (argument ? [`    ${name}) ${lines(argument.choices)} ;;\n`] : [])).join('')}  esac
}

_ackone_join() {
  local line=\${COMP_LINE:0:COMP_POINT} command='' flag='' word candidate candidates
  local typed=\${line##*[[:space:]]}
  local -a before
  read -ra before <<<"\${line:0:\${#line}-\${#typed}}"
  for word in "\${before[@]:1}"; do
    case $word in
      ${tree.map(({ name }) => name).join(' | ')}) command=\${command:-$word} ;;
    esac
    flag=$word
  done
  if [[ $typed == --*=* ]]; then
    flag=\${typed%%=*}
    typed=\${typed#*=}
  fi
  COMPREPLY=()
  if candidates=$(_ackone_join_values "$command" "$flag"); then
    case $candidates in
      '<file>') compopt -o default && return ;;
      '<folder>') compopt -o dirnames && return ;;
      '<context>') candidates=$(ackone-join completion contexts 2>/dev/null) ;;
      '<value>') return ;;
    esac
  elif [[ $typed == -* ]]; then
    candidates=$(_ackone_join_flags "$command")
  else
    candidates=$(_ackone_join_arguments "$command")
  fi
  local kept=\${typed%"$2"}
  while IFS= read -r candidate; do
    [[ -n $candidate ]] || continue
    printf -v word %q "$candidate"
    [[ $word == "$typed"* ]] && COMPREPLY+=("\${word#"$kept"}")
  done <<<"$candidates"
}

complete -F _ackone_join ackone-join
`;

const lines = (list: readonly string[]) => `printf '%s\\n' ${list.map(quote).join(' ')}`;

/** Flags of a command by what their values may be; switches have none. */
function valueCases(info: CommandInfo): readonly string[] {
  const cases = new Map<string, string[]>();
  for (const { name, short, value, choices, completes = 'value' } of flagsOf(info)) {
    if (value === undefined) continue;
    const values = lines(choices ?? [`<${completes}>`]);
    const patterns = [name, ...(short === undefined ? [] : [short])].map((flag) => quote(`${info.name} ${flag}`));
    cases.set(values, [...(cases.get(values) ?? []), ...patterns]);
  }
  return [...cases].map(([values, patterns]) => `    ${patterns.join(' | ')}) ${values} ;;\n`);
}
