import { useMemo } from 'react';
import { useKeys } from './keyboard.tsx';
import { asLines, numbered, Scroll } from './Scroll.tsx';

export interface PagerProps {
  readonly title: string;
  readonly text: string;
  /** Lines that it may take, the one with title and position among them. */
  readonly rows: number;
  readonly active?: boolean | undefined;
  /** Esc or q. */
  readonly onClose: () => void;
}

/** A text with line numbers. */
export function Pager({ title, text, rows, active, onClose }: PagerProps) {
  useKeys(({ name }) => (name === 'escape' || name === 'q') && onClose(), { active });
  const lines = useMemo(() => {
    const all = asLines(text);
    const width = String(all.length).length;
    return all.map((line, index) => ({ gutter: `${numbered(index + 1, width)}  `, text: line }));
  }, [text]);
  return <Scroll title={title} lines={lines} rows={rows} active={active} />;
}
