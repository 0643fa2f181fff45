/** What stands on stderr while a run is under way: a spinner on a terminal, a line per step otherwise. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wantsColours } from '../../src/output/colours.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { run, sandboxEnv } from '../support/program.ts';
import { Screen } from '../terminal/screen.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const publish = (words: readonly string[], isTerminal: boolean, more: NodeJS.ProcessEnv = {}) =>
  run(['init', '--yes', '--new-token', ...words], sandboxEnv(sandbox, more), { isTerminal });
const steps = /^✔ Secret kube-system\/bootstrap-token-[a-z0-9]{6}, never expires {2}\d+\.\d s$/m;

describe('progress', () => {
  it('is a line a step where there is no terminal, without any escape', async () => {
    const { stderr } = await publish([], false);
    expect(stderr).toMatch(steps);
    expect(stderr).not.toMatch(/[\u001b\r⠋]/);
  });

  it('is a spinner on a terminal, which leaves the same lines', async () => {
    const { stderr, stdout } = await publish([], true, { NO_COLOR: '1' });
    expect(stderr).toMatch(/⠋ Reading the cluster and the bucket/);
    expect(stderr).toMatch(/⠋ Secret kube-system\/bootstrap-token-/);
    const screen = new Screen({ rows: 60, cols: 300 });
    await screen.write(Buffer.from(stderr.replaceAll('\n', '\r\n')));
    expect(screen.everything()).toMatch(steps);
    expect(screen.everything()).not.toMatch(/[⠋⠙⠹]/);
    expect(stdout).not.toContain('\u001b');
  });

  it.each([[['--quiet']], [['-q']], [['-o', 'json']]])('is not there with %j', async (words) => {
    const { exit, stderr } = await publish(words, true);
    expect([exit, stderr]).toEqual([0, '']);
  });

  it('ends before a failure is told', async () => {
    const { stderr } = await publish(['--bucket', 'ackone-plain'], true, { NO_COLOR: '1' });
    expect(stderr).toMatch(/\r\u001b\[K(Error NodesCannotRead|Warning|Cluster)/);
  });
});

describe('colours', () => {
  const green = '\u001b[32m✔\u001b[39m';

  it('repeat what signs say, on stderr only', async () => {
    const { stdout, stderr } = await publish([], true);
    expect(stderr).toContain(green);
    expect(stdout).not.toContain('\u001b');
  });

  it('failures have them too', async () => {
    const { stderr } = await publish(['--frobnicate'], true);
    expect(stderr).toMatch(/^\u001b\[31mError Usage\u001b\[39m: /);
  });

  it.each<[string, NodeJS.ProcessEnv, boolean, boolean, boolean]>([
    ['a terminal', {}, false, true, true],
    ['no terminal', {}, false, false, false],
    ['--no-color', { FORCE_COLOR: '1' }, true, true, false],
    ['NO_COLOR', { NO_COLOR: '1' }, false, true, false],
    ['an empty NO_COLOR, which is none (no-color.org)', { NO_COLOR: '' }, false, true, true],
    ['FORCE_COLOR without a terminal', { FORCE_COLOR: '1' }, false, false, true],
    ['FORCE_COLOR and NO_COLOR', { FORCE_COLOR: '1', NO_COLOR: '1' }, false, false, true],
    ['FORCE_COLOR=0', { FORCE_COLOR: '0' }, false, true, false],
  ])('%s', (_, env, refused, terminal, wanted) => expect(wantsColours(env, refused, terminal)).toBe(wanted));
});
