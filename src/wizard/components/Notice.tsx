import { Box, Text } from 'ink';
import { visible } from '../../masking.ts';
import { Prose } from './Prose.tsx';

export interface NoticeProps {
  readonly tone: 'note' | 'warning' | 'problem';
  /** One sentence. */
  readonly what: string;
  /** What to do, one line each. */
  readonly next?: readonly string[];
}

const words = { note: 'Note', warning: 'Warning', problem: 'Problem' } as const;
const colours = { note: 'cyan', warning: 'yellow', problem: 'red' } as const;

/** `Warning: one sentence`, then `Next: …` lines. */
export const Notice = ({ tone, what, next = [] }: NoticeProps) => (
  <Box flexDirection="column">
    <Prose>
      <Text color={colours[tone]} bold>
        {words[tone]}:
      </Text>{' '}
      {visible(what)}
    </Prose>
    {next.map((line) => (
      <Prose key={line}>
        {'  '}
        <Text bold>Next:</Text> {visible(line)}
      </Prose>
    ))}
  </Box>
);
