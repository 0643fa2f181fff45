import { useState } from 'react';
import { whyInvalid } from '../../answers.ts';
import { Prose } from '../components/Prose.tsx';
import { Select } from '../components/Select.tsx';
import { TextField } from '../components/TextField.tsx';
import { gained } from '../flow.ts';
import * as words from '../words.ts';
import { Frame, filterKeys, type ScreenProps, typeKeys, useRoom } from './frame.tsx';

export function Vpc(props: ScreenProps) {
  const { vpcIds: ids = [], readers = [] } = gained(props.state, 'access') ?? {};
  const [typing, setTyping] = useState(ids.length === 0);
  if (typing) return <TypedVpc {...props} />;
  return <ListedVpcs {...props} ids={ids} readers={readers} type={() => setTyping(true)} />;
}

interface ListedProps extends ScreenProps {
  readonly ids: readonly string[];
  readonly readers: readonly string[];
  readonly type: () => void;
}

function ListedVpcs({ state, dispatch, ids, readers, type }: ListedProps) {
  const { question } = words.screens.vpc;
  const choices = [
    ...ids.map((id) => ({
      value: id as string | undefined,
      label: id,
      detail: readers.includes(id) ? words.readsAlready : words.inPolicy,
    })),
    { value: undefined, label: words.choices.typed },
  ];
  return (
    <Frame state={state} dispatch={dispatch} question={question} keys={filterKeys}>
      <Select
        choices={choices}
        initial={Math.max(0, ids.indexOf(state.resolved.answers.vpcId ?? readers.at(-1) ?? ''))}
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
    <Frame state={state} dispatch={dispatch} question={question} keys={typeKeys}>
      <Prose dimColor>{help.join(' ')}</Prose>
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
