/** Splits a pasted command into words as a shell would, without ever running it. */
import { Failure } from '../errors.ts';

const refuse = (what: string): never => {
  throw new Failure('JoinCommandInvalid', what);
};

/** One piece of a command line; the first alternative that matches wins. Comments are cut off before. */
const piece =
  /(?<continued>\\\n)|(?<end>\n)|(?<blank>[ \t]+)|'(?<single>[^']*)'|"(?<double>(?:[^"\\$`]|\\[\s\S])*)"|\\(?<escaped>[\s\S])|(?<plain>[^\s'"\\;&|<>()$`*?{}~]+)/y;
/** Between double quotes a backslash is one unless it stands before one of these. */
const unquote = (text: string) => text.replace(/\\([$`"\\]|\n)/g, (_, char: string) => (char === '\n' ? '' : char));

/**
 * The words of each command, a command a line. Quotes, backslashes and continued lines mean what they mean to a shell.
 * @throws Failure JoinCommandInvalid for what only a running shell can resolve: variables, substitutions, operators,
 *   redirections and patterns; and for an open quote. The message holds one character of the text at most.
 */
export function shellWords(text: string): readonly (readonly string[])[] {
  const source = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const commands: string[][] = [[]];
  let word: string | undefined;
  const endWord = () => {
    if (word !== undefined) commands.at(-1)!.push(word);
    word = undefined;
  };
  for (let at = 0; at < source.length; at = piece.lastIndex) {
    if (word === undefined && source[at] === '#') at = source.indexOf('\n', at);
    if (at === -1) break;
    piece.lastIndex = at;
    const found = piece.exec(source)?.groups;
    if (!found) return refuse(whatStands(source[at]!));
    if (found.blank !== undefined || found.end !== undefined) endWord();
    if (found.end !== undefined) commands.push([]);
    const literal =
      found.single ?? (found.double === undefined ? undefined : unquote(found.double)) ?? found.escaped ?? found.plain;
    if (literal !== undefined) word = (word ?? '') + literal;
  }
  endWord();
  return commands.filter((words) => words.length > 0);
}

function whatStands(char: string): string {
  if (char === "'" || char === '"')
    return 'the join command has a quote that is not closed, or a variable inside quotes';
  if (char === '\\') return 'the join command ends in a backslash';
  if (/\s/.test(char)) return 'the join command holds an odd kind of space';
  return `the join command holds ${char}, which only a shell could resolve`;
}
