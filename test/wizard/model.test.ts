/** Whatever is pressed in whatever order, some things hold. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Failure, Interrupted } from '../../src/errors.ts';
import { type Key, questions } from '../../src/questions.ts';
import type { Found, Review } from '../../src/wizard/engine.ts';
import { firstOpen, gained, keyOf, wanted } from '../../src/wizard/flow.ts';
import { type Event, initialState, reduce, type State, type WorkEvent, type WorkName } from '../../src/wizard/model.ts';
import { answersOf } from '../script/fixtures.ts';
import { layersOf, planOf, World } from './world.ts';

const world = new World();
const signal = new AbortController().signal;
const values: Record<WorkName, unknown> = {
  found: await world.found(answersOf({ context: 'lab' }), true, signal),
  buckets: world.names,
  access: world.choices(answersOf()),
  review: { plan: planOf(), script: '', live: undefined } satisfies Review,
};
const failures = [new Failure('ClusterTimeout', 'late'), new Interrupted(130)];

const answers: readonly (readonly [Key, unknown])[] = [
  ['context', 'lab'],
  ['context', 'prod'],
  ['bucket', 'example'],
  ['bucket', 'other'],
  ['access', 'vpc'],
  ['access', 'private'],
  ['vpcId', 'vpc-a'],
  ['firewall', 'keep'],
  ['selinux', 'wrong'],
  ['kubeVersion', undefined],
  ['replaceForeign', true],
];

/** An event, or that work which is wanted ends well or badly. */
type Push = Event | { readonly ends: WorkName; readonly badly: number | undefined };
const pushes: fc.Arbitrary<Push> = fc.oneof(
  fc.constantFrom<Push>(
    { type: 'went-back' },
    { type: 'closed' },
    { type: 'tried-again' },
    { type: 'opened', overlay: 'help' },
    { type: 'answered', agreed: 'found' },
    { type: 'answered', agreed: 'policy', values: { manageBucketPolicy: true } },
    { type: 'highlighted', context: 'prod' },
    { type: 'went', to: { screen: 'change' } },
    { type: 'went', to: { screen: 'edit', key: 'firewall' } },
    { type: 'went', to: { screen: 'where' } },
    { type: 'went', to: { screen: 'access' } },
  ),
  fc.constantFrom(...answers).map(([key, value]): Push => ({ type: 'answered', values: { [key]: value } })),
  fc.record({
    ends: fc.constantFrom<WorkName>('found', 'buckets', 'access', 'review'),
    badly: fc.option(fc.nat(1), { nil: undefined }),
  }),
);

function after(state: State, push: Push): State {
  if ('type' in push) return reduce(state, push);
  const { ends: work, badly } = push;
  if (!wanted(state).includes(work)) return state;
  const outcome = badly === undefined ? { value: values[work] } : { failure: failures[badly] };
  return reduce(state, { type: 'worked', work, result: { key: keyOf(state, work), ...outcome } } as WorkEvent);
}

const runs = fc.tuple(fc.boolean(), fc.array(pushes, { maxLength: 40 }));
const start = (several: boolean) => initialState(layersOf({ mirror: 'aliyun' }, several ? ['lab', 'prod'] : ['lab']));
function states(several: boolean, all: readonly Push[]): readonly State[] {
  const seen = [start(several)];
  for (const push of all) seen.push(after(seen.at(-1)!, push));
  return seen;
}

describe('the model', () => {
  it('publishes only on consent, and shows a plan only when nothing is open', () => {
    fc.assert(
      fc.property(runs, ([several, all]) => {
        for (const state of states(several, all)) {
          expect(state.attempt).toBe(0);
          expect(['publishing', 'failed', 'done']).not.toContain(state.at.screen);
          if (wanted(state).includes('review')) expect(firstOpen(state).screen).toBe('review');
        }
      }),
    );
  });

  it('leads back to the first question in a few steps, whatever came before', () => {
    fc.assert(
      fc.property(runs, ([several, all]) => {
        let state = reduce(states(several, all).at(-1)!, { type: 'closed' });
        const names = state.trail.map(({ screen }) => screen);
        expect(new Set(names).size).toBe(names.length);
        for (const place of state.trail.toReversed()) {
          state = reduce(state, { type: 'went-back' });
          expect(state.at).toEqual(place);
        }
        expect(state.trail).toEqual([]);
      }),
    );
  });

  it('never forgets what a flag says, and never takes a value that does not pass its check', () => {
    fc.assert(
      fc.property(runs, ([several, all]) => {
        for (const { resolved } of states(several, all)) {
          expect(resolved.answers.mirror).toBe('aliyun');
          expect(questions.selinux.check.safeParse(resolved.answers.selinux).success).toBe(true);
        }
      }),
    );
  });

  it('uses no result that was made of other answers', () => {
    fc.assert(
      fc.property(runs, ([several, all]) => {
        for (const state of states(several, all)) {
          const found: Found | undefined = gained(state, 'found');
          if (found) expect(state.results.found?.key).toBe(keyOf(state, 'found'));
        }
      }),
    );
  });

  it('has no work twice: what has ended, well or badly, is not wanted until it is tried again', () => {
    fc.assert(
      fc.property(runs, ([several, all]) => {
        for (const state of states(several, all)) {
          for (const work of wanted(state)) {
            const ended = after(state, { ends: work, badly: 0 });
            if (keyOf(ended, work) === keyOf(state, work)) expect(wanted(ended)).not.toContain(work);
          }
        }
      }),
    );
  });
});
