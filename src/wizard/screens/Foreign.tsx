import { Text } from 'ink';
import { useState } from 'react';
import { visible } from '../../masking.ts';
import { Prose } from '../components/Prose.tsx';
import { Select } from '../components/Select.tsx';
import { gained } from '../flow.ts';
import * as words from '../words.ts';
import { chooseKeys, Frame, type ScreenProps, useRoom } from './frame.tsx';

/** A live script that is not ours. */
export function Foreign({ state, dispatch, leave }: ScreenProps) {
  const { question } = words.screens.foreign;
  const [note, setNote] = useState('');
  const choices = [
    { value: 'keep', label: words.choices.keep, detail: words.choices.keepDetail },
    { value: 'inject', label: words.choices.inject, detail: words.laterDetail },
    { value: 'replace', label: words.choices.replace, detail: words.choices.replaceDetail },
  ] as const;
  const act = {
    keep: leave,
    inject: () => setNote(words.later),
    replace: () => dispatch({ type: 'answered', values: { replaceForeign: true } }),
  };
  return (
    <Frame state={state} dispatch={dispatch} question={question} keys={chooseKeys}>
      <Prose>{words.foreignLive(visible(gained(state, 'found')?.live.url ?? ''))}</Prose>
      <Select
        choices={choices}
        rows={Math.max(1, Math.min(3, useRoom(question, chooseKeys) - 3))}
        onSelect={(value) => act[value]()}
        onCancel={() => dispatch({ type: 'went-back' })}
      />
      {note !== '' && <Text dimColor>{note}</Text>}
    </Frame>
  );
}
