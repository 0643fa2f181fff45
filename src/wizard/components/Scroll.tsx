import { Box, Text } from 'ink';
import { useState } from 'react';
import { visible } from '../../masking.ts';
import type { Key } from '../keys.ts';
import { useKeys } from './keyboard.tsx';
import { cut, from } from './width.ts';
import { useWindow } from './window.tsx';

export interface ScrollLine {
  /** In front of the text: a line number, a sign. As wide in each line. */
  readonly gutter: string;
  /** Harmless already, without tabs. */
  readonly text: string;
  readonly tone?: 'added' | 'removed' | 'aside';
}

export interface ScrollProps {
  readonly title: string;
  readonly lines: readonly ScrollLine[];
  /** Lines that it may take, the one with title and position among them. */
  readonly rows: number;
  readonly active?: boolean | undefined;
}

interface Position {
  readonly top: number;
  readonly left: number;
}

const sideways = 20;
const moves: Readonly<Record<string, (position: Position, size: number) => Position>> = {
  up: ({ top, left }) => ({ top: top - 1, left }),
  down: ({ top, left }) => ({ top: top + 1, left }),
  pageup: ({ top, left }, size) => ({ top: top - size, left }),
  b: ({ top, left }, size) => ({ top: top - size, left }),
  pagedown: ({ top, left }, size) => ({ top: top + size, left }),
  ' ': ({ top, left }, size) => ({ top: top + size, left }),
  home: () => ({ top: 0, left: 0 }),
  g: () => ({ top: 0, left: 0 }),
  end: ({ left }) => ({ top: Number.MAX_SAFE_INTEGER, left }),
  G: ({ left }) => ({ top: Number.MAX_SAFE_INTEGER, left }),
  left: ({ top, left }) => ({ top, left: Math.max(0, left - sideways) }),
  right: ({ top, left }) => ({ top, left: left + sideways }),
};

const within = ({ top, left }: Position, count: number, size: number): Position => ({
  top: Math.max(0, Math.min(top, count - size)),
  left,
});

/** Where a key leads. Pure. */
const scrolled = (position: Position, { name }: Pick<Key, 'name'>, count: number, size: number): Position =>
  within(moves[name]?.(position, size) ?? position, count, size);

/** Without anything in it Ink gives a line no height. */
const emptyLine = ' ';
const colours = { added: { color: 'green' }, removed: { color: 'red' }, aside: { dimColor: true } } as const;

/** More lines than there is room for: some of them, and the keys of `less` to move. */
export function Scroll({ title, lines, rows, active }: ScrollProps) {
  const { columns } = useWindow();
  const size = Math.max(1, rows - 1);
  const [state, setState] = useState<Position>({ top: 0, left: 0 });
  const { top, left } = within(state, lines.length, size);
  useKeys((key) => setState(scrolled({ top, left }, key, lines.length, size)), { active });
  const shown = lines.slice(top, top + size).map((line, index) => ({ ...line, number: top + index + 1 }));
  const position = `${top + 1}–${top + shown.length} of ${lines.length}`;
  return (
    <Box flexDirection="column">
      <Text>
        <Text bold>{cut(title, columns - position.length - 2)}</Text>
        <Text dimColor>{`  ${position}`}</Text>
      </Text>
      {shown.map(({ number, gutter, text, tone }) => (
        <Text key={number}>
          <Text dimColor>{gutter}</Text>
          <Text {...(tone && colours[tone])}>{cut(from(text, left), columns - gutter.length) || emptyLine}</Text>
        </Text>
      ))}
    </Box>
  );
}

/** A line of a file, fit for a terminal: tabs as blanks, other control characters in words. */
export const harmless = (line: string): string => visible(line.replaceAll('\t', '    '));

/** The lines of a text; a newline at its end begins none. */
export const asLines = (text: string): readonly string[] => text.replace(/\n$/, '').split('\n').map(harmless);

/** A number at the right of so many columns, or only the columns. */
export const numbered = (number: number | undefined, width: number): string => String(number ?? '').padStart(width);
