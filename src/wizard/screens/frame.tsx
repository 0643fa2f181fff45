/** What every screen has: a line of what is settled, the question, a body, the keys, and the help that one of them opens. */

import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import { flagOf, type Key, type Question, questions, type Source, variableOf } from '../../questions.ts';
import { Footer, type FooterProps } from '../components/Footer.tsx';
import { Help } from '../components/Help.tsx';
import { helpKeys, TypedContext, useHelpKey } from '../components/help-key.ts';
import { Hearing } from '../components/keyboard.tsx';
import { Prose } from '../components/Prose.tsx';
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

interface FrameProps extends Pick<ScreenProps, 'state' | 'dispatch'> {
  readonly question: string;
  readonly keys: FooterProps['keys'];
  readonly children: ReactNode;
}

/** Terminals that are lower than this get no empty lines. */
const roomyRows = 18;
const columnsOfKey = 3;

export function Frame({ state, dispatch, question, keys, children }: FrameProps) {
  const { columns, rows } = useWindow();
  const [helpKey, tellTyped] = useHelpKey(() => dispatch({ type: 'opened', overlay: 'help' }));
  const allKeys = [...keys, { key: helpKey, does: words.help }];
  const helps = state.overlay === 'help';
  const gap = rows < roomyRows ? 0 : 1;
  // Behind the help the question stays as it is, with what was typed.
  return (
    <>
      {helps && (
        <Hearing on>
          <Help {...helpOn(state)} keys={allKeys} rows={rows - 1} onClose={() => dispatch({ type: 'closed' })} />
        </Hearing>
      )}
      <Box flexDirection="column" rowGap={gap} display={helps ? 'none' : 'flex'}>
        <Text dimColor>{cut(settled(state), columns)}</Text>
        <Box flexDirection="column">
          {question !== '' && <Prose bold>{question}</Prose>}
          <TypedContext.Provider value={tellTyped}>{children}</TypedContext.Provider>
        </Box>
        <Footer keys={allKeys} />
      </Box>
    </>
  );
}

function helpOn({ at: { screen, key } }: State): { readonly title: string; readonly text: readonly string[] } {
  const { question, help } = words.screens[screen];
  const row: Question | undefined = key && questions[key];
  return key && row
    ? { title: words.questionOf(key), text: [words.capital(row.help)] }
    : { title: question, text: help };
}

/** Lines that are left for the body of a Frame, so that the whole is lower than the terminal. */
export function useRoom(question: string, keys: FooterProps['keys']): number {
  const { columns, rows } = useWindow();
  const footer = [...keys, { key: helpKeys.always, does: words.help }].reduce(
    (width, { key, does }) => width + key.length + does.length + 1 + columnsOfKey,
    0,
  );
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

export const chooseKeys: FooterProps['keys'] = [
  { key: '↑↓', does: 'choose' },
  { key: 'enter', does: 'take' },
  { key: 'esc', does: 'back' },
];
export const filterKeys: FooterProps['keys'] = [{ key: 'type', does: 'find' }, ...chooseKeys];
export const typeKeys: FooterProps['keys'] = [
  { key: 'enter', does: 'take' },
  { key: 'esc', does: 'back' },
];
