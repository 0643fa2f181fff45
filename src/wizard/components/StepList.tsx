import { Box, Static, Text, useIsScreenReaderEnabled } from 'ink';
import { visible } from '../../masking.ts';
import { Prose } from './Prose.tsx';
import { useFrame } from './spinner.ts';

export interface ListedStep {
  readonly id: string;
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  /** `Token created`, `Script uploading …` */
  readonly what: string;
  /** `abcdef.****************, never expires` */
  readonly detail?: string;
  /** How long it took; shown when it is finished. */
  readonly seconds?: number;
}

export interface StepListProps {
  /** In the order in which they run: those that are done or failed come first and never change again. */
  readonly steps: readonly ListedStep[];
}

const signs = { waiting: '·', done: '✔', failed: '✘' } as const;
const colours = { waiting: 'gray', running: 'cyan', done: 'green', failed: 'red' } as const;

/** Steps with their state; finished ones are printed once, above all that is redrawn, and stay in the scrollback. */
export function StepList({ steps }: StepListProps) {
  const unfinished = steps.findIndex(({ state }) => state === 'waiting' || state === 'running');
  const finished = unfinished < 0 ? steps : steps.slice(0, unfinished);
  return (
    <Box flexDirection="column">
      <Static items={[...finished]}>{(step) => <StepLine key={step.id} step={step} />}</Static>
      {steps.slice(finished.length).map((step) => (
        <StepLine key={step.id} step={step} />
      ))}
    </Box>
  );
}

export function StepLine({ step: { state, what, detail, seconds } }: { readonly step: ListedStep }) {
  const spoken = useIsScreenReaderEnabled();
  const frame = useFrame(state === 'running' && !spoken);
  const took = seconds === undefined ? '' : `, ${seconds.toFixed(1)} s`;
  const rest = `${detail === undefined ? '' : `  ${visible(detail)}`}${took}`;
  if (spoken) return <Text>{`${state}: ${visible(what)}${rest}`}</Text>;
  return (
    <Prose>
      <Text color={colours[state]}>{state === 'running' ? frame : signs[state]}</Text> {visible(what)}
      <Text dimColor>{rest}</Text>
    </Prose>
  );
}
