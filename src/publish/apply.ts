/**
 * The effects, in the order of DESIGN.md section 7: each verified before the next, the switch last, so that whatever
 * happens before it leaves the old script live and whole.
 */
import type { TokenProof } from '../cluster/types.ts';
import { createOriginal } from '../cluster/write/original.ts';
import { Failure } from '../errors.ts';
import type { Answers } from '../questions.ts';
import { cleanUp, takeBack, type Undo } from './clean-up.ts';
import { makeToken, proveUse, switchOver, upload, writePolicy } from './effects.ts';
import { Ledger, type States } from './ledger.ts';
import type { Prepared } from './plan.ts';
import type { Survey } from './survey.ts';
import type { Progress, StepId, Surroundings } from './types.ts';

export interface Publication {
  /** `prepared`: the token exists, and --script-url does not give its script yet. */
  readonly state: 'live' | 'prepared';
  /** Undefined for the user's own join command. */
  readonly proof: TokenProof | undefined;
}

/** @throws Failure of the step that failed; its causes say what was taken back and what stands */
export async function apply(
  { plan, script, token, policy }: Prepared,
  survey: Survey,
  answers: Answers,
  around: Surroundings,
  progress: Progress,
): Promise<Publication> {
  const { cluster, destination } = survey;
  const ledger = new Ledger(cluster, survey.history, survey.historyVersion, around);
  const undo: Undo[] = [];
  const told = async <T>(id: StepId, run: () => Promise<T>): Promise<T> => {
    const what = plan.steps.find((planned) => planned.id === id)?.what ?? id;
    progress.started(id, what);
    try {
      const result = await run();
      progress.done(id, what);
      return result;
    } catch (error) {
      progress.failed(id, what);
      throw error;
    }
  };

  const step = async <T>(id: StepId, run: () => Promise<T>): Promise<T> => {
    around.signal.throwIfAborted();
    return told(id, run);
  };

  const entry = await step('history', () =>
    ledger.begin(
      { url: plan.url, key: plan.object?.key, digest: plan.script.digest, tokenId: plan.tokenId },
      survey.live,
    ),
  );
  let { proof }: { proof: TokenProof | undefined } = survey.admission;
  let resolved: States;
  try {
    const { url, text } = survey.live;
    if (text !== undefined && ledger.original?.url === url) await createOriginal(cluster, text);
    resolved = await cleanUp(ledger.abandoned, survey, entry);

    if (token) {
      proof = await step('token', async () => {
        if (token !== survey.reusable?.token) await makeToken(survey, token, answers, around, undo);
        return proveUse(survey, token, around);
      });
    }
    await around.saveScript?.(script.text);

    if (destination.kind === 'oss') {
      const { store } = destination;
      if (policy) await step('policy', () => writePolicy(store, policy));
      await step('upload', () => upload(store, plan.object!.key, Buffer.from(script.text), entry, answers, undo));
    } else if (!plan.served) {
      await ledger.prepare(entry, resolved);
      return { state: 'prepared', proof };
    }

    await step('switch', async () => {
      await ledger.confirm();
      await switchOver(survey, plan.url);
    });
  } catch (error) {
    // Whether the new script is live is not known then, so all that it needs must stay.
    if (error instanceof Failure && error.code === 'SwitchedButUnverified') throw error;
    throw await takeBack(error, entry, undo, ledger);
  }

  // The new script is live: from here on nothing is taken back, and a signal comes too late.
  await told('complete', () => ledger.complete(entry, resolved)).catch((error: unknown) => {
    throw new Failure('SwitchedButUnrecorded', `${plan.url} is live, and the history could not be completed`, {
      causes: error instanceof Failure ? [error.message] : [],
      cause: error,
    });
  });
  return { state: 'live', proof };
}
