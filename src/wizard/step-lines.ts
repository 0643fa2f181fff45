/** Steps of a publication as a list shows them. Pure. */
import { masked } from '../masking.ts';
import type { Step } from '../publish/types.ts';
import type { ListedStep } from './components/StepList.tsx';
import { gained } from './flow.ts';
import type { State, StepLine } from './model.ts';
import * as words from './words.ts';

/** What has ended in any attempt, oldest first: it only ever grows. */
export const endedSteps = ({ log }: State): readonly ListedStep[] =>
  log.map((step, index) => ({ ...lineOf(step), id: `${index} ${step.id}` }));

/** What runs now, and what is still to come. */
export function openSteps(state: State): readonly ListedStep[] {
  if (state.steps.length === 0) return [];
  const begun = state.steps.map(({ id }) => id);
  const planned = gained(state, 'review')?.plan.steps ?? [];
  const last = planned.findLastIndex(({ id }) => begun.includes(id));
  const running = state.steps.filter((step) => step.state === 'running').map(lineOf);
  const coming = planned
    .slice(last + 1)
    .filter(runs)
    .map(
      ({ id, what }): ListedStep => ({ id, state: 'waiting', what: words.steps[id].coming, detail: detailOf(what) }),
    );
  return [...running, ...coming];
}

/** A policy or a URL that stays as it is takes no step. */
const runs = ({ id, action }: Step): boolean => action !== 'keep' || (id !== 'policy' && id !== 'switch');

const lineOf = ({ id, what, state, took }: StepLine): ListedStep => ({
  id,
  state,
  what: state === 'running' ? `${words.steps[id].running} …` : words.steps[id][state],
  detail: detailOf(what),
  ...(took !== undefined && { seconds: took / 1000 }),
});

/** A token is known by its id, not by the name of its Secret. */
const detailOf = (what: string): string =>
  what.replace(/^Secret kube-system\/bootstrap-token-([a-z0-9]{6})/, (_, id: string) => masked(id));
