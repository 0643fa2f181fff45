/** The way that most people go: from start to published with at most six key presses. */
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { sandboxEnv } from '../support/program.ts';
import { history, liveUrl } from '../support/world.ts';
import { Terminal } from './terminal.ts';
import { asks, type Question, shell, walk, wizard } from './wizard.ts';

let terminal: Terminal;
afterEach(() => terminal.close());

const withBucket: readonly Question[] = ['cluster', 'found', 'access', 'review'];
const withoutBucket: readonly Question[] = ['cluster', 'found', 'bucket', 'access', 'review'];

/** The command that the wizard tells at its end, put together from its lines. */
const sameCommand = (): string => /^ *(ackone-join init --yes.*)$/m.exec(terminal.screen.everything())?.[1] ?? '';

describe('init --sandbox', () => {
  it('takes at most six key presses, and says what is live', async () => {
    terminal = wizard(['--sandbox'], { env: { PATH: process.env.PATH } });
    await walk(terminal, ...withoutBucket);
    await terminal.press('enter');
    expect(await terminal.ended()).toBe(0);
    expect(terminal.presses).toBeLessThanOrEqual(6);
    const left = terminal.screen.everything();
    expect(left).toMatch(/^Token +[a-z0-9]{6}\.\*{16}/m);
    expect(left).toContain('ACKONE_JOIN_PHASE=check bash');
    expect(sameCommand()).not.toBe('');
    expect(terminal.faults()).toEqual([]);
  });
});

describe('npm start', () => {
  const start = [process.execPath, fileURLToPath(new URL('../../build/start.mjs', import.meta.url))];
  it('opens the wizard on the sandbox where there is a terminal', async () => {
    terminal = new Terminal(start, { env: { PATH: process.env.PATH } });
    await asks(terminal, 'cluster');
    await terminal.press('ctrlC');
    expect(await terminal.ended()).toBe(130);
  });

  it.each([{ CI: 'true' }, { TERM: 'dumb' }])('does the whole job without a question with %o', async (more) => {
    terminal = new Terminal(start, { env: { PATH: process.env.PATH, ...more } });
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen.everything()).toMatch(/^Published {2}http/m);
  });
});

describe('a sandbox that is kept', () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await startSandbox();
  });
  afterEach(() => sandbox.close());

  it.each([
    ['is asked for', withoutBucket, { ACKONE_JOIN_BUCKET: undefined }],
    ['is known', withBucket, {}],
  ])('where the bucket %s: at most six key presses, and the same command says "No changes"', async (_, way, more) => {
    const env = sandboxEnv(sandbox, more);
    terminal = wizard([], { env, cols: 300 });
    await walk(terminal, ...way);
    await terminal.press('enter');
    expect(await terminal.ended()).toBe(0);
    expect(terminal.presses).toBeLessThanOrEqual(6);
    expect(history(sandbox)).toEqual([expect.objectContaining({ state: 'live', url: liveUrl(sandbox) })]);
    expect(terminal.screen.everything()).toContain(liveUrl(sandbox));
    expect(terminal.faults()).toEqual([]);

    const command = sameCommand();
    await terminal.close();
    terminal = new Terminal(shell(command), { env, cols: 300 });
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen.text()).toMatch(/^No changes {2}http/m);
  });
});
