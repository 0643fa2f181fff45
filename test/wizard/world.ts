/** An engine that answers at once, from values that a test sets. */
import type { Layers } from '../../src/answers.ts';
import type { ClusterFacts } from '../../src/cluster/types.ts';
import type { BucketName } from '../../src/oss/bucket.ts';
import type { Known } from '../../src/oss/types.ts';
import type { AccessChoices } from '../../src/publish/access-choices.ts';
import type { Plan, Progress, Step } from '../../src/publish/types.ts';
import type { Answers } from '../../src/questions.ts';
import { decide } from '../../src/script/decide.ts';
import type { Engine, Found, Published, Review } from '../../src/wizard/engine.ts';
import { initialState, type State } from '../../src/wizard/model.ts';
import { createSession, type Session } from '../../src/wizard/session.ts';
import { factsOf } from '../script/fixtures.ts';

export const yes = { answer: 'yes', why: 'statement 1 of the bucket policy allows it' } as const;

const step = (id: Step['id'], action: Step['action'], what: string): Step => ({
  id,
  action,
  what,
  verifies: '',
  undo: '',
});

export function planOf(more: Partial<Plan> = {}): Plan {
  const url = 'https://example.oss-cn-hangzhou-internal.aliyuncs.com/ackone-join/lab/join-000000000001.sh';
  return {
    context: 'lab',
    clusterName: 'lab',
    values: [{ name: 'Kubernetes', value: '1.28.3', source: 'GET /version' }],
    script: { digest: 'a1'.repeat(32), size: 30000 },
    url,
    object: { bucket: 'example', key: 'ackone-join/lab/join-000000000001.sh' },
    served: true,
    tokenId: 'abcdef',
    live: { url: undefined, ours: false },
    readability: yes,
    steps: [
      step('history', 'create', 'ConfigMap kube-system/ackone-join: a pending entry'),
      step('token', 'create', 'Secret kube-system/bootstrap-token-abcdef, never expires'),
      step('upload', 'create', 'oss://example/ackone-join/lab/join-000000000001.sh'),
      step('switch', 'update', `ConfigMap kube-system/ack-agent-config: addNodeScriptPath = ${url}`),
      step('complete', 'update', 'ConfigMap kube-system/ackone-join: the entry is live'),
    ],
    changes: true,
    findings: [],
    imageRequirements: [],
    ...more,
  };
}

const accessOf = (more: Partial<AccessChoices> = {}): AccessChoices => ({
  nodeUrl: 'https://example.oss-cn-hangzhou-internal.aliyuncs.com/ackone-join/lab/',
  uploadUrl: 'https://oss-cn-hangzhou.aliyuncs.com, bucket example',
  asItIs: { answer: 'no', why: 'the bucket ACL is private' },
  vpc: undefined,
  statement: undefined,
  hasPolicy: true,
  vpcIds: [],
  readers: [],
  ...more,
});

export class World implements Engine {
  facts: ClusterFacts = factsOf();
  live: Found['live'] = { url: undefined, ours: false };
  lastBucket: string | undefined;
  names: Known<readonly BucketName[]> = { known: true, value: [{ name: 'example', region: 'cn-hangzhou' }] };
  choices: (answers: Answers) => AccessChoices = ({ vpcId = 'vpc-a' }) =>
    accessOf({ vpc: { id: vpcId, readability: yes }, vpcIds: ['vpc-a'] });
  plan = planOf();
  /** Thrown by what is named, once for each. */
  readonly failures: Partial<Record<'found' | 'buckets' | 'access' | 'review' | 'publish', Error[]>> = {};
  /** What was asked, in its order. */
  readonly asked: string[] = [];
  /** Set: that work does not end by itself. */
  readonly hangs = new Set<string>();
  published: (review: Review, progress: Progress, signal: AbortSignal) => Promise<Published> = async (
    { plan },
    progress,
  ) => {
    for (const { id, what } of plan.steps) {
      progress.started(id, what);
      progress.done(id, what);
    }
    return {
      kind: 'published',
      plan,
      publication: { state: 'live', proof: { result: 'proven', shown: ['get nodes'] } },
    };
  };

  async #ask<T>(name: keyof World['failures'], value: () => T, signal: AbortSignal): Promise<T> {
    this.asked.push(name);
    if (this.hangs.has(name))
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const failure = this.failures[name]?.shift();
    if (failure) throw failure;
    return value();
  }

  found = (answers: Answers, _: boolean, signal: AbortSignal) =>
    this.#ask(
      'found',
      (): Found => ({
        facts: { ...this.facts, context: answers.context ?? 'lab' },
        decision: decide(this.facts, answers, '0.0.0'),
        live: this.live,
        lastBucket: this.lastBucket,
      }),
      signal,
    );
  buckets = (_: Answers, signal: AbortSignal) => this.#ask('buckets', () => this.names, signal);
  access = (answers: Answers, signal: AbortSignal) => this.#ask('access', () => this.choices(answers), signal);
  review = (_: Answers, signal: AbortSignal) =>
    this.#ask(
      'review',
      (): Review => ({ plan: this.plan, script: '#!/bin/bash\nnew\n', live: '#!/bin/bash\nold\n' }),
      signal,
    );
  forget = () => void this.asked.push('forget');
  publish = async (review: Review, _: Answers, __: string | undefined, progress: Progress, signal: AbortSignal) => {
    this.asked.push('publish');
    const failure = this.failures.publish?.shift();
    if (failure) throw failure;
    return this.published(review, progress, signal);
  };
}

export const layersOf = (flags: Record<string, unknown> = {}, contexts: readonly string[] = ['lab']): Layers => ({
  flags,
  env: {},
  known: { contexts, currentContext: contexts[0]! },
});

export interface Walk extends Session {
  /** After all that is under way. */
  readonly settled: () => Promise<State>;
}

/** A session over such a world. */
export function walk(world: World, layers = layersOf()): Walk {
  const session = createSession(initialState(layers), world);
  return {
    ...session,
    async settled() {
      // Nothing in a World waits for anything but promises.
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      return session.state();
    },
  };
}
