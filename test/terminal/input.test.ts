/** Keys as they really come: fast, pasted, torn apart, and too early. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { sandboxEnv } from '../support/program.ts';
import { liveUrl, writes } from '../support/world.ts';
import { keys } from './keys.ts';
import type { Terminal } from './terminal.ts';
import { asks, walk, wizard } from './wizard.ts';

let sandbox: Sandbox;
let terminal: Terminal;
beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(async () => {
  await terminal.close();
  await sandbox.close();
});

const open = (more: NodeJS.ProcessEnv = {}) => {
  terminal = wizard([], { env: sandboxEnv(sandbox, more), rows: 40 });
};

/** Enter, again and again, up to the moment at which that is drawn. */
async function enterUntil(drawn: string): Promise<void> {
  while (!terminal.raw.includes(drawn)) {
    terminal.burst('enter');
    // What has been drawn meanwhile is read before the next one.
    await new Promise((resolve) => setTimeout(() => setImmediate(resolve), 3));
  }
}

describe('fast typing does what slow typing does', () => {
  it('↓↓⏎ in one chunk', async () => {
    open();
    await walk(terminal, 'cluster');
    terminal.burst('down', 'down', 'enter');
    await terminal.sees('Cluster mid-upgrade');
  });

  it('a filter and Enter in one chunk', async () => {
    open();
    await walk(terminal, 'cluster');
    terminal.type(`binary${keys.enter}`);
    await terminal.sees('Cluster binary');
  });

  it('an Enter for each question, at once: all but the last are answered, and nothing is published', async () => {
    open();
    await walk(terminal, 'cluster');
    terminal.burst('enter', 'enter', 'enter', 'enter', 'enter', 'enter', 'enter', 'enter');
    await terminal.settled();
    await terminal.settled();
    expect(writes(sandbox)).toEqual([]);
    expect(liveUrl(sandbox)).toBeUndefined();
    await terminal.press('ctrlC');
    expect(await terminal.ended()).toBe(130);
  });
});

describe('type-ahead never confirms', () => {
  it('Enters that come until the first frame', async () => {
    open();
    await enterUntil('Which cluster?');
    await terminal.settled();
    await terminal.settled();
    expect(writes(sandbox)).toEqual([]);
  });

  it('Enters that come until the plan can be read', async () => {
    open();
    await walk(terminal, 'cluster', 'found', 'access');
    await enterUntil('Publish?');
    await asks(terminal, 'review');
    await terminal.settled();
    expect(writes(sandbox)).toEqual([]);
    await terminal.press('enter');
    expect(await terminal.ended()).toBe(0);
  });
});

describe('a paste', () => {
  it('of a name with a newline fills the field, and does not take it', async () => {
    open({ ACKONE_JOIN_BUCKET: undefined });
    await walk(terminal, 'cluster', 'found', 'bucket');
    terminal.type('Type another');
    await terminal.sees('1 of 1');
    await terminal.press('enter');
    await terminal.settled();
    terminal.paste('ackone-plain\n');
    await terminal.sees('ackone-plain');
    await terminal.settled();
    expect(terminal.screen.text()).toContain('Which OSS bucket?');
    await terminal.press('enter');
    await terminal.sees('Who may read the script?');
    expect(terminal.screen.text()).toContain('Bucket ackone-plain');
  });

  it('at the last question does not publish', async () => {
    open();
    await walk(terminal, 'cluster', 'found', 'access', 'review');
    terminal.paste('\r\n\r\n');
    await terminal.settled();
    expect(writes(sandbox)).toEqual([]);
  });
});

describe('torn apart', () => {
  it('a character of several bytes', async () => {
    open();
    await walk(terminal, 'cluster');
    await terminal.trickle(Buffer.from('é'));
    await terminal.sees('Filter: é');
    await terminal.press('backspace');
    await terminal.trickle(Buffer.from('生'));
    await terminal.sees('Filter: 生');
  });
});
