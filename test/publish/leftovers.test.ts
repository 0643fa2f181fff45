/** Taking back and cleaning up: only what is ours, never what is live, and whatever the moment. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Interrupted } from '../../src/errors.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { run, sandboxEnv } from '../support/program.ts';
import { call, connectionOf } from '../support/raw-api.ts';
import {
  configMap,
  type Entry,
  history,
  liveUrl,
  objectKeys,
  secretNames,
  tokenIds,
  writes,
} from '../support/world.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.close());

const init = (...words: string[]) => run(['init', '--yes', ...words], sandboxEnv(sandbox));
const read = async (url: string) => (await fetch(url)).text();
const patch = (name: string, data: Record<string, string>) =>
  call(
    connectionOf(readFileSync(sandbox.kubeconfig, 'utf8')),
    'PATCH',
    `/api/v1/namespaces/kube-system/configmaps/${name}`,
    { data },
    'application/merge-patch+json',
  );
const rewrite = (change: (entries: readonly Entry[]) => readonly object[]) =>
  patch('ackone-join', {
    'history.json': JSON.stringify({ schema: 'ackone-join/history/v1', entries: change(history(sandbox)) }),
  });
/** An entry as a run leaves it that died after it had written it. */
const died = (entry: Entry, more: Partial<Entry>): Entry => ({
  ...entry,
  number: entry.number + 1,
  state: 'abandoned',
  ...more,
});

/** The live script can be read, and the token in it exists. */
async function expectAlive(): Promise<void> {
  const token = /JOIN_TOKEN='([a-z0-9]{6})\./.exec(await read(liveUrl(sandbox)!))?.[1];
  expect(tokenIds(sandbox)).toContain(token);
}

describe('after the switch', () => {
  it('takes nothing back when the history cannot be completed, and exits 7', async () => {
    await init();
    sandbox.faults.add({
      request: /^PATCH .*\/configmaps\/ackone-join/,
      nth: 2,
      times: 100,
      effect: { status: 403, headers: {}, body: 'no' },
    });
    const { exit, stderr } = await init('--new-token');
    expect([exit, stderr]).toEqual([7, expect.stringContaining(`${liveUrl(sandbox)} is live`)]);
    expect(stderr).not.toContain('taken back');
    expect(history(sandbox).at(-1)).toMatchObject({ state: 'pending', url: liveUrl(sandbox) });
    await expectAlive();
  });

  it('an interrupt comes too late: the run is completed', async () => {
    await init();
    const interrupt = new AbortController();
    const watch = setInterval(() => {
      const switched = sandbox.faults.seen.filter(
        ({ method, path }) => method === 'PATCH' && path.includes('ack-agent'),
      );
      if (switched.length === 2) interrupt.abort(new Interrupted(130));
    }, 0);
    const { exit } = await run(['init', '--yes', '--new-token'], sandboxEnv(sandbox), interrupt);
    clearInterval(watch);
    expect(interrupt.signal.aborted).toBe(true);
    expect(exit).toBe(0);
    expect(history(sandbox).at(-1)).toMatchObject({ state: 'live', url: liveUrl(sandbox) });
    await expectAlive();
  });
});

describe('before the switch', () => {
  it('an interrupt after the upload takes the object back as well', async () => {
    await init();
    const before = [objectKeys(sandbox), tokenIds(sandbox), liveUrl(sandbox)];
    const interrupt = new AbortController();
    const watch = setInterval(() => {
      const uploads = sandbox.faults.seen.filter(({ method, path }) => method === 'PUT' && path.includes('/join-'));
      if (uploads.length === 2) interrupt.abort(new Interrupted(130));
    }, 0);
    const { exit, stderr } = await run(['init', '--yes', '--new-token'], sandboxEnv(sandbox), interrupt);
    clearInterval(watch);
    expect([exit, stderr]).toEqual([130, expect.stringMatching(/taken back: oss:\/\/.*taken back: Secret/)]);
    expect([objectKeys(sandbox), tokenIds(sandbox), liveUrl(sandbox)]).toEqual(before);
    expect(history(sandbox).at(-1)!.state).toBe('failed');
  });

  it('a run that was taken over while it slept does not switch', async () => {
    await init();
    const url = liveUrl(sandbox);
    sandbox.faults.add({ request: /^PUT .*\/join-/, effect: 'hang' });
    const slow = init('--new-token', '--timeout', '2s');
    while (history(sandbox).length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    await rewrite((entries) =>
      entries.map((entry) => (entry.state === 'pending' ? { ...entry, state: 'failed' } : entry)),
    );
    const { exit, stderr } = await slow;
    expect([exit, stderr]).toEqual([3, expect.stringContaining('AnotherRun')]);
    expect(liveUrl(sandbox)).toBe(url);
  });
});

describe('an object that stands where the script is to go', () => {
  const bucket = 'ackone-sandbox';
  const key = 'ackone-join/fixed.sh';
  const put = (text: string) => sandbox.oss.files.put(bucket, { key, headers: {}, acl: 'default' }, Buffer.from(text));

  it('is seen before anything is written', async () => {
    put('theirs');
    sandbox.faults.seen.length = 0;
    const { exit, stderr } = await init('--object-key', key);
    expect([exit, stderr]).toEqual([5, expect.stringContaining('ObjectExists')]);
    expect(writes(sandbox)).toEqual([]);
  });

  it('is not deleted after a run that died before its upload', async () => {
    await init();
    put('theirs');
    const url = liveUrl(sandbox)!.replace(/\/ackone-join\/.*/, `/${key}`);
    await rewrite((entries) => [...entries, died(entries[0]!, { key, url, tokenId: 'zzzzzz' })]);
    expect((await init()).exit).toBe(0);
    expect(objectKeys(sandbox)).toContain(key);
    expect(history(sandbox)[1]!.state).toBe('failed');
  });

  it('with a fixed key: another script is refused, and the live one is still known as ours', async () => {
    expect((await init('--object-key', key)).exit).toBe(0);
    expect((await init('--object-key', key, '--firewall', 'keep')).exit).toBe(5);
    await rewrite((entries) => [...entries, died(entries[0]!, { tokenId: 'zzzzzz', state: 'failed' })]);
    expect((await init('--object-key', key)).stdout).toContain('No changes');
  });

  it('keys that begin alike are not the same', async () => {
    await init('--object-key', 'ackone-join/a.sh.old');
    expect((await init('--object-key', 'ackone-join/a.sh')).exit).toBe(0);
    expect(liveUrl(sandbox)).toMatch(/\/a\.sh$/);
  });

  it('that was altered by somebody is not "no changes", and the way out is said', async () => {
    await init();
    const live = objectKeys(sandbox)[0]!;
    sandbox.oss.files.put(bucket, { key: live, headers: {}, acl: 'default' }, Buffer.from('#!/bin/bash\nevil\n'));
    sandbox.faults.seen.length = 0;
    const { exit, stderr } = await init();
    expect([exit, stderr]).toEqual([5, expect.stringContaining('--new-token')]);
    expect(writes(sandbox)).toEqual([]);
    expect((await init('--new-token')).exit).toBe(0);
    await expectAlive();
  });

  it('that was deleted is put there again, with the same token', async () => {
    await init();
    const [first] = history(sandbox);
    sandbox.oss.files.delete(bucket, first!.key!);
    expect((await init()).exit).toBe(0);
    expect(history(sandbox).at(-1)).toMatchObject({ tokenId: first!.tokenId, url: first!.url, state: 'live' });
    await expectAlive();
    expect((await init()).stdout).toContain('No changes');
  });
});

describe('what a run left that died', () => {
  it('a signed URL anew for the same object: the object stays', async () => {
    const words = ['--bucket', 'ackone-plain', '--access', 'presigned'];
    await init(...words);
    const url = liveUrl(sandbox)!;
    await rewrite((entries) => [...entries, died(entries[0]!, { url: url.replace(/signature=\w/, 'signature=0') })]);
    sandbox.faults.add({ request: /^PUT .*\/join-/, times: 10, effect: { status: 403, headers: {}, body: 'no' } });
    await init(...words, '--new-token');
    expect(objectKeys(sandbox, 'ackone-plain')).toContain(history(sandbox)[0]!.key);
    await expectAlive();
  });

  it('in a bucket that is used no more: is remembered, and does not make every run publish', async () => {
    await init();
    const url = 'https://ackone-former.oss-cn-hangzhou-internal.aliyuncs.com/ackone-join/c/join-0123456789ab.sh';
    await rewrite((entries) => [...entries, died(entries[0]!, { url, key: 'ackone-join/c/join-0123456789ab.sh' })]);
    expect((await init()).stdout).toContain('No changes');
    expect(history(sandbox)).toHaveLength(2);
    expect(history(sandbox)[1]!.state).toBe('abandoned');
  });
});

describe('what was live before us', () => {
  it('with a URL that no history could hold: the next run can read the history', async () => {
    await patch('ack-agent-config', { addNodeScriptPath: `https://example.com/${'x'.repeat(1200)}\nfoo` });
    expect((await init('--replace-foreign')).exit).toBe(0);
    expect((await init()).stdout).toContain('No changes');
  });

  it('is copied by the second run, when the first one died before it could', async () => {
    const url = `${sandbox.known.nodeEndpoint}/ackone-sandbox/ackone-join/before.sh`;
    sandbox.oss.files.put(
      'ackone-sandbox',
      { key: 'ackone-join/before.sh', headers: {}, acl: 'default' },
      Buffer.from('#!/bin/bash\n'),
    );
    await patch('ack-agent-config', { addNodeScriptPath: url });
    sandbox.faults.add({ request: /^POST .*\/secrets$/, times: 10, effect: { status: 403, headers: {}, body: 'no' } });
    expect((await init('--replace-foreign')).exit).toBe(4);
    sandbox.faults.clear();
    expect(secretNames(sandbox)).not.toContain('ackone-join-original');
    expect((await init('--replace-foreign')).exit).toBe(0);
    expect(secretNames(sandbox)).toContain('ackone-join-original');
    expect(history(sandbox)[0]).toMatchObject({ number: 0, url });
  });

  it('that somebody changes between plan and switch stays theirs, and all is taken back', async () => {
    await init();
    const before = [tokenIds(sandbox), objectKeys(sandbox)];
    const cluster = sandbox.clusters.get('containerd')!;
    cluster.controllers = false;
    const slow = init('--new-token');
    while (tokenIds(sandbox).length === before[0]!.length) await new Promise((resolve) => setTimeout(resolve, 5));
    await patch('ack-agent-config', { addNodeScriptPath: 'https://example.com/theirs.sh' });
    cluster.controllers = true;
    const { exit, stderr } = await slow;
    expect([exit, stderr]).toEqual([3, expect.stringContaining('LiveScriptChanged')]);
    expect(liveUrl(sandbox)).toBe('https://example.com/theirs.sh');
    expect([tokenIds(sandbox), objectKeys(sandbox)]).toEqual(before);
  });

  it('is nothing when the ConfigMap has no data at all', async () => {
    const path = '/api/v1/namespaces/kube-system/configmaps/ack-agent-config';
    const connection = connectionOf(readFileSync(sandbox.kubeconfig, 'utf8'));
    await call(connection, 'PATCH', path, { data: null }, 'application/merge-patch+json');
    expect((await init()).exit).toBe(0);
    expect(configMap(sandbox, 'ack-agent-config')).toEqual({ addNodeScriptPath: history(sandbox)[0]!.url });
  });

  it('is a foreign script when the history was deleted, and the original of then is kept', async () => {
    await init();
    const path = '/api/v1/namespaces/kube-system/configmaps/ackone-join';
    await call(connectionOf(readFileSync(sandbox.kubeconfig, 'utf8')), 'DELETE', path);
    expect(await init()).toMatchObject({ exit: 3, stderr: expect.stringContaining('ForeignScript') });
    expect((await init('--replace-foreign')).exit).toBe(0);
    expect(secretNames(sandbox)).toContain('ackone-join-original');
    await expectAlive();
  });

  it('keeps the other keys of the ConfigMap', async () => {
    await patch('ack-agent-config', { enableNodepool: 'true' });
    await init();
    expect(configMap(sandbox, 'ack-agent-config')).toMatchObject({ enableNodepool: 'true' });
  });
});
