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

  it('policy: is said, with what was taken back; trying again publishes', async () => {
    const url = liveUrl(sandbox);
    const tokens = tokenIds(sandbox);
    const bucket = sandbox.oss.buckets.find(({ name }) => name === 'ackone-plain')!;
    await terminal.close();
    terminal = wizard(['--bucket', bucket.name, '--access', 'vpc'], { env: sandboxEnv(sandbox), rows: 40 });
    await walk(terminal, 'cluster', 'found');
    await terminal.press('enter');
    await terminal.sees('› Yes, add it');
    await terminal.press('enter');
    await walk(terminal, 'review');
    sandbox.faults.add({ request: /^PUT \/ackone-plain\/?\?policy/, times: 100, effect: refused });
    await terminal.press('enter');
    await terminal.sees('› Try again');
    const left = terminal.screen.everything();
    expect(left).toMatch(
      /^✔ Token made, signed and proven .*\n✘ Bucket policy not written {2}bucket policy of ackone-plain/m,
    );
    expect(left).not.toContain('Script uploaded');
    expect(left).toMatch(/^Problem: .*PutBucketPolicy on bucket ackone-plain/m);
    expect(left).toMatch(/^ {2}- taken back: Secret kube-system\/bootstrap-token-[a-z0-9]{6} /m);
    expect(left).toMatch(/^ {2}- the live script is what it was$/m);
    expect(left).toMatch(/^› Try again\n {2}Choose another cluster\n {2}Change an answer\n {2}Leave$/m);
    expect(liveUrl(sandbox)).toBe(url);
    expect(tokenIds(sandbox)).toEqual(tokens);
    expect([objectKeys(sandbox, bucket.name), bucket.policy]).toEqual([[], undefined]);
    expect(history(sandbox).at(-1)!.state).toBe('failed');

    sandbox.faults.clear();
    await terminal.press('enter');
    await walk(terminal, 'review');
    await terminal.press('enter');
    expect(await terminal.ended()).toBe(0);
    expect(bucket.policy?.Statement).toHaveLength(1);
    expect(history(sandbox).at(-1)).toMatchObject({ state: 'live', url: liveUrl(sandbox) });
    expect(terminal.faults()).toEqual([]);
  });

  it('complete: the new script is live and stays, and a second run has to wait', async () => {
    const before = liveUrl(sandbox);
    await toReview();
    sandbox.faults.add({ request: /^PATCH .*\/configmaps\/ackone-join$/, times: 100, effect: refused });
    await terminal.press('enter');
    await terminal.sees('› Try again');
    const left = terminal.screen.everything();
    const url = liveUrl(sandbox)!;
    expect(url).not.toBe(before);
    expect(left).toMatch(/^✔ Script URL switched /m);
    expect(left).toMatch(/^✘ History not completed /m);
    // One line of the screen, or several: it is wrapped.
    const flowing = left.replace(/\s+/g, ' ');
    expect(flowing).toContain(`Problem: ${url} is live, and the history could not be completed`);
    expect(flowing).toContain('Next: Run the same command again after ten minutes: it sets the history right.');
    expect(flowing).toContain('could not patch configmaps kube-system/ackone-join');
    expect(left).not.toContain('taken back');
    expect(left).not.toContain('the live script is what it was');
    expect(left).toMatch(/^› Try again\n {2}Choose another cluster\n {2}Change an answer\n {2}Leave$/m);
    expect(objectKeys(sandbox)).toHaveLength(1);
    expect(history(sandbox).at(-1)).toMatchObject({ state: 'pending', url });

    sandbox.faults.clear();
    await terminal.press('enter');
    await walk(terminal, 'review');
    expect(terminal.screen.text()).toContain('has been publishing since');
    await terminal.press('enter');
    await terminal.sees('› Try again');
    await terminal.sees('Next: Wait for it, or run again after ten minutes');
    expect(liveUrl(sandbox)).toBe(url);
    await terminal.press('down', 'down', 'down', 'enter');
    expect(await terminal.ended()).toBe(3);
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
