import { withoutSecrets } from '../../masking.ts';
import { flagOf, type Key, rows } from '../../questions.ts';
import { answerText, secretAnswers } from '../answer-text.ts';
import { type Choice, Select } from '../components/Select.tsx';
import { placeOf } from '../place-of.ts';
import * as words from '../words.ts';
import { Frame, filterKeys, type ScreenProps, useRoom } from './frame.tsx';

/** Every answer with its value, to choose one. */
export function Change({ state, dispatch }: ScreenProps) {
  const { question } = words.screens.change;
  const choices: readonly Choice<Key>[] = rows
    .filter(([, row]) => row.for.includes('init'))
    .map(([key, { help }]) => {
      const value = secretAnswers.has(key) ? '' : withoutSecrets(answerText(state.resolved.answers, key));
      return { value: key, label: flagOf(key).slice(2), detail: value === '' ? help : `${value}  ${help}` };
    });
  return (
    <Frame state={state} dispatch={dispatch} question={question} keys={filterKeys}>
      <Select
        choices={choices}
        filter
        rows={useRoom(question, filterKeys)}
        onSelect={(key) => dispatch({ type: 'went', to: placeOf(key) })}
        onCancel={() => dispatch({ type: 'went-back' })}
      />
    </Frame>
  );
}
