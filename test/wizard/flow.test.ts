/** Which question comes when, and what a change asks again: the model with a session, without a screen. */
import { beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '../../src/errors.ts';
import type { Event, State } from '../../src/wizard/model.ts';
import { factsOf, nodeOf } from '../script/fixtures.ts';
import { layersOf, type Walk, World, walk, yes } from './world.ts';

let world: World;
beforeEach(() => {
  world = new World();
});

/** The screens that were shown after each event, the first one included. */
async function screens(session: Walk, ...events: readonly Event[]): Promise<readonly string[]> {
  const seen = [name(await session.settled())];
  for (const event of events) {
    session.dispatch(event);
    seen.push(name(await session.settled()));
  }
  return seen;
}
const name = ({ at }: State) => (at.key ? `${at.screen} ${at.key}` : at.screen);

const useValues: Event = { type: 'answered', agreed: 'found' };
const bucket: Event = { type: 'answered', values: { bucket: 'example' } };
const vpc: Event = { type: 'answered', values: { access: 'vpc', vpcId: 'vpc-a' } };
const asItIs: Event = { type: 'answered', values: { access: 'private' } };
const back: Event = { type: 'went-back' };
const toReview = [useValues, bucket, vpc];

describe('the usual way', () => {
  it('asks for values, bucket and reader, then shows the plan', async () => {
    expect(await screens(walk(world), ...toReview)).toEqual(['found', 'where', 'access', 'review']);
  });

  it('asks for the cluster first where there are several', async () => {
    const session = walk(world, layersOf({}, ['lab', 'prod']));
    const chosen: Event = { type: 'answered', values: { context: 'prod' } };
    expect(await screens(session, chosen, ...toReview)).toEqual(['cluster', 'found', 'where', 'access', 'review']);
    expect(session.state().resolved.answers.context).toBe('prod');
  });

  it('takes flags for questions that are answered', async () => {
    const flags = { context: 'prod', bucket: 'example', access: 'vpc', vpcId: 'vpc-a' };
    expect(await screens(walk(world, layersOf(flags, ['lab', 'prod'])), useValues)).toEqual(['found', 'review']);
  });

  it('asks again for a flag that will not do, before anything else', async () => {
    const session = walk(world, layersOf({ selinux: 'off', bucket: 'example' }));
    const mended: Event = { type: 'answered', values: { selinux: 'permissive' } };
    expect(await screens(session, mended)).toEqual(['edit selinux', 'found']);
    expect(session.state().resolved.answers.selinux).toBe('permissive');
  });

  it('looks at cluster and buckets at once, and at nothing that is not asked for', async () => {
    await walk(world).settled();
    expect(world.asked).toEqual(['found', 'buckets']);
  });

  it('lists no buckets for one that is given, before another one is to be chosen', async () => {
    const session = walk(world, layersOf({ bucket: 'example', access: 'vpc', vpcId: 'vpc-a' }));
    expect(await screens(session, useValues)).toEqual(['found', 'review']);
    expect(world.asked).not.toContain('buckets');
    expect(await screens(session, { type: 'went', to: { screen: 'where' } })).toEqual(['review', 'where']);
    expect(world.asked.filter((asked) => asked === 'buckets')).toHaveLength(1);
  });
});

describe('questions that some clusters and buckets ask', () => {
  it('asks which VPC where none is known, and shows the statement that is missing', async () => {
    world.choices = ({ vpcId }) => ({
      nodeUrl: '',
      uploadUrl: '',
      asItIs: yes,
      vpc: vpcId === undefined ? undefined : { id: vpcId, readability: yes },
      statement: vpcId === undefined ? undefined : { Effect: 'Allow' },
      hasPolicy: true,
      vpcIds: [],
      readers: [],
    });
    const session = walk(world);
    const seen = await screens(
      session,
      useValues,
      bucket,
      { type: 'answered', values: { access: 'vpc' } },
      { type: 'answered', values: { vpcId: 'vpc-b' } },
      { type: 'answered', values: { manageBucketPolicy: true }, agreed: 'policy' },
    );
    expect(seen).toEqual(['found', 'where', 'access', 'vpc', 'policy', 'review']);
    expect(session.state().resolved.answers).toMatchObject({ vpcId: 'vpc-b', manageBucketPolicy: true });
  });

  it('asks whether to go on when it is not known whether nodes can read the script', async () => {
    const { choices } = world;
    world.choices = (answers) => ({ ...choices(answers), asItIs: { answer: 'unknown', why: 'no right' } });
    const goOn: Event = { type: 'answered', values: { acceptUnverified: true } };
    expect(await screens(walk(world), useValues, bucket, asItIs, goOn)).toEqual([
      'found',
      'where',
      'access',
      'unverified',
      'review',
    ]);
  });

  it('asks what to do with a live script that is not ours', async () => {
    world.live = { url: 'https://example.com/join.sh', ours: false };
    const replace: Event = { type: 'answered', values: { replaceForeign: true } };
    expect(await screens(walk(world), useValues, replace)).toEqual(['found', 'foreign', 'where']);
  });

  it('does not go on before what stops is answered (C4: docker on 1.26)', async () => {
    world.facts = factsOf({
      nodes: [nodeOf({ kubeletVersion: 'v1.26.9', runtime: 'docker://20.10.24' })],
      version: 'v1.26.9',
    });
    world.facts = {
      ...world.facts,
      discovery: {
        ...world.facts.discovery!,
        value: { ...world.facts.discovery!.value, server: 'https://apiserver.cluster.local:6443' },
      },
    };
    const session = walk(world);
    const url: Event = { type: 'answered', values: { criDockerdUrl: 'https://example.com/cri-dockerd-0.3.4.rpm' } };
    const address: Event = { type: 'answered', values: { apiServerIp: '192.0.2.10' } };
    expect(await screens(session, url, address, useValues)).toEqual(['found', 'found', 'found', 'where']);
  });

  it('uploads nothing where the script is served by a URL of the user', async () => {
    const session = walk(world, layersOf({ scriptUrl: 'https://example.com/own.sh' }));
    expect(await screens(session, useValues)).toEqual(['found', 'review']);
    expect(world.asked).not.toContain('buckets');
  });
});

describe('changes of mind', () => {
  it.each<[string, Event[], string[]]>([
    ['a host setting asks nothing again', [{ type: 'answered', values: { firewall: 'keep' } }], ['review']],
    ['another VPC asks nothing again', [{ type: 'answered', values: { vpcId: 'vpc-b' } }], ['review']],
    [
      'another bucket asks who may read',
      [{ type: 'answered', values: { bucket: 'other' } }, vpc],
      ['access', 'review'],
    ],
    ['the same bucket asks nothing again', [bucket], ['review']],
    [
      'another cluster asks for its values and who may read',
      [{ type: 'answered', values: { context: 'prod' } }, useValues, vpc],
      ['found', 'access', 'review'],
    ],
  ])('%s', async (_, events, expected) => {
    const session = walk(world);
    await screens(session, ...toReview);
    expect((await screens(session, ...events)).slice(1)).toEqual(expected);
  });

  it('an answer that leaves something open leads back to the values (A5: a runtime of unknown version)', async () => {
    const session = walk(world);
    await screens(session, ...toReview);
    const docker: Event = { type: 'answered', values: { runtime: 'docker' } };
    const version: Event = {
      type: 'answered',
      values: { runtimeVersion: '20.10.24', criDockerdUrl: 'https://example.com/x.rpm' },
    };
    expect(await screens(session, docker, version)).toEqual(['review', 'found', 'review']);
  });

  it('forgets what was answered for the old bucket, and nothing that a flag says', async () => {
    const session = walk(world, layersOf({ manageBucketPolicy: true }));
    await screens(session, ...toReview, { type: 'answered', values: { region: 'cn-beijing' } });
    session.dispatch({ type: 'answered', values: { bucket: 'other' } });
    const { answers } = (await session.settled()).resolved;
    expect([answers.region, answers.manageBucketPolicy, answers.bucket]).toEqual([undefined, true, 'other']);
  });

  it('goes back one question at a time, to the first', async () => {
    const session = walk(world);
    await screens(session, ...toReview);
    expect((await screens(session, back, back, back, back)).slice(1)).toEqual(['access', 'where', 'found', 'found']);
  });

  it('goes on from where one came back to, past what is settled', async () => {
    const session = walk(world);
    await screens(session, ...toReview, back, back);
    expect((await screens(session, bucket)).at(-1)).toBe('review');
  });

  it('comes back from an answer that is edited to the list, and from there to the plan', async () => {
    const session = walk(world);
    await screens(session, ...toReview);
    const seen = await screens(
      session,
      { type: 'went', to: { screen: 'change' } },
      { type: 'went', to: { screen: 'edit', key: 'selinux' } },
      back,
      back,
    );
    expect(seen).toEqual(['review', 'change', 'edit selinux', 'change', 'review']);
  });
});

describe('what goes wrong', () => {
  it('asks for the bucket again when it cannot be used', async () => {
    world.failures.access = [new Failure('RegionMismatch', 'bucket example is in cn-beijing')];
    const session = walk(world);
    expect(await screens(session, useValues, bucket)).toEqual(['found', 'where', 'where']);
    expect((await screens(session, { type: 'tried-again' })).at(-1)).toBe('where');
    expect(world.asked.filter((asked) => asked === 'access')).toHaveLength(2);
  });

  it('reads a cluster again that did not answer', async () => {
    world.failures.found = [new Failure('ClusterTimeout', 'lab did not answer')];
    const session = walk(world);
    await session.settled();
    expect(world.asked.filter((asked) => asked === 'found')).toHaveLength(1);
    session.dispatch({ type: 'tried-again' });
    await session.settled();
    session.dispatch(useValues);
    expect((await session.settled()).at.screen).toBe('where');
  });

  it('publishes once consent is given, and ends', async () => {
    const session = walk(world);
    await screens(session, ...toReview, { type: 'consented' });
    expect(session.state().at.screen).toBe('done');
    expect(session.state().outcome?.publication?.state).toBe('live');
    expect(session.state().steps.map(({ id, state }) => `${id} ${state}`)).toEqual([
      'history done',
      'token done',
      'upload done',
      'switch done',
      'complete done',
    ]);
  });

  it('asks again when the plan has changed in the meantime', async () => {
    world.published = async (review) => ({ kind: 'changed', review: { ...review, script: 'another' } });
    const session = walk(world);
    await screens(session, ...toReview, { type: 'consented' });
    const state = session.state();
    expect([state.at.screen, state.planChanged]).toEqual(['review', true]);
    expect(state.results.review).toMatchObject({ value: { script: 'another' } });
  });

  it('reads everything anew after a publication failed, and asks for consent again', async () => {
    world.failures.publish = [new Failure('AnotherRun', 'somebody publishes', { causes: ['taken back: Secret x'] })];
    const session = walk(world);
    expect((await screens(session, ...toReview, { type: 'consented' })).at(-1)).toBe('failed');
    const before = world.asked.length;
    expect((await screens(session, { type: 'tried-again' })).at(-1)).toBe('review');
    expect(world.asked.slice(before)).toEqual(['forget', 'found', 'access', 'review']);
    expect((await screens(session, { type: 'consented' })).at(-1)).toBe('done');
  });

  it('lets an answer be changed after a publication failed', async () => {
    world.failures.publish = [new Failure('ObjectExists', 'something is there')];
    const session = walk(world);
    await screens(session, ...toReview, { type: 'consented' });
    const seen = await screens(
      session,
      { type: 'went', to: { screen: 'change' } },
      { type: 'went', to: { screen: 'edit', key: 'objectKey' } },
      { type: 'answered', values: { objectKey: 'a/b.sh' } },
    );
    expect(seen).toEqual(['failed', 'change', 'edit objectKey', 'review']);
  });
});

describe('work that takes its time', () => {
  it('ends when one goes back, and begins again when one comes again', async () => {
    world.hangs.add('access');
    const session = walk(world);
    expect((await screens(session, useValues, bucket)).at(-1)).toBe('access');
    expect(session.since('access')).toBeTypeOf('number');
    session.dispatch(back);
    session.dispatch(back);
    expect(session.since('access')).toBeUndefined();
    world.hangs.clear();
    session.dispatch(useValues);
    expect((await session.settled()).at.screen).toBe('access');
    expect(session.state().results.access).toHaveProperty('value');
  });

  it('is cancelled at the first question, and can be tried again', async () => {
    world.hangs.add('found');
    const session = walk(world);
    session.cancel();
    expect((await session.settled()).results.found).toHaveProperty('failure.message', 'interrupted');
    world.hangs.clear();
    session.dispatch({ type: 'tried-again' });
    expect((await session.settled()).results.found).toHaveProperty('value');
  });

  it('takes a publication back when it is cancelled', async () => {
    world.published = (_, __, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    const session = walk(world);
    await screens(session, ...toReview, { type: 'consented' });
    session.cancel();
    expect((await session.settled()).at.screen).toBe('failed');
  });
});
