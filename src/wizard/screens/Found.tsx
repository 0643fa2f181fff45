import { Text } from 'ink';
import { useState } from 'react';
import { useKeys } from '../components/keyboard.tsx';
import { type Choice, Select } from '../components/Select.tsx';
import { contextsOf, gained, stopsOf, troubleWith } from '../flow.ts';
import { foundRows } from '../found-rows.ts';
import type { Event } from '../model.ts';
import * as words from '../words.ts';
import { Details } from './Details.tsx';
import { chooseKeys, Frame, type ScreenProps, useRoom } from './frame.tsx';
import { answerChoices, TroubleMenu, TroubleNotice } from './Trouble.tsx';
import { Wait } from './Wait.tsx';

export function Found(props: ScreenProps) {
  const { state, dispatch } = props;
  const failure = troubleWith(state, 'found');
  const found = gained(state, 'found');
  const stops = stopsOf(state);
  const [note, setNote] = useState('');
  const question = failure ? words.whatNow : stops.length > 0 ? words.whatIsMissing : words.screens.found.question;
  const room = useRoom(question, chooseKeys);
  useKeys(({ name }) => {
    if (name === 'v' && found) dispatch({ type: 'opened', overlay: 'found' });
  });
  if (failure) {
    const menu = Math.min(6, Math.max(2, room - 4));
    return (
      <Frame state={state} dispatch={dispatch} question="" keys={chooseKeys}>
        <TroubleNotice trouble={failure} room={room - menu - 1} />
        <Text bold>{question}</Text>
        <TroubleMenu {...props} trouble={failure} room={menu} />
      </Frame>
    );
  }
  if (!found) return <Wait {...props} work="found" name={state.resolved.answers.context ?? ''} />;
  const choices: readonly Choice<Event | string>[] = [
    ...(stops.length > 0
      ? answerChoices(stops.flatMap(({ next }) => next))
      : [{ value: { type: 'answered', agreed: 'found' }, label: words.choices.useValues } as const]),
    { value: { type: 'went', to: { screen: 'change' } }, label: words.choices.changeOne },
    ...(stops.length > 0 && contextsOf(state).length > 1
      ? [{ value: { type: 'went', to: { screen: 'cluster' } }, label: words.choices.otherCluster } as const]
      : []),
    { value: words.later, label: words.choices.ownScript, detail: words.laterDetail },
  ];
  const menu = Math.min(choices.length, Math.max(1, room - 3)) + (note === '' ? 0 : 1);
  return (
    <Frame state={state} dispatch={dispatch} question="" keys={chooseKeys}>
      <Details title={found.facts.context} rows={foundRows(found, state.given)} room={room - menu - 1} />
      <Text bold>{question}</Text>
      <Select
        key={stops.length}
        choices={choices}
        rows={Math.min(choices.length, Math.max(1, room - 3))}
        onSelect={(act) => (typeof act === 'string' ? setNote(act) : dispatch(act))}
        onCancel={() => dispatch({ type: 'went-back' })}
      />
      {note !== '' && <Text dimColor>{note}</Text>}
    </Frame>
  );
}
