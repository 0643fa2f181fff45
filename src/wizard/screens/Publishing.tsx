import { Text } from 'ink';
import { useState } from 'react';
import { useKeys } from '../components/keyboard.tsx';
import { StepLine } from '../components/StepList.tsx';
import { Waiting } from '../components/Waiting.tsx';
import { openSteps } from '../step-lines.ts';
import * as words from '../words.ts';
import { Frame, type ScreenProps } from './frame.tsx';

const keys = [{ key: 'esc', does: 'cancel: what was made is taken back' }];

/** What runs and what is to come; what has ended stands above, for good. */
export function Publishing({ state, dispatch, since, cancel }: ScreenProps) {
  const [cancelling, setCancelling] = useState(false);
  useKeys(({ name }) => {
    if (name !== 'escape') return;
    setCancelling(true);
    cancel();
  });
  const begun = since('publication') ?? Date.now();
  return (
    <Frame state={state} dispatch={dispatch} question={words.screens.publishing.question} keys={cancelling ? [] : keys}>
      {state.steps.length === 0 && <Waiting what={words.lookAgain} since={begun} />}
      {openSteps(state).map((step) => (
        <StepLine key={step.id} step={step} />
      ))}
      {cancelling && <Text>{words.takingBack}</Text>}
    </Frame>
  );
}
