import { Text } from 'ink';
import { useState } from 'react';
import { whyInvalid } from '../../answers.ts';
import { Select } from '../components/Select.tsx';
import { TextField } from '../components/TextField.tsx';
import { gained } from '../flow.ts';
import * as words from '../words.ts';
import { Frame, filterKeys, type ScreenProps, typeKeys, useHelpKey, useRoom } from './frame.tsx';

export function Vpc(props: ScreenProps) {
  const ids = gained(props.state, 'access')?.vpcIds ?? [];
  const [typing, setTyping] = useState(ids.length === 0);
  return typing ? <TypedVpc {...props} /> : <ListedVpcs {...props} ids={ids} type={() => setTyping(true)} />;
}

interface ListedProps extends ScreenProps {
  readonly ids: readonly string[];
  readonly type: () => void;
}

function ListedVpcs({ state, dispatch, ids, type }: ListedProps) {
  useHelpKey(dispatch);
  const { question } = words.screens.vpc;
  const choices = [
    ...ids.map((id) => ({ value: id as string | undefined, label: id, detail: words.inPolicy })),
    { value: undefined, label: words.choices.typed },
  ];
  return (
    <Frame state={state} question={question} keys={filterKeys}>
      <Select
        choices={choices}
        initial={Math.max(0, ids.indexOf(state.resolved.answers.vpcId ?? ''))}
        filter
        rows={useRoom(question, filterKeys)}
        onSelect={(id) => (id === undefined ? type() : dispatch({ type: 'answered', values: { vpcId: id } }))}
        onCancel={() => dispatch({ type: 'went-back' })}
      />
    </Frame>
  );
}

function TypedVpc({ state, dispatch }: ScreenProps) {
  const { question, help } = words.screens.vpc;
  const [error, setError] = useState<string>();
  return (
    <Frame state={state} question={question} keys={typeKeys}>
      <Text dimColor>{help.join(' ')}</Text>
      <TextField
        initial={state.resolved.answers.vpcId ?? ''}
        placeholder="vpc-…"
        {...(error !== undefined && { error })}
        onSubmit={(value) => {
          const wrong = whyInvalid('vpcId', value);
          setError(wrong);
          if (wrong === undefined) dispatch({ type: 'answered', values: { vpcId: value.trim() } });
        }}
        onCancel={() => dispatch({ type: 'went-back' })}
      />
    </Frame>
  );
}
