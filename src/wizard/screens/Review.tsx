import { Text } from 'ink';
import type { Plan } from '../../publish/types.ts';
import { rows as questionRows } from '../../questions.ts';
import { useKeys, useTypeAheadDropped } from '../components/keyboard.tsx';
import { Notice } from '../components/Notice.tsx';
import { cut } from '../components/width.ts';
import { useWindow } from '../components/window.tsx';
import { gained, troubleWith } from '../flow.ts';
import { shown } from '../found-rows.ts';
import type { State } from '../model.ts';
import * as words from '../words.ts';
import { chooseKeys, Frame, type ScreenProps, useRoom } from './frame.tsx';
import { TroubleMenu, TroubleNotice } from './Trouble.tsx';
import { Wait } from './Wait.tsx';

export function ReviewScreen(props: ScreenProps) {
  const { state } = props;
  const failure = troubleWith(state, 'review');
  const review = gained(state, 'review');
  if (failure) return <Refused {...props} />;
  return review ? <PlanView {...props} plan={review.plan} /> : <Wait {...props} work="review" name="" />;
}

function Refused(props: ScreenProps) {
  const trouble = troubleWith(props.state, 'review')!;
  const room = useRoom(words.whatNow, chooseKeys);
  const menu = Math.min(6, Math.max(2, room - 4));
  return (
    <Frame state={props.state} dispatch={props.dispatch} question="" keys={chooseKeys}>
      <TroubleNotice trouble={trouble} room={room - menu} />
      <Text bold>{words.whatNow}</Text>
      <TroubleMenu {...props} trouble={trouble} room={menu} />
    </Frame>
  );
}

const signs = { create: '+', update: '~', keep: ' ' } as const;
const colours = { create: 'green', update: 'yellow', keep: 'gray' } as const;

function PlanView({ state, dispatch, plan }: ScreenProps & { readonly plan: Plan }) {
  const { columns } = useWindow();
  // What was typed before this could be read is no consent to it.
  const ready = useTypeAheadDropped();
  const keys = [
    { key: 'enter', does: !ready ? '…' : plan.changes ? 'publish' : 'end' },
    { key: 's', does: 'script' },
    { key: 'd', does: 'diff' },
    { key: 'e', does: 'change an answer' },
    { key: 'v', does: 'all' },
    { key: 'esc', does: 'back' },
  ];
  const mustConfirm = state.resolved.answers.access === 'public-read' && state.confirmed !== plan.object?.bucket;
  useKeys(({ name }) => {
    if (name === 'enter' && ready) {
      if (mustConfirm && plan.changes) dispatch({ type: 'went', to: { screen: 'confirm' } });
      else dispatch({ type: 'consented' });
    }
    if (name === 's') dispatch({ type: 'opened', overlay: 'script' });
    if (name === 'd') dispatch({ type: 'opened', overlay: 'diff' });
    if (name === 'e') dispatch({ type: 'went', to: { screen: 'change' } });
    if (name === 'v') dispatch({ type: 'opened', overlay: 'plan' });
    if (name === 'escape') dispatch({ type: 'went-back' });
  });
  const question = plan.changes ? words.screens.review.question : words.noChanges;
  const room = useRoom(question, keys);
  const warnings = shown(plan.findings, state.given).filter(({ severity }) => severity === 'warning');
  const lines = [
    ...plan.steps.map((step) => ({ text: `${signs[step.action]} ${step.what}`, colour: colours[step.action] })),
    { text: words.readBy(plan.url).replace(/…$/, ''), colour: undefined },
    { text: words.readable(plan.readability), colour: undefined },
    { text: extras(state), colour: 'gray' },
  ];
  const own = lines.slice(0, Math.max(1, room - (state.planChanged ? 1 : 0) - Math.min(warnings.length, 2)));
  const left = room - own.length - (state.planChanged ? 1 : 0);
  return (
    <Frame state={state} dispatch={dispatch} question={question} keys={keys}>
      {state.planChanged && <Notice tone="warning" what={words.planChanged} />}
      {own.map(({ text, colour }) => (
        <Text key={text} {...(colour !== undefined && { color: colour })}>
          {cut(text, columns)}
        </Text>
      ))}
      {warnings.slice(0, Math.max(0, left)).map(({ what }) => (
        <Text key={what} color="yellow">
          {cut(`! ${words.capital(what)}`, columns)}
        </Text>
      ))}
    </Frame>
  );
}

/** What is done on each host beside the join, with its defaults: `firewall disable, selinux disabled, …` */
function extras({ resolved }: State): string {
  const host = questionRows.filter(([, { group, prompt }]) => group === 'Host' && prompt === 'select');
  return `On each node: ${host.map(([key]) => `${key} ${String(resolved.answers[key])}`).join(', ')}`;
}
