import { Box, Text } from 'ink';
import { visible } from '../../masking.ts';

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
    <Text>
      <Text color={colours[tone]} bold>
        {words[tone]}:
      </Text>{' '}
      {visible(what)}
    </Text>
    {next.map((line) => (
      <Text key={line}>
        {'  '}
        <Text bold>Next:</Text> {visible(line)}
      </Text>
    ))}
  </Box>
);
