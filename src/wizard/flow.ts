/** Which question is open, and what work it waits for. Pure. */
import { Failure, type Finding } from '../errors.ts';
import type { Answers, Key } from '../questions.ts';
import { flagOf, rows } from '../questions.ts';
import type { Place, Result, ScreenName, State, Trouble, WorkName, Works } from './model.ts';

/** Decided by somebody: a flag, a variable, a file, or here. */
export const isGiven = ({ resolved: { sources } }: State, key: Key): boolean =>
  sources[key] !== undefined && sources[key] !== 'default';

/** What work gives, while it is what the answers ask for. */
export function resultOf<W extends WorkName>(state: State, work: W): Result<W> | undefined {
  const result = state.results[work] as Result<W> | undefined;
  return result?.key === keyOf(state, work) ? result : undefined;
}

export function gained<W extends WorkName>(state: State, work: W): Works[W] | undefined {
  const result = resultOf(state, work);
  return result && 'value' in result ? result.value : undefined;
}

export function troubleWith(state: State, work: WorkName): Trouble | undefined {
  const result = resultOf(state, work);
  return result && 'failure' in result ? result.failure : undefined;
}

/** What keeps a script from being composed: each must be answered. */
export const stopsOf = (state: State): readonly Finding[] =>
  gained(state, 'found')?.decision.findings.filter(({ severity }) => severity === 'stop') ?? [];

interface Step {
  readonly screen: ScreenName;
  readonly isOpen: (state: State) => boolean;
}

const answersOf = ({ resolved }: State): Answers => resolved.answers;
const toBucket = (state: State) => answersOf(state).scriptUrl === undefined;

/** In their order; the first open one is asked. */
const steps: readonly Step[] = [
  { screen: 'cluster', isOpen: (state) => contextsOf(state).length > 1 && !isGiven(state, 'context') },
  {
    screen: 'found',
    isOpen: (state) =>
      state.agreed.found !== prerequisites(state, 'found') || !gained(state, 'found') || stopsOf(state).length > 0,
  },
  {
    screen: 'foreign',
    isOpen: (state) => {
      const live = gained(state, 'found')?.live;
      return live?.url !== undefined && !live.ours && !answersOf(state).replaceForeign;
    },
  },
  {
    screen: 'where',
    isOpen: (state) => toBucket(state) && (!isGiven(state, 'bucket') || !!troubleWith(state, 'access')),
  },
  { screen: 'access', isOpen: (state) => toBucket(state) && (!gained(state, 'access') || !isGiven(state, 'access')) },
  { screen: 'vpc', isOpen: (state) => toBucket(state) && answersOf(state).access === 'vpc' && !answersOf(state).vpcId },
  {
    screen: 'policy',
    isOpen: (state) =>
      toBucket(state) &&
      answersOf(state).access === 'vpc' &&
      gained(state, 'access')?.statement !== undefined &&
      !answersOf(state).manageBucketPolicy &&
      state.agreed.policy !== prerequisites(state, 'policy'),
  },
  {
    screen: 'unverified',
    isOpen: (state) =>
      toBucket(state) && readabilityOf(state)?.answer === 'unknown' && !answersOf(state).acceptUnverified,
  },
];

/** Whether nodes will be able to read what the chosen access publishes; undefined where that is not known yet. */
export function readabilityOf(state: State) {
  const choices = gained(state, 'access');
  const { access } = answersOf(state);
  if (access === 'private') return choices?.asItIs;
  return access === 'vpc' ? choices?.vpc?.readability : undefined;
}

export const contextsOf = ({ layers }: State): readonly string[] => layers.known.contexts ?? [];

export function firstOpen(state: State): Place {
  const [invalid] = state.resolved.invalid;
  if (invalid) return { screen: 'edit', key: invalid.key };
  const open = steps.find(({ isOpen }) => isOpen(state));
  return { screen: open?.screen ?? 'review' };
}

/** What was agreed to on a screen depends on this: when it changes, the screen is shown again. */
export function prerequisites(state: State, screen: 'found' | 'policy'): string {
  const { kubeconfig, context, bucket, vpcId, objectPrefix, objectKey } = answersOf(state);
  const cluster = [kubeconfig, context];
  return JSON.stringify(screen === 'found' ? cluster : [...cluster, bucket, vpcId, objectPrefix, objectKey]);
}

/** What does not shape the script. */
const groupsOfTarget: readonly string[] = ['Token', 'Target', 'Output'];
const keysOfFound = rows.filter(([, { group }]) => !groupsOfTarget.includes(group)).map(([key]) => key);
const keysOfBucket: readonly Key[] = [
  'kubeconfig',
  'context',
  'timeout',
  'bucket',
  'region',
  'nodeRegion',
  'objectPrefix',
  'objectKey',
  'ossEndpoint',
  'ossCname',
  'nodeEndpoint',
  'vpcId',
];
const madeOf: Readonly<Record<WorkName, readonly Key[]>> = {
  found: keysOfFound,
  buckets: ['ossEndpoint', 'ossCname', 'timeout'],
  access: keysOfBucket,
  review: rows.map(([key]) => key),
};

/** The answers that a piece of work is done for: while one chooses, the cluster under the cursor. */
export function answersFor(state: State, work: WorkName): Answers {
  const { highlighted, at } = state;
  const answers = answersOf(state);
  return work === 'found' && at.screen === 'cluster' && highlighted !== undefined
    ? { ...answers, context: highlighted }
    : answers;
}

export function keyOf(state: State, work: WorkName): string {
  const answers = answersFor(state, work);
  return JSON.stringify(madeOf[work].map((key) => answers[key]));
}

/** Screens that need it, or that come soon after. */
const wantedAt: Readonly<Record<WorkName, readonly ScreenName[]>> = {
  found: ['cluster', 'found', 'foreign', 'where', 'access', 'vpc', 'policy', 'unverified', 'review', 'change'],
  buckets: ['found', 'foreign', 'where'],
  access: ['where', 'access', 'vpc', 'policy', 'unverified', 'review'],
  review: ['review'],
};

/** What should be under way now. */
export function wanted(state: State): readonly WorkName[] {
  const names: readonly WorkName[] = ['found', 'buckets', 'access', 'review'];
  return names.filter(
    (work) => wantedAt[work].includes(state.at.screen) && !isDone(state, work) && isPossible(state, work),
  );
}

/** A command that gives credentials is only run for the cluster that was chosen. */
function isDone(state: State, work: WorkName): boolean {
  const failure = troubleWith(state, work);
  const mustLogIn =
    failure instanceof Failure && failure.code === 'CredentialPluginNeedsTerminal' && state.at.screen !== 'cluster';
  return resultOf(state, work) !== undefined && !mustLogIn;
}

function isPossible(state: State, work: WorkName): boolean {
  const found = gained(state, 'found');
  switch (work) {
    case 'found':
      return state.at.screen !== 'cluster' || state.highlighted !== undefined;
    case 'buckets':
      return toBucket(state) && (!isGiven(state, 'bucket') || state.at.screen === 'where');
    case 'access':
      return found !== undefined && toBucket(state) && isGiven(state, 'bucket');
    case 'review':
      return firstOpen(state).screen === 'review';
  }
}

/** The answers that texts tell to give, in their order: `Give --bucket, or …` → bucket. */
export const keysNamed = (texts: readonly string[]): readonly Key[] => {
  const flags = texts.flatMap((text) => text.match(/--[a-z][a-z0-9-]+/g) ?? []);
  const keys = flags.flatMap(
    (flag) => rows.find(([key, row]) => row.for.includes('init') && flagOf(key) === flag)?.[0] ?? [],
  );
  return [...new Set(keys)];
};
