/** A run that dies at any moment: what is live stays live and whole, and the next run cleans up and finishes. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { start } from '../support/process.ts';
import { run, sandboxEnv } from '../support/program.ts';
import { call, connectionOf } from '../support/raw-api.ts';
import { history, liveUrl, objectKeys, tokenIds } from '../support/world.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startSandbox();
  published = new Set();
  foreignTokens = tokenIds(sandbox);
});
afterEach(() => sandbox.close());

const init = (...words: string[]) => run(['init', '--yes', ...words], sandboxEnv(sandbox));
const isWrite = (line: { method: string; path: string }) =>
  line.method !== 'GET' && !line.path.includes('/selfsubject');

/** The published script, read as a node reads it, and the token in it. */
async function live(): Promise<{ text: string; tokenId: string }> {
  const response = await fetch(liveUrl(sandbox)!);
  const text = await response.text();
  expect(response.status).toBe(200);
  expect(text.endsWith('main "$@"\n')).toBe(true);
  return { text, tokenId: /JOIN_TOKEN='([a-z0-9]{6})\./.exec(text)![1]! };
}

async function expectAlive(): Promise<void> {
  expect(tokenIds(sandbox)).toContain((await live()).tokenId);
}

/** Token ids and object keys of all publications so far: the history keeps ten of them only. */
let published = new Set<string | undefined>();
let foreignTokens: readonly string[] = [];

/** Nothing of ours is there that no publication accounts for. */
function expectNothingOrphaned(): void {
  for (const { state, tokenId, key } of history(sandbox)) {
    if (state === 'live' || state === 'superseded') published.add(tokenId).add(key);
  }
  const ours = [...tokenIds(sandbox).filter((id) => !foreignTokens.includes(id)), ...objectKeys(sandbox)];
  expect(ours.filter((name) => !published.has(name))).toEqual([]);
  expect(history(sandbox).filter(({ state }) => state === 'pending' || state === 'abandoned')).toEqual([]);
}

/** As if ten minutes had passed since the run that is pending wrote its entry. */
async function letTimePass(): Promise<void> {
  const entries = history(sandbox).map((entry) =>
    entry.state === 'pending'
      ? { ...entry, time: new Date(Date.parse(entry.time) - 11 * 60_000).toISOString() }
      : entry,
  );
  const text = JSON.stringify({ schema: 'ackone-join/history/v1', entries });
  await call(
    connectionOf(readFileSync(sandbox.kubeconfig, 'utf8')),
    'PATCH',
    '/api/v1/namespaces/kube-system/configmaps/ackone-join',
    { data: { 'history.json': text } },
    'application/merge-patch+json',
  );
}

/** How many requests a second publication makes, and which of them is the first that writes. */
async function rehearse(): Promise<{ first: number; total: number }> {
  sandbox.faults.seen.length = 0;
  expect((await init('--new-token')).exit).toBe(0);
  const { seen } = sandbox.faults;
  expectNothingOrphaned();
  return { first: seen.findIndex(isWrite) + 1, total: seen.length };
}

describe('SIGKILL', () => {
  it('at every request from the first write on', async () => {
    expect((await init()).exit).toBe(0);
    const { first, total } = await rehearse();
    expect(first).toBeGreaterThan(0);
    const states = new Set<string>();
    for (let request = first; request <= total + 1; request += 1) {
      sandbox.faults.seen.length = 0;
      sandbox.faults.add({ request: /./, nth: request, times: 1000, effect: 'hang' });
      const { child, ended } = start(['init', '--yes', '--new-token'], sandboxEnv(sandbox));
      await reached(request, ended);
      child.kill('SIGKILL');
      const { exit } = await ended;
      sandbox.faults.clear();
      await expectAlive();

      const pending = history(sandbox).some(({ state }) => state === 'pending');
      states.add(`${exit === undefined ? 'killed' : 'done'}, ${pending ? 'pending' : 'not pending'}`);
      if (pending) {
        const blocked = await init();
        expect([blocked.exit, blocked.stderr]).toEqual([3, expect.stringContaining('AnotherRun')]);
        await letTimePass();
      }
      const next = await init();
      expect([request, next.exit, next.stderr.includes('Error')]).toEqual([request, 0, false]);
      await expectAlive();
      expectNothingOrphaned();
    }
    // The loop has met both: deaths that leave a pending entry, and a run that was through already.
    expect([...states]).toEqual(expect.arrayContaining(['killed, pending']));
  });
});

/** Waits until so many requests have arrived, or the run has ended without making them. */
async function reached(count: number, ended: Promise<unknown>): Promise<void> {
  let over = false;
  void ended.then(() => {
    over = true;
  });
  while (!over && sandbox.faults.seen.length < count) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe('a signal that can be caught', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s while it waits for the signature: takes the token back and exits %i', async (signal, code) => {
    expect((await init()).exit).toBe(0);
    const before = tokenIds(sandbox);
    sandbox.clusters.get('containerd')!.controllers = false;
    const { child, ended } = start(['init', '--yes', '--new-token'], sandboxEnv(sandbox));
    while (tokenIds(sandbox).length === before.length) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill(signal);
    const { exit, stderr } = await ended;
    expect(exit).toBe(code);
    expect(stderr).toMatch(/Interrupted: taken back: Secret kube-system\/bootstrap-token-[a-z0-9]{6}/);
    expect(tokenIds(sandbox)).toEqual(before);
    await expectAlive();
    expect(history(sandbox).at(-1)!.state).toBe('failed');
  });

  it('SIGINT while it still reads: nothing was changed', async () => {
    sandbox.faults.add({ request: /\/nodes/, effect: 'hang' });
    const { child, ended } = start(['init', '--yes'], sandboxEnv(sandbox));
    await reached(5, ended);
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ exit: 130, stderr: 'Interrupted: nothing was changed.\n' });
  });
});

describe('a failure on the way', () => {
  it.each([
    ['the token is refused', /^POST .*\/secrets$/, 4],
    ['the upload fails', /^PUT .*join-/, 5],
    ['the switch fails', /^PATCH .*\/ack-agent-config/, 4],
  ] as const)('%s: all is taken back, and the next run finishes', async (_, request, code) => {
    expect((await init()).exit).toBe(0);
    const url = liveUrl(sandbox);
    sandbox.faults.add({ request, times: 100, effect: { status: 403, headers: {}, body: 'no' } });
    const { exit, stderr } = await init('--new-token');
    expect([exit, stderr]).toEqual([code, expect.stringContaining('the live script is what it was')]);
    expect(liveUrl(sandbox)).toBe(url);
    expectNothingOrphaned();
    sandbox.faults.clear();
    expect((await init('--new-token')).exit).toBe(0);
    expect(liveUrl(sandbox)).not.toBe(url);
    expectNothingOrphaned();
  });

  it('a switch whose answer is lost is found out by reading, and is no failure', async () => {
    expect((await init()).exit).toBe(0);
    sandbox.faults.add({ request: /^PATCH .*\/ack-agent-config/, effect: 'reset after' });
    expect((await init('--new-token')).exit).toBe(0);
    expect(history(sandbox).at(-1)).toMatchObject({ state: 'live', url: liveUrl(sandbox) });
  });

  it('a switch that cannot be read back exits 7 and takes nothing back', async () => {
    expect((await init()).exit).toBe(0);
    sandbox.faults.add({ request: /^PATCH .*\/ack-agent-config/, effect: 'reset after' });
    sandbox.faults.add({ request: /^GET .*\/ack-agent-config/, nth: 2, times: 100, effect: 'reset' });
    const { exit, stderr } = await init('--new-token');
    sandbox.faults.clear();
    expect([exit, stderr]).toEqual([7, expect.stringContaining('SwitchedButUnverified')]);
    await expectAlive();
  });
});

describe('two runs at once', () => {
  it('one wins, the other says so', async () => {
    const ended = await Promise.all([init(), init()]);
    expect(ended.map(({ exit }) => exit).toSorted()).toEqual([0, 3]);
    expect(ended.find(({ exit }) => exit === 3)!.stderr).toContain('AnotherRun');
    await expectAlive();
    expectNothingOrphaned();
  });
});
