/** Text measured in columns of a terminal. */
import stringWidth from 'string-width';
import { visible } from '../../masking.ts';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

export const graphemesOf = (text: string): readonly string[] =>
  Array.from(segmenter.segment(text), ({ segment }) => segment);

/** As many graphemes from the start as go into so many columns. */
function start(text: string, columns: number): string {
  let width = 0;
  let kept = '';
  for (const grapheme of graphemesOf(text)) {
    width += stringWidth(grapheme);
    if (width > columns) break;
    kept += grapheme;
  }
  return kept;
}

/** One line that takes at most so many columns: made harmless (masking.ts), with `…` where it was cut. */
export function cut(text: string, columns: number): string {
  const line = visible(text);
  if (stringWidth(line) <= columns) return line;
  return columns < 1 ? '' : `${start(line, columns - 1)}…`;
}

/** The same, filled up with blanks. */
export function padded(text: string, columns: number): string {
  const line = cut(text, columns);
  return line + ' '.repeat(Math.max(0, columns - stringWidth(line)));
}

/** The line without its first columns; half of a wide character there becomes a blank. */
export function from(line: string, column: number): string {
  const before = start(line, column);
  const missing = column - stringWidth(before);
  const rest = line.slice(before.length);
  return missing > 0 && rest !== '' ? ` ${rest.slice(graphemesOf(rest)[0]?.length)}` : rest;
}

/** Lines of at most so many columns, broken at blanks where there are any. */
export function wrapped(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of visible(text).split(' ')) {
    if (line !== '' && stringWidth(line) + 1 + stringWidth(word) <= columns) {
      line += ` ${word}`;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (stringWidth(line) > columns) {
      const head = start(line, columns) || line;
      lines.push(head);
      line = line.slice(head.length);
    }
  }
  return [...lines, line];
}
