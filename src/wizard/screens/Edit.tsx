/** One answer by itself. */

import { Text } from 'ink';
import { useState } from 'react';
import { whyInvalid } from '../../answers.ts';
import { choicesOf, flagOf, type Key, type Question, questions } from '../../questions.ts';
import { answerText, secretAnswers } from '../answer-text.ts';
import { Prose } from '../components/Prose.tsx';
import { type Choice, Select } from '../components/Select.tsx';
import { TextField } from '../components/TextField.tsx';
import * as words from '../words.ts';
import { chooseKeys, Frame, type ScreenProps, typeKeys, useRoom } from './frame.tsx';

export function Edit({ state, ...rest }: ScreenProps) {
  const { key = 'bucket' } = state.at;
  const row: Question = questions[key];
  const values = row.prompt === 'confirm' ? ['true', 'false'] : choicesOf(row);
  const invalid = state.resolved.invalid.find((wrong) => wrong.key === key);
  const error = invalid && `${invalid.name} ${invalid.why}`;
  const given = { state, ...rest, answer: key, error };
  return values ? <Chosen {...given} values={values} /> : <Typed {...given} />;
}

interface EditProps extends ScreenProps {
  readonly answer: Key;
  /** Why what was given on the command line or in a file will not do. */
  readonly error: string | undefined;
}

function Chosen({ state, dispatch, answer, error, values }: EditProps & { readonly values: readonly string[] }) {
  const question = words.questionOf(answer);
  const room = useRoom(question, chooseKeys);
  const choices: readonly Choice<string>[] = values.map((value) => ({ value, label: value }));
  return (
    <Frame state={state} dispatch={dispatch} question={question} keys={chooseKeys}>
      <Text dimColor>{flagOf(answer)}</Text>
      {error !== undefined && <Prose color="red">{error}</Prose>}
      <Select
        choices={choices}
        initial={Math.max(0, values.indexOf(String(state.resolved.answers[answer])))}
        rows={Math.max(1, Math.min(values.length, room - 2))}
        onSelect={(value) => dispatch({ type: 'answered', values: { [answer]: value } })}
        onCancel={() => dispatch({ type: 'went-back' })}
      />
    </Frame>
  );
}

function Typed({ state, dispatch, answer, error }: EditProps) {
  const question = words.questionOf(answer);
  const { hint, required }: Question = questions[answer];
  const invalid = state.resolved.invalid.find(({ key }) => key === answer);
  const [wrong, setWrong] = useState(error);
  return (
    <Frame state={state} dispatch={dispatch} question={question} keys={typeKeys}>
      <Prose dimColor>{required ? flagOf(answer) : words.emptyIsDefault(flagOf(answer))}</Prose>
      <TextField
        initial={
          secretAnswers.has(answer) ? '' : invalid ? String(invalid.value) : answerText(state.resolved.answers, answer)
        }
        placeholder={hint ?? 'value'}
        secret={secretAnswers.has(answer)}
        {...(wrong !== undefined && { error: wrong })}
        onSubmit={(value) => {
          const text = value.trim();
          const empty = text === '' && !required;
          const why = empty ? undefined : whyInvalid(answer, text);
          setWrong(why);
          if (why === undefined) dispatch({ type: 'answered', values: { [answer]: empty ? undefined : text } });
        }}
        onCancel={() => dispatch({ type: 'went-back' })}
      />
    </Frame>
  );
}
