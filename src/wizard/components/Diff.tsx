import { structuredPatch } from 'diff';
import { useMemo } from 'react';
import { useKeys } from './keyboard.tsx';
import { harmless, numbered, Scroll, type ScrollLine } from './Scroll.tsx';

export interface DiffProps {
  readonly title: string;
  readonly before: string;
  readonly after: string;
  /** Lines that it may take, the one with title and position among them. */
  readonly rows: number;
  readonly active?: boolean | undefined;
  /** Esc or q. */
  readonly onClose: () => void;
}

/** What changes from one text to another, with three lines around each change. */
export function Diff({ title, before, after, rows, active, onClose }: DiffProps) {
  useKeys(({ name }) => (name === 'escape' || name === 'q') && onClose(), { active });
  const lines = useMemo(() => diffLines(before, after), [before, after]);
  return <Scroll title={title} lines={lines} rows={rows} active={active} />;
}

const context = 3;
/** What a line of a patch begins with. */
const tones: Readonly<Record<string, NonNullable<ScrollLine['tone']>>> = { '+': 'added', '-': 'removed' };

/** The lines of a patch, with their numbers before and after. Pure. */
export function diffLines(before: string, after: string): readonly ScrollLine[] {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context });
  if (hunks.length === 0) return [{ gutter: '', text: 'no difference', tone: 'aside' }];
  const width = String(
    Math.max(...hunks.flatMap((hunk) => [hunk.oldStart + hunk.oldLines, hunk.newStart + hunk.newLines])),
  ).length;
  const gutter = (left: number | undefined, right: number | undefined) =>
    `${numbered(left, width)} ${numbered(right, width)} `;
  return hunks.flatMap((hunk, index) => {
    let [left, right] = [hunk.oldStart, hunk.newStart];
    const lines = hunk.lines.map((line): ScrollLine => {
      const sign = line[0] ?? ' ';
      const tone = tones[sign];
      // `\ No newline at end of file`
      if (sign === '\\') return { gutter: gutter(undefined, undefined), text: line, tone: 'aside' };
      const numbers = gutter(sign === '+' ? undefined : left, sign === '-' ? undefined : right);
      if (sign !== '+') left += 1;
      if (sign !== '-') right += 1;
      return { gutter: numbers, text: harmless(line), ...(tone && { tone }) };
    });
    return index === 0 ? lines : [{ gutter: gutter(undefined, undefined), text: '⋯', tone: 'aside' }, ...lines];
  });
}
