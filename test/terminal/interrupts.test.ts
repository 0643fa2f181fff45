/** Whatever ends the wizard, at whatever screen: the terminal is sane, the exit code tells, and one line says what exists now. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { sandboxEnv } from '../support/program.ts';
import { everything, liveUrl, tokenIds, writes } from '../support/world.ts';
import type { Settings, Terminal } from './terminal.ts';
import { type Question, walk, wizard } from './wizard.ts';

let sandbox: Sandbox;
let terminal: Terminal;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
afterEach(async () => {
  await terminal.close();
  sandbox.faults.clear();
  sandbox.faults.seen.length = 0;
  sandbox.clusters.get('containerd')!.controllers = true;
});

async function upTo(question: Question, settings: Partial<Settings> = {}): Promise<void> {
  terminal = wizard([], { env: sandboxEnv(sandbox, { ACKONE_JOIN_BUCKET: undefined }), ...settings });
  const way: readonly Question[] = ['cluster', 'found', 'bucket', 'access', 'review'];
  await walk(terminal, ...way.slice(0, way.indexOf(question) + 1));
}

/** The last line that is left on the screen. */
const lastLine = () => terminal.screen.everything().split('\n').at(-1);

/** Publishing, and waiting for a signature that nobody makes. */
async function publishing(): Promise<readonly string[]> {
  const before = tokenIds(sandbox);
  sandbox.clusters.get('containerd')!.controllers = false;
  await upTo('review');
  await terminal.press('enter');
  await terminal.until(() => tokenIds(sandbox).length > before.length, 'for the token to be made');
  return before;
}

describe('Ctrl-C', () => {
  it.each(['cluster', 'found', 'bucket', 'access', 'review'] as const)('at the question %s', async (question) => {
    const before = everything(sandbox);
    await upTo(question);
    await terminal.press('ctrlC');
    expect(await terminal.ended()).toBe(130);
    expect(lastLine()).toBe('Interrupted: nothing was changed.');
    expect(terminal.faults()).toEqual([]);
    expect(everything(sandbox)).toEqual(before);
  });

  it('while it reads the cluster', async () => {
    sandbox.faults.add({ request: /\/nodes/, times: 100, effect: 'hang' });
    terminal = wizard(['--context', 'containerd'], { env: sandboxEnv(sandbox) });
    await terminal.sees('Waiting for');
    await terminal.press('ctrlC');
    expect(await terminal.ended()).toBe(130);
    expect(lastLine()).toBe('Interrupted: nothing was changed.');
    expect(terminal.faults()).toEqual([]);
  });

  it.each([0, 100, 300])('%i ms after the start', async (ms) => {
    terminal = wizard([], { env: sandboxEnv(sandbox) });
    await terminal.pid();
    await new Promise((resolve) => setTimeout(resolve, ms));
    terminal.burst('ctrlC');
    expect(await terminal.ended()).toBe(130);
    expect(terminal.faults()).toEqual([]);
  });

  /** Beside the usual way: what is typed at the review, with the text that is seen then. */
  const aside: readonly (readonly [string, readonly (readonly [keys: string, seen: string])[]])[] = [
    ['the help', [['?', 'Each step is checked']]],
    ['the script', [['s', '#!/bin/bash']]],
    ['the diff', [['d', '#!/bin/bash']]],
    ['the list of answers', [['e', 'Which answer?']]],
    [
      'one answer',
      [
        ['e', 'Which answer?'],
        ['firewall', '› firewall '],
        ['\r', '› disable'],
      ],
    ],
    [
      'the VPC',
      [
        ['e', 'Which answer?'],
        ['vpc-id', '› vpc-id '],
        ['\r', 'Which VPC?'],
      ],
    ],
    [
      'the bucket policy',
      [
        ['e', 'Which answer?'],
        ['bucket', '› bucket '],
        ['\r', 'Which OSS bucket?'],
        [`${'\u007f'.repeat('sandbox'.length)}plain`, '› ackone-plain'],
        ['\r', 'Add this statement to the bucket policy?'],
      ],
    ],
  ];
  it.each(aside)('at %s', async (_, way) => {
    terminal = wizard(['--context', 'containerd', '--bucket', 'ackone-sandbox', '--access', 'vpc'], {
      env: sandboxEnv(sandbox),
    });
    await walk(terminal, 'found', 'review');
    for (const [typed, seen] of way) {
      terminal.type(typed);
      await terminal.sees(seen);
      await terminal.settled();
    }
    await terminal.press('ctrlC');
    expect(await terminal.ended()).toBe(130);
    expect(lastLine()).toBe('Interrupted: nothing was changed.');
    expect(terminal.faults()).toEqual([]);
    expect(writes(sandbox)).toEqual([]);
  });

  it('at a cluster that is refused', async () => {
    terminal = wizard(['--context', 'forbidden'], { env: sandboxEnv(sandbox) });
    await terminal.sees('What now?');
    await terminal.press('ctrlC');
    expect(await terminal.ended()).toBe(130);
    expect(lastLine()).toBe('Interrupted: nothing was changed.');
    expect(terminal.faults()).toEqual([]);
  });

  it('after a publication that failed: one line says what was taken back', async () => {
    sandbox.faults.add({ request: /^PUT .*join-/, times: 100, effect: { status: 403, headers: {}, body: 'no' } });
    await upTo('review');
    await terminal.press('enter');
    await terminal.sees('What now?');
    await terminal.press('ctrlC');
    expect(await terminal.ended()).toBe(130);
    expect(lastLine()).toMatch(/^Interrupted: .*taken back: .*Secret kube-system\/bootstrap-token-[a-z0-9]{6}/);
    expect(terminal.faults()).toEqual([]);
  });

  it('while it publishes: what was made is taken back, and said', async () => {
    const url = liveUrl(sandbox);
    const before = await publishing();
    await terminal.press('ctrlC');
    expect(await terminal.ended()).toBe(130);
    expect(lastLine()).toMatch(/^Interrupted: taken back: Secret kube-system\/bootstrap-token-[a-z0-9]{6}/);
    expect(terminal.faults()).toEqual([]);
    expect(tokenIds(sandbox)).toEqual(before);
    expect(liveUrl(sandbox)).toBe(url);
  });
});

describe('from outside', () => {
  it('SIGTERM at a question', async () => {
    await upTo('found');
    await terminal.signal('SIGTERM');
    expect(await terminal.ended()).toBe(143);
    expect(lastLine()).toBe('Interrupted: nothing was changed.');
    expect(terminal.faults()).toEqual([]);
    expect(writes(sandbox)).toEqual([]);
  });

  it('SIGTERM while it publishes', async () => {
    const before = await publishing();
    await terminal.signal('SIGTERM');
    expect(await terminal.ended()).toBe(143);
    expect(lastLine()).toMatch(/^Interrupted: taken back/);
    expect(terminal.faults()).toEqual([]);
    expect(tokenIds(sandbox)).toEqual(before);
  });

  it('the window is closed at a question', async () => {
    await upTo('found', { alone: true });
    terminal.hangUp();
    expect(await terminal.ended()).toBe(129);
    expect(writes(sandbox)).toEqual([]);
  });

  it('the window is closed while it publishes: what was made is taken back', async () => {
    const before = tokenIds(sandbox);
    sandbox.clusters.get('containerd')!.controllers = false;
    await upTo('review', { alone: true });
    await terminal.press('enter');
    await terminal.until(() => tokenIds(sandbox).length > before.length, 'for the token to be made');
    terminal.hangUp();
    expect(await terminal.ended()).toBe(129);
    expect(tokenIds(sandbox)).toEqual(before);
  });
});

describe('Ctrl-Z and fg', () => {
  it('leave a sane terminal meanwhile, and go on where it was', async () => {
    await upTo('bucket');
    await terminal.press('down', 'ctrlZ');
    await terminal.stopped();
    expect(terminal.faults('stopped')).toEqual([]);
    terminal.foreground();
    await terminal.sees(/Which OSS bucket\?.*› ackone-plain/s);
    // The frame that was taken away is not left behind.
    expect(terminal.screen.everything().split('Which OSS bucket?')).toHaveLength(2);
    await terminal.press('up', 'enter');
    await terminal.sees('Who may read the script?');
    await terminal.press('ctrlC');
    expect(await terminal.ended()).toBe(130);
    expect(terminal.faults()).toEqual([]);
  });

  it('while it publishes: nothing is lost, and it ends as if nothing had been', async () => {
    await publishing();
    await terminal.press('ctrlZ');
    await terminal.stopped();
    expect(terminal.faults('stopped')).toEqual([]);
    terminal.foreground();
    sandbox.clusters.get('containerd')!.controllers = true;
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen.everything()).toContain(liveUrl(sandbox));
    expect(terminal.screen.everything().split('✔ History entry written')).toHaveLength(2);
    expect(terminal.faults()).toEqual([]);
  });
});
