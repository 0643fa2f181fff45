/** The wizard's engine on a real sandbox: it shows what will be, does nothing before consent, and does just that. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Layers } from '../../src/answers.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { version } from '../../src/version.ts';
import { openEngine } from '../../src/wizard/engine.ts';
import { gained } from '../../src/wizard/flow.ts';
import { type Event, initialState, type ScreenName, type State } from '../../src/wizard/model.ts';
import { sameCommand } from '../../src/wizard/same-command.ts';
import { createSession, type Session } from '../../src/wizard/session.ts';
import { run, sandboxEnv } from '../support/program.ts';
import { call, connectionOf } from '../support/raw-api.ts';
import { configMap, everything, history, liveUrl, secretNames, writes } from '../support/world.ts';

let sandbox: Sandbox;
let session: Session;
beforeEach(async () => {
  sandbox = await startSandbox();
  session = open();
});
afterEach(() => sandbox.close());

function open(flags: Record<string, unknown> = {}): Session {
  const env = sandboxEnv(sandbox);
  const layers: Layers = { flags, env, known: { contexts: ['containerd'], currentContext: 'containerd' } };
  const engine = openEngine({
    env,
    toolVersion: version,
    now: () => new Date(),
    lend: (work) => work(),
    onPluginOutput: () => {},
  });
  return createSession(initialState(layers), engine);
}

/** Waits until a screen is there and has what it shows. */
function at(screen: ScreenName, ready: (state: State) => boolean = () => true): Promise<State> {
  return new Promise((resolve) => {
    const look = () => {
      const state = session.state();
      if (state.at.screen !== screen || !ready(state)) return;
      stop();
      resolve(state);
    };
    const stop = session.subscribe(look);
    look();
  });
}
const found = () => at('found', (state) => gained(state, 'found') !== undefined);
const access = () => at('access', (state) => gained(state, 'access') !== undefined);
const reviewed = () => at('review', (state) => gained(state, 'review') !== undefined);
const answer = (values: Extract<Event, { type: 'answered' }>['values']) =>
  session.dispatch({ type: 'answered', values: values ?? {} });

async function toReview(): Promise<State> {
  await found();
  session.dispatch({ type: 'answered', agreed: 'found' });
  await access();
  answer({ access: 'vpc' });
  return reviewed();
}

/** As somebody else would change a ConfigMap of kube-system meanwhile; it leaves no trace in what was seen. */
async function patch(name: string, data: Record<string, string>): Promise<void> {
  const connection = connectionOf(readFileSync(sandbox.kubeconfig, 'utf8'), 'containerd');
  const path = `/api/v1/namespaces/kube-system/configmaps/${name}`;
  await call(connection, 'PATCH', path, { data }, 'application/merge-patch+json');
  sandbox.faults.seen.length = 0;
}

describe('a run through the wizard', () => {
  it('changes nothing before consent, then does what the plan says, to the byte', async () => {
    const before = everything(sandbox);
    const { plan } = gained(await toReview(), 'review')!;
    expect(writes(sandbox)).toEqual([]);
    expect(everything(sandbox)).toEqual(before);
    session.dispatch({ type: 'consented' });
    await at('done');
    expect(liveUrl(sandbox)).toBe(plan.url);
    expect(history(sandbox)).toEqual([
      expect.objectContaining({ state: 'live', url: plan.url, tokenId: plan.tokenId }),
    ]);
  });

  it('shows the script without its token', async () => {
    const { plan, script } = gained(await toReview(), 'review')!;
    expect(script).toContain(`${plan.tokenId}.****************`);
    expect(script).not.toMatch(new RegExp(`${plan.tokenId}\\.[a-z0-9]`));
  });

  it('ends with a command that finds nothing left to do, in bash and without the variables', async () => {
    await toReview();
    session.dispatch({ type: 'consented' });
    const { command, variables } = sameCommand(await at('done'));
    expect(variables).toEqual([]);
    const printed = execFileSync('bash', ['-c', `ackone-join() { printf '%s\\0' "$@"; }; ${command}`], {
      encoding: 'utf8',
    });
    const env = Object.fromEntries(Object.entries(sandboxEnv(sandbox)).filter(([name]) => !name.startsWith('ACKONE')));
    const again = await run(printed.split('\0').slice(0, -1), env);
    expect([again.exit, again.stdout]).toEqual([0, expect.stringMatching(/^No changes {2}/)]);
    expect(history(sandbox)).toHaveLength(1);
  });

  it('does nothing when something has changed since the review, and shows the plan as it is now', async () => {
    const before = gained(await toReview(), 'review')!;
    const { ClusterConfiguration = '' } = configMap(sandbox, 'kubeadm-config')!;
    const mirrored = ClusterConfiguration.replace(/imageRepository: .*/, 'imageRepository: registry.example.com');
    await patch('kubeadm-config', { ClusterConfiguration: mirrored });
    session.dispatch({ type: 'consented' });
    const after = gained(await at('review', ({ planChanged }) => planChanged), 'review')!;
    expect(after.plan.script.digest).not.toBe(before.plan.script.digest);
    expect(after.script).toContain('registry.example.com/pause');
    expect(writes(sandbox)).toEqual([]);

    session.dispatch({ type: 'consented' });
    await at('done');
    expect(liveUrl(sandbox)).toBe(after.plan.url);
  });

  it('does nothing when somebody has put another script there since the review', async () => {
    await toReview();
    const url = `${sandbox.known.endpoint}/ackone-sandbox/other.sh`;
    await patch('ack-agent-config', { addNodeScriptPath: url });
    session.dispatch({ type: 'consented' });
    const { failure } = await at('failed');
    expect(failure).toHaveProperty('code', 'ForeignScript');
    expect([liveUrl(sandbox), history(sandbox)]).toEqual([url, []]);

    session.dispatch({ type: 'tried-again' });
    await at('foreign');
    answer({ replaceForeign: true });
    await reviewed();
    session.dispatch({ type: 'consented' });
    await at('done');
    expect(history(sandbox).map(({ url: each }) => each)).toEqual([url, liveUrl(sandbox)]);
  });

  it('takes back what was made when it is cancelled, and can publish then', async () => {
    const secrets = secretNames(sandbox);
    await toReview();
    session.dispatch({ type: 'consented' });
    await at('publishing', ({ steps }) => steps.some(({ id }) => id === 'upload'));
    session.cancel();
    const { failure } = await at('failed');
    expect(failure?.causes).toContain('the live script is what it was');
    expect(secretNames(sandbox)).toEqual(secrets);
    expect(liveUrl(sandbox)).toBeUndefined();

    session.dispatch({ type: 'tried-again' });
    await reviewed();
    session.dispatch({ type: 'consented' });
    await at('done');
    expect(liveUrl(sandbox)).toBeDefined();
  });
});

describe('what the sandbox offers', () => {
  it('lists the buckets of the account with their regions', async () => {
    session = open();
    const engine = openEngine({
      env: sandboxEnv(sandbox),
      toolVersion: version,
      now: () => new Date(),
      lend: (work) => work(),
      onPluginOutput: () => {},
    });
    const { answers } = session.state().resolved;
    expect(await engine.buckets(answers, new AbortController().signal)).toEqual({
      known: true,
      value: [
        { name: 'ackone-sandbox', region: 'cn-hangzhou' },
        { name: 'ackone-plain', region: 'cn-hangzhou' },
        { name: 'ackone-beijing', region: 'cn-beijing' },
      ],
    });
  });

  it('knows what a bucket lets be read, and which VPC its policy names', async () => {
    await found();
    session.dispatch({ type: 'answered', agreed: 'found' });
    const choices = gained(await access(), 'access')!;
    expect(choices).toMatchObject({
      vpc: { id: 'vpc-sandbox0000000001', readability: { answer: 'yes' } },
      vpcIds: ['vpc-sandbox0000000001'],
      statement: undefined,
      hasPolicy: true,
    });
    answer({ bucket: 'ackone-plain' });
    expect(gained(await access(), 'access')).toMatchObject({
      asItIs: { answer: 'no' },
      statement: { Effect: 'Allow', Condition: { StringEquals: { 'acs:SourceVpc': ['vpc-sandbox0000000001'] } } },
      hasPolicy: false,
    });
  });

  it('asks for another bucket where the region is not that of the nodes', async () => {
    session = open({
      nodeEndpoint: 'https://ackone-beijing.oss-cn-beijing-internal.aliyuncs.com',
      region: 'cn-beijing',
    });
    await found();
    session.dispatch({ type: 'answered', agreed: 'found', values: { bucket: 'ackone-beijing' } });
    const state = await at('where', ({ results }) => results.access !== undefined);
    expect(state.results.access).toHaveProperty('failure.code', 'RegionMismatch');
  });

  it('says what a viewer lacks', async () => {
    session = open({ context: 'forbidden' });
    const state = await at('found', ({ results }) => results.found !== undefined);
    expect(state.results.found).toHaveProperty('failure.code', 'ClusterForbidden');
    expect(JSON.stringify(state.results.found)).toContain('create secrets in kube-system');
  });
});
