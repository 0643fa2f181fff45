import { Text } from 'ink';
import stringWidth from 'string-width';
import { Panel, type PanelRow } from '../components/Panel.tsx';
import { cut } from '../components/width.ts';
import { useWindow } from '../components/window.tsx';

interface DetailsProps {
  readonly title: string;
  readonly rows: readonly PanelRow[];
  /** Lines that it may take. */
  readonly room: number;
}

const signs = { plain: '', odd: '! ', question: '? ' } as const;

/** A panel where there is room for it; one line a row where there is less, what matters most first; and where the rest is. */
export function Details({ title, rows, room }: DetailsProps) {
  const { columns } = useWindow();
  if (heightOf(rows, columns) <= room) return <Panel title={title} rows={rows} />;
  const weight = ({ tone = 'plain' }: PanelRow) => ['question', 'odd', 'plain'].indexOf(tone);
  const sorted = rows.toSorted((one, other) => weight(one) - weight(other));
  const shown = sorted.slice(0, sorted.length <= room ? sorted.length : Math.max(0, room - 1));
  const hidden = sorted.length - shown.length;
  return (
    <>
      {shown.map(({ name, value, tone = 'plain' }) => (
        <Text key={name}>{cut(`${signs[tone]}${name}: ${value}`, columns)}</Text>
      ))}
      {hidden > 0 && <Text dimColor>{cut(`… ${hidden} more: [v] shows all`, columns)}</Text>}
    </>
  );
}

/** Lines of a Panel, generously. */
function heightOf(rows: readonly PanelRow[], columns: number): number {
  const width = Math.min(columns, 100);
  const names = Math.min(Math.max(...rows.map(({ name }) => stringWidth(name)), 0), Math.floor(width / 3));
  // Words that do not fit at the end of a line leave it shorter.
  const inner = Math.max(8, Math.floor((width - names - 6) * 0.85));
  const lines = rows.map(({ value, source = '' }) =>
    Math.max(
      1,
      Math.ceil(
        (stringWidth(value) + stringWidth(source) + 4) /
          (stringWidth(value) + stringWidth(source) + 4 <= width - names - 6 ? width : inner),
      ),
    ),
  );
  return lines.reduce((sum, count) => sum + count, 2);
}

/** The same as text, for the pager. */
export const detailsText = (rows: readonly PanelRow[]): string =>
  rows
    .map(({ name, value, source, tone = 'plain' }) => `${signs[tone]}${name}: ${value}${source ? `  [${source}]` : ''}`)
    .join('\n');
