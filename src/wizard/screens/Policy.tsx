import { Text } from 'ink';
import { visible } from '../../masking.ts';
import { Prose } from '../components/Prose.tsx';
import { type Choice, Select } from '../components/Select.tsx';
import { cut } from '../components/width.ts';
import { useWindow } from '../components/window.tsx';
import { gained, readabilityOf } from '../flow.ts';
import type { Event } from '../model.ts';
import * as words from '../words.ts';
import { chooseKeys, Frame, type ScreenProps, useRoom } from './frame.tsx';

/** The statement that --access vpc needs and the bucket's policy lacks. */
export function Policy({ state, dispatch }: ScreenProps) {
  const { columns } = useWindow();
  const { question } = words.screens.policy;
  const room = useRoom(question, chooseKeys);
  const choicesFound = gained(state, 'access');
  const text = JSON.stringify(choicesFound?.statement, null, 2) ?? '';
  const lines = text.split('\n');
  const compact = JSON.stringify(choicesFound?.statement) ?? '';
  const choices: readonly Choice<Event>[] = [
    {
      value: {
        type: 'answered',
        agreed: 'policy',
        ...(choicesFound?.hasPolicy && { values: { manageBucketPolicy: true } }),
      },
      label: words.choices.addStatement,
      detail: choicesFound?.hasPolicy ? words.merged : words.firstPolicy,
    },
    { value: { type: 'went', to: { screen: 'access' } }, label: words.choices.chooseAgain },
  ];
  const shown =
    lines.length + 3 <= room
      ? lines
      : Math.ceil(compact.length / columns) + 3 <= room
        ? [compact]
        : [cut(compact, columns)];
  return (
    <Frame state={state} dispatch={dispatch} question={question} keys={chooseKeys}>
      <Text>{shown.map(visible).join('\n')}</Text>
      <Select choices={choices} rows={2} onSelect={dispatch} onCancel={() => dispatch({ type: 'went-back' })} />
    </Frame>
  );
}

/** Whether nodes can read the script could not be worked out. */
export function Unverified({ state, dispatch }: ScreenProps) {
  const { question } = words.screens.unverified;
  const choices: readonly Choice<Event>[] = [
    { value: { type: 'went', to: { screen: 'access' } }, label: words.choices.chooseAgain },
    { value: { type: 'answered', values: { acceptUnverified: true } }, label: words.choices.goOn },
  ];
  return (
    <Frame state={state} dispatch={dispatch} question={question} keys={chooseKeys}>
      <Prose>{visible(words.capital(readabilityOf(state)?.why ?? ''))}</Prose>
      <Select choices={choices} rows={2} onSelect={dispatch} onCancel={() => dispatch({ type: 'went-back' })} />
    </Frame>
  );
}
