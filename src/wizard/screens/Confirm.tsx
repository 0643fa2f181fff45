import { useState } from 'react';
import { TextField } from '../components/TextField.tsx';
import * as words from '../words.ts';
import { Frame, type ScreenProps, typeKeys } from './frame.tsx';

/** What is hard to take back asks for its name. */
export function Confirm({ state, dispatch }: ScreenProps) {
  const [error, setError] = useState<string>();
  const { bucket } = state.resolved.answers;
  return (
    <Frame state={state} dispatch={dispatch} question={words.screens.confirm.question} keys={typeKeys}>
      <TextField
        placeholder="bucket"
        {...(error !== undefined && { error })}
        onSubmit={(name) => {
          if (name.trim() === bucket) dispatch({ type: 'confirmed', name: bucket });
          else setError(words.otherName(bucket ?? ''));
        }}
        onCancel={() => dispatch({ type: 'went-back' })}
      />
    </Frame>
  );
}
