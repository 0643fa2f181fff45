import { useKeys } from '../components/keyboard.tsx';
import { Waiting } from '../components/Waiting.tsx';
import type { WorkName } from '../model.ts';
import * as words from '../words.ts';
import { Frame, type ScreenProps } from './frame.tsx';

interface WaitProps extends ScreenProps {
  readonly work: WorkName;
  /** Of what is asked. */
  readonly name: string;
}

const keys = [{ key: 'esc', does: 'cancel' }];

/** What is waited for, and since when. Esc goes back, and what is not wanted any more ends; at the first question it is cancelled. */
export function Wait({ state, dispatch, since, cancel, work, name }: WaitProps) {
  useKeys((key) => {
    if (key.name !== 'escape') return;
    if (state.trail.length === 0) cancel();
    else dispatch({ type: 'went-back' });
  });
  return (
    <Frame state={state} dispatch={dispatch} question="" keys={keys}>
      <Waiting what={words.waitingFor[work](name)} since={since(work) ?? Date.now()} />
    </Frame>
  );
}
