/**
 * What the wizard knows and where it stands. Pure: events in, a new state out; nothing here knows of a screen's looks,
 * of a clock or of another room's work. Which question comes next is flow.ts.
 */
import { type Invalid, type Layers, type Resolved, readAnswers } from '../answers.ts';
import type { Failure, Interrupted } from '../errors.ts';
import type { BucketName } from '../oss/bucket.ts';
import type { Known } from '../oss/types.ts';
import type { AccessChoices } from '../publish/access-choices.ts';
import type { Publication } from '../publish/apply.ts';
import type { Plan, StepId } from '../publish/types.ts';
import type { Key } from '../questions.ts';
import type { Found, Review } from './engine.ts';
import { firstOpen, prerequisites } from './flow.ts';

/** What a user has answered here, by key of the table, as flags would give it. */
export type Given = Readonly<Partial<Record<Key, unknown>>>;

export type ScreenName =
  | 'edit'
  | 'cluster'
  | 'found'
  | 'foreign'
  | 'where'
  | 'access'
  | 'vpc'
  | 'policy'
  | 'unverified'
  | 'review'
  | 'confirm'
  | 'change'
  | 'publishing'
  | 'done'
  | 'failed';

export interface Place {
  readonly screen: ScreenName;
  /** Of the answer that is edited. */
  readonly key?: Key;
}

export type Overlay = 'help' | 'plan' | 'script' | 'diff' | 'role' | 'found';

/** Why something has no result: it failed, or it was cancelled here. */
export type Trouble = Failure | Interrupted;

/** Work that other rooms do, and what it gives. */
export interface Works {
  readonly found: Found;
  readonly buckets: Known<readonly BucketName[]>;
  readonly access: AccessChoices;
  readonly review: Review;
}
export type WorkName = keyof Works;

export type Result<W extends WorkName> = {
  /** What it was made of: another key means that it must be done again. */
  readonly key: string;
} & ({ readonly value: Works[W] } | { readonly failure: Trouble });

export interface StepLine {
  readonly id: StepId;
  readonly what: string;
  readonly state: 'running' | 'done' | 'failed';
  /** Since then, and how long it took; in milliseconds. */
  readonly started: number;
  readonly took: number | undefined;
}

export interface State {
  readonly layers: Layers;
  readonly given: Given;
  /** `given` over the layers. */
  readonly resolved: Resolved & { readonly invalid: readonly Invalid[] };
  /** Screens that were agreed to without an answer of the table, each with what it depended on. */
  readonly agreed: Readonly<Partial<Record<'found' | 'policy', string>>>;
  readonly at: Place;
  /** Where esc leads, the nearest last. */
  readonly trail: readonly Place[];
  readonly overlay: Overlay | undefined;
  /** Context that the cursor is on, while one is chosen. */
  readonly highlighted: string | undefined;
  readonly results: { readonly [W in WorkName]?: Result<W> };
  /** Typed where something is hard to take back. */
  readonly confirmed: string | undefined;
  readonly steps: readonly StepLine[];
  /** Steps that have ended, of all publications. */
  readonly log: readonly StepLine[];
  /** Counts the publications: a new number starts one. */
  readonly attempt: number;
  /** That the plan is another one than the one that was agreed to. */
  readonly planChanged: boolean;
  readonly outcome: { readonly plan: Plan; readonly publication: Publication | undefined } | undefined;
  readonly failure: Trouble | undefined;
}

export type Event =
  /** An answer, or consent to what the screen shows: on to the next open question. */
  | { readonly type: 'answered'; readonly values?: Given; readonly agreed?: 'found' | 'policy' }
  | { readonly type: 'went'; readonly to: Place }
  | { readonly type: 'went-back' }
  | { readonly type: 'opened'; readonly overlay: Overlay }
  | { readonly type: 'closed' }
  | { readonly type: 'highlighted'; readonly context: string }
  | WorkEvent
  | { readonly type: 'tried-again' }
  | { readonly type: 'confirmed'; readonly name: string }
  | { readonly type: 'consented' }
  | { readonly type: 'stepped'; readonly step: StepLine }
  | { readonly type: 'published'; readonly plan: Plan; readonly publication: Publication | undefined }
  | { readonly type: 'plan-changed'; readonly review: Review }
  | { readonly type: 'publishing-failed'; readonly failure: Trouble };

export type WorkEvent = {
  readonly [W in WorkName]: { readonly type: 'worked'; readonly work: W; readonly result: Result<W> };
}[WorkName];

/**
 * What else must be decided anew when an answer changes. What facts decide is not here: it is read anew.
 * A key of the left is answered here; what it takes with it is what was answered here, never a flag.
 */
const dependents: { readonly [K in Key]?: readonly Key[] } = {
  kubeconfig: ['context'],
  context: [
    'kubeVersion',
    'runtime',
    'runtimeVersion',
    'cgroupDriver',
    'criDockerdUrl',
    'apiServerIp',
    'joinCommand',
    'joinCommandFile',
    'replaceForeign',
    'access',
    'manageBucketPolicy',
    'acceptUnverified',
  ],
  bucket: ['region', 'access', 'manageBucketPolicy', 'acceptUnverified'],
  access: ['manageBucketPolicy', 'acceptUnverified'],
  vpcId: ['manageBucketPolicy', 'acceptUnverified'],
  objectPrefix: ['manageBucketPolicy', 'acceptUnverified'],
  objectKey: ['manageBucketPolicy', 'acceptUnverified'],
};

export function initialState(layers: Layers): State {
  const state: State = {
    layers,
    given: {},
    resolved: resolve(layers, {}),
    agreed: {},
    at: { screen: 'cluster' },
    trail: [],
    overlay: undefined,
    highlighted: undefined,
    results: {},
    confirmed: typeof layers.flags.confirm === 'string' ? layers.flags.confirm : undefined,
    steps: [],
    log: [],
    attempt: 0,
    planChanged: false,
    outcome: undefined,
    failure: undefined,
  };
  return { ...state, at: firstOpen(state) };
}

const resolve = (layers: Layers, given: Given) =>
  readAnswers('init', { ...layers, flags: { ...layers.flags, ...given } });

export function reduce(state: State, event: Event): State {
  switch (event.type) {
    case 'answered':
      return answered(state, event);
    case 'went':
      return moved(state, event.to);
    case 'went-back':
      return wentBack(state);
    case 'opened':
      return { ...state, overlay: event.overlay };
    case 'closed':
      return { ...state, overlay: undefined };
    case 'highlighted':
      return { ...state, highlighted: event.context };
    case 'worked':
      return worked(state, event);
    case 'tried-again':
      return triedAgain(state);
    case 'confirmed':
      return moved({ ...state, confirmed: event.name }, { screen: 'review' });
    case 'consented':
      return {
        ...state,
        at: { screen: 'publishing' },
        attempt: state.attempt + 1,
        steps: [],
        failure: undefined,
        planChanged: false,
      };
    case 'stepped':
      return {
        ...state,
        steps: [...state.steps.filter(({ id }) => id !== event.step.id), event.step],
        log: event.step.state === 'running' ? state.log : [...state.log, event.step],
      };
    case 'published': {
      const { plan, publication } = event;
      return { ...state, at: { screen: 'done' }, outcome: { plan, publication } };
    }
    case 'plan-changed': {
      const { review } = state.results;
      return {
        ...state,
        at: { screen: 'review' },
        overlay: undefined,
        planChanged: true,
        results: { ...state.results, ...(review && { review: { key: review.key, value: event.review } }) },
      };
    }
    case 'publishing-failed':
      return { ...state, at: { screen: 'failed' }, overlay: undefined, failure: event.failure };
  }
}

function answered(state: State, { values = {}, agreed }: Extract<Event, { type: 'answered' }>): State {
  const changed = (Object.keys(values) as Key[]).filter((key) => values[key] !== state.resolved.answers[key]);
  const dropped = changed.flatMap((key) => dependents[key] ?? []).filter((key) => !(key in values));
  const kept = Object.entries(state.given).filter(([key]) => !dropped.includes(key as Key));
  const given = { ...Object.fromEntries(kept), ...values };
  const next = { ...state, given, resolved: resolve(state.layers, given) };
  const screen = agreed && { ...next, agreed: { ...next.agreed, [agreed]: prerequisites(next, agreed) } };
  const forward = screen ?? next;
  return moved(forward, firstOpen(forward));
}

/** Screens that esc does not come back to. */
const passing: readonly ScreenName[] = ['change', 'edit', 'confirm', 'publishing', 'failed', 'done'];

function moved(before: State, to: Place): State {
  const { at } = before;
  // A publication that failed may have met another world than the one that was read.
  const state = at.screen === 'failed' ? { ...before, results: {}, failure: undefined } : before;
  const returning = state.trail.findIndex((place) => place.screen === to.screen);
  if (returning >= 0) return { ...state, at: to, trail: state.trail.slice(0, returning), overlay: undefined };
  const side = passing.includes(to.screen);
  const leaves = (!passing.includes(at.screen) || (side && at.screen === 'change')) && at.screen !== to.screen;
  return { ...state, at: to, trail: leaves ? [...state.trail, at] : state.trail, overlay: undefined };
}

function wentBack(state: State): State {
  if (state.overlay) return { ...state, overlay: undefined };
  const to = state.trail.at(-1);
  return to ? { ...state, at: to, trail: state.trail.slice(0, -1) } : state;
}

function worked(state: State, { work, result }: WorkEvent): State {
  const next = { ...state, results: { ...state.results, [work]: result } };
  const { screen } = state.at;
  // A bucket that cannot be used is asked for again, with the reason beside the question.
  if (work === 'access' && 'failure' in result && screen !== 'where' && !passing.includes(screen))
    return moved(next, { screen: 'where' });
  // What was only waited for is not asked again; who came back to look at it stays.
  const waited = firstOpen(state).screen === screen && firstOpen(next).screen !== screen;
  return waited && screen !== 'where' ? moved(next, firstOpen(next)) : next;
}

/** What failed is done again. */
function triedAgain(state: State): State {
  const results = Object.fromEntries(
    Object.entries(state.results).filter(([, result]) => 'value' in result),
  ) as State['results'];
  const next = { ...state, results };
  return state.at.screen === 'failed' ? moved(next, firstOpen({ ...next, results: {} })) : next;
}
