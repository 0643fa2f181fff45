/** Holds the state, and has done what it wants: one piece of work of a kind at a time, ended when it is not wanted any more. */
import { Failure, Interrupted } from '../errors.ts';
import type { Progress, StepId } from '../publish/types.ts';
import type { Engine } from './engine.ts';
import { answersFor, gained, keyOf, wanted } from './flow.ts';
import { type Event, reduce, type State, type Trouble, type WorkEvent, type WorkName } from './model.ts';

export interface Session {
  readonly state: () => State;
  readonly dispatch: (event: Event) => void;
  readonly subscribe: (listener: () => void) => () => void;
  /** Date.now() when this began; undefined when it is not under way. */
  readonly since: (work: WorkName | 'publication') => number | undefined;
  /** Ends what is under way: a piece of work at once, a publication after it has been taken back. */
  readonly cancel: () => void;
  /** Ends everything. @returns when nothing is under way any more */
  readonly close: (reason: Error) => Promise<void>;
  /** Nothing is drawn any more. */
  readonly isOver: () => boolean;
  readonly finish: () => void;
}

interface Running {
  readonly key: string;
  readonly since: number;
  readonly stop: AbortController;
}

/** Why work that is not wanted any more ends; nobody sees it. */
class NotWanted extends Error {}

export function createSession(initial: State, engine: Engine, now: () => number = () => performance.now()): Session {
  let state = initial;
  const listeners = new Set<() => void>();
  const running = new Map<WorkName, Running>();
  let publication: (Pick<Running, 'since' | 'stop'> & { readonly ended: Promise<void> }) | undefined;
  let closed = false;
  let over = false;
  const tell = () => {
    for (const listener of listeners) listener();
  };

  const dispatch = (event: Event) => {
    const before = state;
    state = reduce(state, event);
    if (Object.keys(state.results).length < Object.keys(before.results).length) engine.forget();
    if (!closed) {
      tend();
      if (state.attempt > before.attempt) publish();
    }
    tell();
  };

  /** Starts what is wanted and stops what is not. */
  const tend = () => {
    const names = wanted(state);
    for (const [work, { key, stop }] of running) {
      if (names.includes(work) && key === keyOf(state, work)) continue;
      running.delete(work);
      stop.abort(new NotWanted());
    }
    for (const work of names) if (!running.has(work)) start(work);
  };

  const start = (work: WorkName) => {
    const key = keyOf(state, work);
    const answers = answersFor(state, work);
    const stop = new AbortController();
    const entry: Running = { key, stop, since: Date.now() };
    running.set(work, entry);
    const doIt = {
      found: () => engine.found(answers, state.at.screen !== 'cluster', stop.signal),
      buckets: () => engine.buckets(answers, stop.signal),
      access: () => engine.access(answers, stop.signal),
      review: () => engine.review(answers, stop.signal),
    }[work];
    const done = (outcome: { value: unknown } | { failure: Trouble }) => {
      if (running.get(work) !== entry) return;
      running.delete(work);
      dispatch({ type: 'worked', work, result: { key, ...outcome } } as WorkEvent);
    };
    void doIt().then(
      (value) => done({ value }),
      (error: unknown) => done({ failure: asTrouble(error) }),
    );
  };

  const publish = () => {
    const review = gained(state, 'review');
    if (!review) return;
    const stop = new AbortController();
    const { resolved, confirmed } = state;
    const ended = engine.publish(review, resolved.answers, confirmed, progress(dispatch, now), stop.signal).then(
      (published) =>
        dispatch(
          published.kind === 'changed'
            ? { type: 'plan-changed', review: published.review }
            : { type: 'published', plan: published.plan, publication: published.publication },
        ),
      (error: unknown) => dispatch({ type: 'publishing-failed', failure: asTrouble(error) }),
    );
    publication = { since: Date.now(), stop, ended };
    void ended.then(() => {
      publication = undefined;
    });
  };

  const stopWork = (reason: Error) => {
    for (const { stop } of running.values()) stop.abort(reason);
    publication?.stop.abort(reason);
  };

  tend();
  return {
    state: () => state,
    dispatch,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    since: (work) => (work === 'publication' ? publication?.since : running.get(work)?.since),
    cancel: () => stopWork(new Interrupted(130)),
    async close(reason) {
      closed = true;
      stopWork(reason);
      await publication?.ended;
    },
    isOver: () => over,
    finish() {
      over = true;
      tell();
    },
  };
}

function progress(dispatch: (event: Event) => void, now: () => number): Progress {
  const started = new Map<StepId, number>();
  const ended = (state: 'done' | 'failed') => (id: StepId, what: string) => {
    const begun = started.get(id) ?? now();
    dispatch({ type: 'stepped', step: { id, what, state, started: begun, took: now() - begun } });
  };
  return {
    started(id, what) {
      started.set(id, now());
      dispatch({ type: 'stepped', step: { id, what, state: 'running', started: now(), took: undefined } });
    },
    done: ended('done'),
    failed: ended('failed'),
  };
}

/** What a screen can show. */
const asTrouble = (error: unknown): Trouble =>
  error instanceof Failure || error instanceof Interrupted
    ? error
    : new Failure('Bug', `an unexpected ${error instanceof Error ? error.name : 'value'} was thrown`, { cause: error });
