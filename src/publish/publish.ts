/** A whole publication: read, plan, and, if allowed, apply. */
import type { Cluster } from '../cluster/connect.ts';
import { drawToken, readToken } from '../cluster/token.ts';
import type { BootstrapToken } from '../cluster/types.ts';
import { Failure } from '../errors.ts';
import type { Answers } from '../questions.ts';
import { apply, type Publication } from './apply.ts';
import { orAbort } from './interrupt.ts';
import { makePlan, type Prepared } from './plan.ts';
import { type Survey, survey } from './survey.ts';
import type { Plan, Progress, Surroundings } from './types.ts';

export interface Outcome {
  readonly plan: Plan;
  /** Undefined when nothing was to be changed, or nothing may be. */
  readonly publication: Publication | undefined;
}

/** So often an id that is taken is drawn again: one in two billion is, so twice in a row is no chance. */
const draws = 3;

/** What has been done before, so that it is not done again. */
export interface Start {
  /** The cluster of the answers, logged in to. */
  readonly connected?: Cluster;
  /** Drawn for an earlier plan: with it the plan is the same, if nothing has changed since. */
  readonly candidate?: BootstrapToken | undefined;
}

/**
 * @param review Shown the plan before anything is written; what it throws ends the run.
 * @throws Failure
 */
export async function publish(
  answers: Answers,
  around: Surroundings,
  progress: Progress,
  review: (plan: Plan) => void,
  start: Start = {},
): Promise<Outcome> {
  for (let draw = 1; ; draw += 1) {
    const { seen, prepared } = await orAbort(prepare(answers, around, start), around.signal);
    review(prepared.plan);
    if (!prepared.plan.changes) {
      await around.saveScript?.(seen.live.text ?? prepared.script.text);
      return { plan: prepared.plan, publication: undefined };
    }
    if (!around.mayWrite) return { plan: prepared.plan, publication: undefined };
    try {
      return { plan: prepared.plan, publication: await apply(prepared, seen, answers, around, progress) };
    } catch (error) {
      const taken = error instanceof Failure && error.code === 'TokenIdTaken';
      if (!taken || draw === draws) throw error;
    }
  }
}

/** Reads everything and makes the plan. @throws Failure */
export async function prepare(
  answers: Answers,
  around: Surroundings,
  { connected, candidate }: Start = {},
): Promise<{ seen: Survey; prepared: Prepared }> {
  const seen = await survey(answers, around, connected);
  return { seen, prepared: await makePlan(seen, answers, await freeToken(seen, candidate), around) };
}

/** A candidate whose id no Secret has; who brings a credential may not be allowed to look, and needs none. */
async function freeToken({ cluster, own }: Survey, first: BootstrapToken = drawToken()): Promise<BootstrapToken> {
  if (own) return first;
  let token = first;
  for (let draw = 1; ; draw += 1) {
    if (draw === draws || !(await readToken(cluster, token.id))) return token;
    token = drawToken();
  }
}
