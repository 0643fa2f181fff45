/** A publication that fails at each of its steps: what the screen says, what stands, and how it goes on. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { sandboxEnv } from '../support/program.ts';
import { everything, history, liveUrl, objectKeys, tokenIds } from '../support/world.ts';
import type { Terminal } from './terminal.ts';
import { walk, wizard } from './wizard.ts';

let sandbox: Sandbox;
let terminal: Terminal;
beforeEach(async () => {
  sandbox = await startSandbox();
  terminal = wizard([], { env: sandboxEnv(sandbox), rows: 40 });
});
afterEach(async () => {
  await terminal.close();
  await sandbox.close();
});

const refused = { status: 403, headers: {}, body: 'no' } as const;
const toReview = () => walk(terminal, 'cluster', 'found', 'access', 'review');

describe('a step that fails', () => {
  it.each([
    ['history', /^POST .*\/configmaps$/, 'History entry not written'],
    ['token', /^POST .*\/secrets$/, 'Token not made'],
    ['upload', /^PUT .*join-/, 'Script not uploaded'],
    ['switch', /^PATCH .*\/ack-agent-config/, 'Script URL not switched'],
  ])('%s: is said, with what was taken back; trying again publishes', async (_, request, said) => {
    const url = liveUrl(sandbox);
    const tokens = tokenIds(sandbox);
    await toReview();
    sandbox.faults.add({ request, times: 100, effect: refused });
    await terminal.press('enter');
    await terminal.sees('What now?');
    const left = terminal.screen.everything();
    expect(left).toMatch(new RegExp(`^✘ .*${said}`, 'm'));
    expect(liveUrl(sandbox)).toBe(url);
    expect(tokenIds(sandbox)).toEqual(tokens);
    expect(objectKeys(sandbox)).toEqual([]);

    sandbox.faults.clear();
    await terminal.sees('› Try again');
    await terminal.press('enter');
    await walk(terminal, 'review');
    await terminal.press('enter');
    expect(await terminal.ended()).toBe(0);
    expect(history(sandbox).at(-1)).toMatchObject({ state: 'live', url: liveUrl(sandbox) });
    // What has happened stays in the scrollback.
    expect(terminal.screen.everything()).toMatch(new RegExp(`^✘ .*${said}`, 'm'));
    expect(terminal.faults()).toEqual([]);
  });

  it('leaving exits as --yes would have', async () => {
    await toReview();
    sandbox.faults.add({ request: /^PUT .*join-/, times: 100, effect: refused });
    await terminal.press('enter');
    await terminal.sees('› Try again');
    await terminal.press('up', 'down', 'down', 'down', 'enter');
    expect(await terminal.ended()).toBe(5);
    expect(terminal.screen.everything()).toMatch(/^Error /m);
    expect(terminal.faults()).toEqual([]);
  });

  it('a switch that cannot be read back: exit 7, and nothing is taken back', async () => {
    await toReview();
    sandbox.faults.add({ request: /^PATCH .*\/ack-agent-config/, effect: 'reset after' });
    sandbox.faults.add({ request: /^GET .*\/ack-agent-config/, nth: 2, times: 100, effect: 'reset' });
    await terminal.press('enter');
    await terminal.sees('What now?');
    sandbox.faults.clear();
    expect(objectKeys(sandbox)).toHaveLength(1);
    await terminal.press('down', 'down', 'down', 'enter');
    expect(await terminal.ended()).toBe(7);
  });
});

describe('before anything is written', () => {
  it('a cluster that does not answer is said, and asked again', async () => {
    sandbox.faults.add({ request: /\/nodes/, times: 100, effect: 'reset' });
    await walk(terminal, 'cluster');
    await terminal.press('enter');
    await terminal.sees('Try again');
    const before = everything(sandbox);
    sandbox.faults.clear();
    await terminal.press('enter');
    await walk(terminal, 'found');
    expect(everything(sandbox)).toEqual(before);
  });

  it('OSS that refuses is said beside the question for the bucket', async () => {
    sandbox.faults.add({ request: /^GET \/ackone-sandbox/, times: 100, effect: refused });
    await walk(terminal, 'cluster', 'found');
    await terminal.press('enter');
    await terminal.sees('Which OSS bucket?');
    await terminal.sees('Problem:');
    sandbox.faults.clear();
  });
});
