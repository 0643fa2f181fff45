/** docs/errors.md, made of what `explain` says. */
import {
  type Explanation,
  exitExplanations,
  failureExplanations,
  nodeExplanations,
} from '../../src/commands/explanations.ts';
import { exitCodes } from '../../src/exit-codes.ts';

export function errorsPage(): string {
  const sections = exitCodes.flatMap(({ exit, means }) => {
    const rows = failureExplanations.filter((each) => each.exit === exit).map(row);
    return rows.length === 0 ? [] : [`## Exit code ${exit}: ${means}`, table(['code', 'why', 'what to do'], rows)];
  });
  return `${[
    '# Failures and exit codes',
    '`npm run docs` makes this page of what the program itself knows; `ackone-join explain CODE` says the same.',
    table(
      ['exit code', 'what it means'],
      exitExplanations.map(({ code, why }) => [`\`${code}\``, why]),
    ),
    ...sections,
    '## The script on a node',
    `The script ends with one of these. Its last line has the sentence, the name and the exit code. ${nodeExplanations()[0]?.next[0]}`,
    table(
      ['exit code', 'name', 'what happened'],
      nodeExplanations().map(({ code, name, why }) => [`\`${code}\``, `\`${name}\``, why.replace(` (${name})`, '')]),
    ),
  ].join('\n\n')}\n`;
}

const row = ({ code, why, next }: Explanation) => [`\`${code}\``, why, next.join('<br>')];

/** Cells are padded, so that the text is a table as well. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const escaped = rows.map((cells) => cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('*', '\\*')));
  const widths = head.map((title, column) =>
    Math.max(title.length, ...escaped.map((cells) => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...escaped.map(line)].join('\n');
}
