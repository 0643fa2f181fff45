import { Box, Text, useIsScreenReaderEnabled } from 'ink';
import stringWidth from 'string-width';
import { visible } from '../../masking.ts';
import { Prose } from './Prose.tsx';
import { cut } from './width.ts';
import { useWindow } from './window.tsx';

export interface PanelRow {
  readonly name: string;
  readonly value: string;
  /** Where it comes from, dimmed. */
  readonly source?: string;
  /** `odd` draws a `!` before the value, `question` a `?`. */
  readonly tone?: 'plain' | 'odd' | 'question';
}

export interface PanelProps {
  readonly title: string;
  readonly rows: readonly PanelRow[];
}

const signs = { plain: '', odd: '! ', question: '? ' } as const;
const colours = { odd: 'yellow', question: 'magenta' } as const;
/** Wide enough for any of our values, and still one look. */
const widest = 100;

/** Names, values and their sources in a box with a title; long values wrap. */
export function Panel({ title, rows }: PanelProps) {
  const { columns } = useWindow();
  const spoken = useIsScreenReaderEnabled();
  if (spoken)
    return (
      <Box flexDirection="column">
        <Text>{visible(title)}</Text>
        {rows.map(({ name, value, source, tone = 'plain' }) => (
          <Text key={name}>
            {visible(`${name}: ${signs[tone]}${value}${source === undefined ? '' : ` (${source})`}`)}
          </Text>
        ))}
      </Box>
    );
  const width = Math.min(columns, widest);
  const nameWidth = Math.min(Math.max(...rows.map(({ name }) => stringWidth(name)), 0), Math.floor(width / 3));
  const head = cut(title, width - 6);
  return (
    <Box flexDirection="column" width={width}>
      <Text>
        ┌ <Text bold>{head}</Text> {'─'.repeat(Math.max(0, width - 4 - stringWidth(head)))}┐
      </Text>
      <Box flexDirection="column" borderStyle="single" borderTop={false} paddingX={1}>
        {rows.map(({ name, value, source, tone = 'plain' }) => (
          <Box key={name} columnGap={2}>
            <Box width={nameWidth} flexShrink={0}>
              <Prose>{visible(name)}</Prose>
            </Box>
            <Box flexShrink={1}>
              <Prose>
                {tone !== 'plain' && (
                  <Text bold color={colours[tone]}>
                    {signs[tone]}
                  </Text>
                )}
                {visible(value)}
                {source !== undefined && <Text dimColor>{`  ${visible(source)}`}</Text>}
              </Prose>
            </Box>
          </Box>
        ))}
      </Box>
    </Box>
  );
}
