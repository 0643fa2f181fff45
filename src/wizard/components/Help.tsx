import { useMemo } from 'react';
import { useKeys } from './keyboard.tsx';
import { Scroll } from './Scroll.tsx';
import { wrapped } from './width.ts';
import { useWindow } from './window.tsx';

export interface HelpProps {
  readonly title: string;
  /** Paragraphs. */
  readonly text: readonly string[];
  readonly keys: readonly { readonly key: string; readonly does: string }[];
  /** Lines that it may take. */
  readonly rows: number;
  /** Esc, Enter, q, or a key that asks for help. */
  readonly onClose: () => void;
}

/** As wide as a text is easily read. */
const widest = 90;

/** Explains a question on the spot. Draw it instead of the question, which must not hear keys meanwhile. */
export function Help({ title, text, keys, rows, onClose }: HelpProps) {
  const { columns } = useWindow();
  useKeys(({ name }) => {
    if (['escape', 'enter', 'q', '?', 'ctrl-g', 'f1'].includes(name)) onClose();
  });
  const lines = useMemo(() => {
    const width = Math.max(0, ...keys.map(({ key }) => key.length));
    const paragraphs = text.flatMap((paragraph) => [...wrapped(paragraph, Math.min(columns, widest)), '']);
    return [...paragraphs, ...keys.map(({ key, does }) => `${key.padEnd(width)}  ${does}`)].map((line) => ({
      gutter: '',
      text: line,
    }));
  }, [text, keys, columns]);
  return <Scroll title={title} lines={lines} rows={rows} />;
}
