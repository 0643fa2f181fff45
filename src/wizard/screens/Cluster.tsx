import { useEffect, useRef } from 'react';
import { Failure } from '../../errors.ts';
import { visible } from '../../masking.ts';
import { Prose } from '../components/Prose.tsx';
import { Select } from '../components/Select.tsx';
import { useWindow } from '../components/window.tsx';
import { contextsOf, gained, troubleWith } from '../flow.ts';
import type { State } from '../model.ts';
import * as words from '../words.ts';
import { Frame, filterKeys, type ScreenProps, useRoom } from './frame.tsx';
import { whatOf } from './Trouble.tsx';

/** Who goes through a long list looks at none of it for so long. */
const restMs = 250;

export function Cluster({ state, dispatch }: ScreenProps) {
  const { columns } = useWindow();
  const { question } = words.screens.cluster;
  const names = contextsOf(state);
  const { context } = state.resolved.answers;
  const first = Math.max(0, names.indexOf(state.highlighted ?? context ?? ''));
  const timer = useRef<NodeJS.Timeout>(undefined);
  const look = (name: string | undefined, ms: number) => {
    clearTimeout(timer.current);
    if (name === undefined) return;
    timer.current = setTimeout(() => dispatch({ type: 'highlighted', context: name }), ms);
  };
  // At first only the list knows where the cursor is.
  const current = names[first];
  useEffect(() => {
    if (state.highlighted === undefined && current !== undefined) dispatch({ type: 'highlighted', context: current });
  }, [state.highlighted, current, dispatch]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const lines = preflight(state).map(visible);
  const height = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / (columns - 4))), 0);
  return (
    <Frame state={state} dispatch={dispatch} question={question} keys={filterKeys}>
      <Select
        choices={names.map((name) => ({ value: name, label: name, ...(name === context && { detail: 'current' }) }))}
        initial={first}
        filter
        rows={Math.max(2, useRoom(question, filterKeys) - height)}
        onSelect={(name) => dispatch({ type: 'answered', values: { context: name } })}
        onHighlight={(name) => look(name, restMs)}
        onCancel={() => dispatch({ type: 'went-back' })}
      />
      {lines.map((line) => (
        <Prose key={line} dimColor>
          {line}
        </Prose>
      ))}
    </Frame>
  );
}

/** What is known of the cluster under the cursor, in two lines. */
function preflight(state: State): readonly string[] {
  const name = state.highlighted ?? '';
  const failure = troubleWith(state, 'found');
  if (failure) {
    const [next = ''] = failure instanceof Failure ? failure.next : [];
    return [`${name}: ${whatOf(failure)}`, next === '' ? '' : `Next: ${next}`];
  }
  const found = gained(state, 'found');
  if (!found) return [`${name}: being looked at …`, ''];
  return [
    `${name}: ${words.preflightDone}`,
    `Kubernetes ${found.facts.serverVersion.value}, ${found.facts.kubeconfigServer}`,
  ];
}
