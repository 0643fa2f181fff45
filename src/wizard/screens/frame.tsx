/** What every screen has: a line of what is settled, the question, a body, and the keys. */
import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import { flagOf, type Key, type Source, variableOf } from '../../questions.ts';
import { Footer, type FooterProps } from '../components/Footer.tsx';
import { useKeys } from '../components/keyboard.tsx';
import { cut } from '../components/width.ts';
import { useWindow } from '../components/window.tsx';
import { isGiven } from '../flow.ts';
import type { Event, State, WorkName } from '../model.ts';
import * as words from '../words.ts';

export interface ScreenProps {
  readonly state: State;
  readonly dispatch: (event: Event) => void;
  /** Date.now() when a piece of work began. */
  readonly since: (work: WorkName | 'publication') => number | undefined;
  readonly cancel: () => void;
  /** Ends the wizard without more. */
  readonly leave: () => void;
}

interface FrameProps {
  readonly state: State;
  readonly question: string;
  readonly keys: FooterProps['keys'];
  readonly children: ReactNode;
}

/** Terminals that are lower than this get no empty lines. */
const roomyRows = 18;
const columnsOfKey = 3;

export function Frame({ state, question, keys, children }: FrameProps) {
  const { columns, rows } = useWindow();
  const gap = rows < roomyRows ? 0 : 1;
  return (
    <Box flexDirection="column" rowGap={gap}>
      <Text dimColor>{cut(settled(state), columns)}</Text>
      <Box flexDirection="column">
        {question !== '' && <Text bold>{question}</Text>}
        {children}
      </Box>
      <Footer keys={keys} />
    </Box>
  );
}

/** Lines that are left for the body of a Frame, so that the whole is lower than the terminal. */
export function useRoom(question: string, keys: FooterProps['keys']): number {
  const { columns, rows } = useWindow();
  const footer = keys.reduce((width, { key, does }) => width + key.length + does.length + 1 + columnsOfKey, 0);
  const gaps = rows < roomyRows ? 0 : 2;
  const own = 1 + Math.ceil(question.length / columns) + Math.ceil(footer / columns) + gaps;
  return Math.max(1, rows - 1 - own);
}

/** `ackone-join  Cluster prod-hz  Bucket example (--bucket)  Access vpc` */
function settled(state: State): string {
  const { answers, sources } = state.resolved;
  const shown = [
    ['Cluster', 'context'],
    ['Bucket', 'bucket'],
    ['Access', 'access'],
    ['VPC', 'vpcId'],
  ] as const;
  const parts = shown
    .filter(([, key]) => isGiven(state, key) && (key !== 'vpcId' || answers.access === 'vpc'))
    .map(([name, key]) => {
      const origin = key in state.given ? '' : ` (${originOf(key, sources[key])})`;
      return `${name} ${String(answers[key])}${origin}`;
    });
  return [words.title, ...parts].join('  ');
}

/** `--bucket`, `ACKONE_JOIN_BUCKET`, `project file` */
const originOf = (key: Key, source: Source | undefined) =>
  source === 'flag' ? flagOf(key) : source === 'variable' ? variableOf(key) : source;

/** Where no text is typed, `?` explains the question. */
export function useHelpKey(dispatch: ScreenProps['dispatch']): void {
  useKeys(({ name }) => {
    if (name === '?') dispatch({ type: 'opened', overlay: 'help' });
  });
}

export const chooseKeys: FooterProps['keys'] = [
  { key: '↑↓', does: 'choose' },
  { key: 'enter', does: 'take' },
  { key: 'esc', does: 'back' },
  { key: '?', does: 'help' },
];
export const filterKeys: FooterProps['keys'] = [{ key: 'type', does: 'find' }, ...chooseKeys];
export const typeKeys: FooterProps['keys'] = [
  { key: 'enter', does: 'take' },
  { key: 'esc', does: 'back' },
];
