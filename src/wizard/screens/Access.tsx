import { useState } from 'react';
import type { AccessChoices } from '../../publish/access-choices.ts';
import { Notice } from '../components/Notice.tsx';
import { Prose } from '../components/Prose.tsx';
import { type Choice, Select } from '../components/Select.tsx';
import { useWindow } from '../components/window.tsx';
import { gained } from '../flow.ts';
import type { Given } from '../model.ts';
import * as words from '../words.ts';
import { chooseKeys, Frame, type ScreenProps, useRoom } from './frame.tsx';
import { Wait } from './Wait.tsx';

export function Access(props: ScreenProps) {
  const { state, dispatch } = props;
  const { columns } = useWindow();
  const { question } = words.screens.access;
  const room = useRoom(question, chooseKeys);
  const [refusal, setRefusal] = useState<string>();
  const found = gained(state, 'access');
  const { answers } = state.resolved;
  if (!found) return <Wait {...props} work="access" name={answers.bucket ?? ''} />;
  const choices: readonly Choice<Given | string>[] = [
    {
      value: { access: 'vpc', ...(found.vpc && found.vpc.id !== answers.vpcId && { vpcId: found.vpc.id }) },
      label: words.choices.onlyVpc,
      detail: vpcDetail(found),
    },
    {
      value: found.asItIs.answer === 'no' ? words.cannotRead(found.asItIs.why) : { access: 'private' },
      label: words.choices.asItIs,
      detail: words.readable(found.asItIs),
    },
  ];
  const [danger = ''] = words.screens.access.help;
  const intro = [danger, words.uploadedBy(found.uploadUrl), words.readBy(found.nodeUrl)];
  const fits = intro.reduce((lines, text) => lines + Math.ceil(text.length / columns), 0) + 4 <= room;
  return (
    <Frame state={state} dispatch={dispatch} question={question} keys={chooseKeys}>
      {fits && intro.map((line) => <Prose key={line}>{line}</Prose>)}
      <Select
        choices={choices}
        rows={2}
        onSelect={(chosen) =>
          typeof chosen === 'string' ? setRefusal(chosen) : dispatch({ type: 'answered', values: chosen })
        }
        onCancel={() => dispatch({ type: 'went-back' })}
      />
      {refusal !== undefined && <Notice tone="problem" what={refusal} />}
    </Frame>
  );
}

function vpcDetail({ vpc, statement, vpcIds }: AccessChoices): string {
  if (!vpc) return vpcIds.length > 0 ? words.vpcChosenNext : words.vpcTypedNext;
  return statement ? words.statementMissing(vpc.id) : `${vpc.id}, ${words.readable(vpc.readability)}`;
}
