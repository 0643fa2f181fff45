/** What each way to end says: on stdout the result in the form that was asked for, everything else on stderr. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Failure, Interrupted } from '../../src/errors.ts';
import { planJson } from '../../src/output/json.ts';
import { openOutput } from '../../src/output/terminal.ts';
import type { Plan } from '../../src/publish/types.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { run, sandboxEnv } from '../support/program.ts';
import { call, connectionOf } from '../support/raw-api.ts';
import { history, liveUrl, objectKeys, tokenIds } from '../support/world.ts';

let sandbox: Sandbox;
let folder: string;
beforeEach(async () => {
  sandbox = await startSandbox();
  folder = mkdtempSync(join(tmpdir(), 'ackone-join-test-'));
});
afterEach(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

const init = (...words: string[]) => run(['init', ...words], sandboxEnv(sandbox));
const joinCommand = `kubeadm join 192.0.2.10:6443 --token abcdef.0123456789abcdef --discovery-token-ca-cert-hash sha256:${'a'.repeat(64)}`;

describe('-o json', () => {
  it('a dry run gives a plan, with changes and without', async () => {
    const first = JSON.parse((await init('--dry-run', '-o', 'json')).stdout) as Plan;
    await init('--yes');
    const second = JSON.parse((await init('--dry-run', '-o', 'json')).stdout) as Plan;
    expect([first, second]).toMatchObject([
      { schema: 'ackone-join/plan/v1', changes: true },
      { schema: 'ackone-join/plan/v1', changes: false, url: liveUrl(sandbox) },
    ]);
    expect(second.steps.every(({ action }) => action === 'keep')).toBe(true);
  });

  it('no changes: what is live, whichever version of the tool published it', async () => {
    await init('--yes');
    const [key] = objectKeys(sandbox);
    const older = sandbox.oss.files
      .body('ackone-sandbox', key!)
      .toString()
      .replace(/Made by ackone-join \S+/, '$&.older');
    sandbox.oss.files.put('ackone-sandbox', { key: key!, headers: {}, acl: 'default' }, Buffer.from(older));
    await run(['init', '--yes', '--object-key', 'ackone-join/other.sh'], sandboxEnv(sandbox));
    const { stdout } = await init('--yes', '--object-key', 'ackone-join/other.sh', '-o', 'json');
    expect(JSON.parse(stdout)).toMatchObject({
      changed: false,
      url: liveUrl(sandbox),
      object: { bucket: 'ackone-sandbox', key: 'ackone-join/other.sh' },
    });
  });

  it('a failure is one document, with --debug as well', async () => {
    const { stderr } = await init('--yes', '--bucket', 'ackone-plain', '-o', 'json', '--debug');
    expect(JSON.parse(stderr)).toMatchObject({ schema: 'ackone-join/error/v1', error: { code: 'NodesCannotRead' } });
  });

  it('an interrupt is one too', () => {
    let err = '';
    const output = openOutput(
      { json: true, quiet: false, debug: false },
      { out: () => {}, err: (text) => (err += text) },
    );
    expect(output.failure(new Interrupted(130, ['taken back: x']))).toBe(130);
    expect(JSON.parse(err)).toMatchObject({
      schema: 'ackone-join/error/v1',
      error: { code: 'Interrupted', causes: ['taken back: x'] },
    });
  });

  it('holds nothing that a terminal acts on', () => {
    const text = planJson({ context: 'a\u009b2Jb\u202ec\u{e0041}' } as Plan);
    expect(text).not.toMatch(/[\u0080-\u009f\u202e]|\u{e0041}/u);
    expect(JSON.parse(text)).toMatchObject({ context: 'a\u009b2Jb\u202ec\u{e0041}' });
  });
});

describe('a join command of the user', () => {
  it('is published without a token of ours, and again is no change', async () => {
    const before = tokenIds(sandbox);
    const { exit, stderr } = await init('--yes', '--join-command', joinCommand);
    expect([exit, stderr]).toEqual([0, expect.stringContaining('Use --join-command-file.')]);
    expect(stderr).not.toContain('0123456789abcdef');
    expect(tokenIds(sandbox)).toEqual(before);
    expect((await init('--yes', '--join-command', joinCommand)).stdout).toContain('No changes');
  });

  it('without its quotes does not bring the token onto the screen', async () => {
    for (const words of [joinCommand.split(' '), joinCommand.replace('--token ', '--token=').split(' ')]) {
      const { exit, stdout, stderr } = await init('--join-command', ...words, '--debug');
      expect(exit).toBe(2);
      expect(stdout + stderr).not.toContain('0123456789abcdef');
    }
  });
});

describe('the terms of the token', () => {
  it('other than the live token has: another token is made', async () => {
    await init('--yes');
    const plan = JSON.parse((await init('--dry-run', '--token-ttl', '24h', '-o', 'json')).stdout) as Plan;
    expect(plan.changes).toBe(true);
    expect((await init('--yes', '--token-ttl', '24h')).exit).toBe(0);
    const [first, second] = history(sandbox);
    expect(second!.tokenId).not.toBe(first!.tokenId);
    const again = await init('--yes', '--token-ttl', '24h');
    expect(again.stdout).toContain('No changes');
    expect(again.stderr).toMatch(/Warning: the token stops working at \d{4}-/);
    expect((await init('--yes')).stdout).toContain('Published');
  });

  it('a live token that has expired is replaced', async () => {
    await init('--yes');
    const { tokenId } = history(sandbox)[0]!;
    const expiration = Buffer.from('2020-01-01T00:00:00Z').toString('base64');
    await kubernetes('PATCH', `/api/v1/namespaces/kube-system/secrets/bootstrap-token-${tokenId}`, {
      data: { expiration },
    });
    expect((await init('--yes')).exit).toBe(0);
    expect(history(sandbox).at(-1)!.tokenId).not.toBe(tokenId);
  });
});

describe('--script-url', () => {
  const bucket = 'ackone-sandbox';
  const key = 'ackone-join/served.sh';
  const serve = (file: string) =>
    sandbox.oss.files.put(bucket, { key, headers: {}, acl: 'default' }, readFileSync(file));
  const publishAt = (...more: string[]) => {
    const env = { ...sandboxEnv(sandbox), ACKONE_JOIN_BUCKET: '', ACKONE_JOIN_OSS_ENDPOINT: '' };
    const url = `${sandbox.known.nodeEndpoint}/${bucket}/${key}`;
    return run(['init', '--yes', '--script-url', url, '--output-file', join(folder, 'join.sh'), ...more], env);
  };

  it('does not say "Published" of what waits to be served', async () => {
    const { exit, stdout } = await publishAt();
    expect([exit, stdout]).toEqual([3, expect.stringMatching(/^Prepared {3}http/)]);
    expect(JSON.parse((await publishAt('-o', 'json')).stdout)).toMatchObject({
      state: 'prepared',
      readability: { answer: 'unknown' },
    });
  });

  it('asked again and again before it is served: one entry waits, with the same token', async () => {
    for (let count = 0; count < 3; count += 1) expect((await publishAt()).exit).toBe(3);
    expect(history(sandbox).filter(({ state }) => state === 'prepared')).toHaveLength(1);
    expect(new Set(history(sandbox).map(({ tokenId }) => tokenId)).size).toBe(1);
  });

  it('with --new-token: the same command a second time switches to the token of the first', async () => {
    await publishAt();
    serve(join(folder, 'join.sh'));
    expect((await publishAt()).exit).toBe(0);
    expect((await publishAt('--new-token')).exit).toBe(3);
    serve(join(folder, 'join.sh'));
    expect((await publishAt('--new-token')).exit).toBe(0);
    expect(history(sandbox).map(({ state }) => state)).toEqual(['superseded', 'superseded', 'superseded', 'live']);
    expect(history(sandbox).at(-1)!.tokenId).not.toBe(history(sandbox)[0]!.tokenId);
    expect((await publishAt()).stdout).toContain('No changes');
  });
});

describe('a signed URL', () => {
  const words = ['--bucket', 'ackone-plain', '--access', 'presigned'];
  it('that is live: the warning says when that one dies', async () => {
    await init('--yes', ...words);
    await rewriteLive((url) => url.replace(/x-oss-date=\d{8}T\d{6}Z/, `x-oss-date=${basic(threeDaysAgo)}`));
    const { stdout } = await init('--yes', ...words, '-o', 'json');
    const dies = new Date(threeDaysAgo.getTime() + 7 * 86_400_000).toISOString();
    const later = JSON.parse(stdout) as { changed: boolean; findings: { code: string; what: string }[] };
    expect(later.changed).toBe(false);
    const again = later.findings.find(({ code }) => code === 'PresignedUrlDies')!;
    expect(again.what).toContain(dies.slice(0, 19));
    expect((await init('--dry-run', ...words, '--detailed-exitcode')).exit).toBe(0);
    await rewriteLive((url) => url.replace(/x-oss-expires=\d+/, `x-oss-expires=${3 * 86_400}`));
    expect((await init('--dry-run', ...words, '--detailed-exitcode')).exit).toBe(6);
  });

  it('is no change from presigned to a policy and back: the URL changes, the object stays', async () => {
    await init('--yes', ...words);
    expect((await init('--yes', '--bucket', 'ackone-plain', '--access', 'vpc')).exit).toBe(0);
    expect(liveUrl(sandbox)).not.toContain('?');
    expect(objectKeys(sandbox, 'ackone-plain')).toHaveLength(1);
  });
});

it('warns when the bucket lets everybody read, though nobody asked for that', async () => {
  const bucket = sandbox.oss.buckets.find(({ name }) => name === 'ackone-plain')!;
  Object.assign(bucket, { acl: 'public-read', blockPublicAccess: false });
  // So that it can be asked whether Block Public Access is on.
  sandbox.oss.acceptV1 = true;
  const words = ['--yes', '--bucket', 'ackone-plain'];
  expect((await init(...words)).stderr).toContain('Warning: everybody on the internet can read the script');
  expect((await init('--yes')).stderr).not.toContain('everybody');
});

it('follows --access where the script stays the same: opens the object, and closes it again', async () => {
  sandbox.oss.acceptV1 = true;
  Object.assign(sandbox.oss.buckets.find(({ name }) => name === 'ackone-plain')!, { blockPublicAccess: false });
  const fromAnywhere = async () => (await fetch(liveUrl(sandbox)!, { headers: { 'x-sandbox-vpc': 'none' } })).status;
  const publishFor = (...access: string[]) => init('--yes', '--bucket', 'ackone-plain', '--access', ...access);
  await publishFor('vpc');
  const url = liveUrl(sandbox);
  expect(await fromAnywhere()).toBe(403);
  const asked = await init('--dry-run', '--bucket', 'ackone-plain', '--access', 'public-read');
  expect([asked.exit, asked.stdout]).toEqual([0, expect.stringContaining('Give --confirm ackone-plain')]);
  const opening = await publishFor('public-read', '--confirm', 'ackone-plain');
  expect(opening.stdout).toContain('Published');
  expect(opening.stderr).toMatch(/~ oss:\/\/\S+, for everybody to read/);
  expect([liveUrl(sandbox), await fromAnywhere()]).toEqual([url, 200]);
  expect((await publishFor('public-read', '--confirm', 'ackone-plain')).stdout).toContain('No changes');
  expect((await publishFor('vpc')).stdout).toContain('Published');
  expect([liveUrl(sandbox), await fromAnywhere()]).toEqual([url, 403]);
  expect((await publishFor('vpc')).stdout).toContain('No changes');
});

describe('a cluster that was upgraded', () => {
  it('gets another script with the same token', async () => {
    await init('--yes');
    expect((await init('--yes', '--kube-version', '1.28.9')).exit).toBe(0);
    const [first, second] = history(sandbox);
    expect(second!.tokenId).toBe(first!.tokenId);
    expect(second!.url).not.toBe(first!.url);
  });
});

it('ten entries are kept, the live one among them', async () => {
  for (let count = 0; count < 12; count += 1) {
    expect((await init('--yes', '--deadline', `${600 + count}s`)).exit).toBe(0);
  }
  expect(history(sandbox)).toHaveLength(10);
  expect(history(sandbox).at(-1)).toMatchObject({ number: 12, state: 'live', url: liveUrl(sandbox) });
});

it('a bug is told without the words of the error', () => {
  let err = '';
  const output = openOutput(
    { json: false, quiet: false, debug: true },
    { out: () => {}, err: (text) => (err += text) },
  );
  expect(output.failure(new Failure('Bug', 'x', { cause: new Error('abcdef.0123456789abcdef') }))).toBe(1);
  expect(err).not.toContain('0123456789abcdef');
});

const threeDaysAgo = new Date(Date.now() - 3 * 86_400_000);
const basic = (time: Date) => time.toISOString().replace(/[-:]|\.\d+/g, '');

/** Another URL in the agent's ConfigMap, and in the history as well. */
async function rewriteLive(change: (url: string) => string): Promise<void> {
  const maps = '/api/v1/namespaces/kube-system/configmaps';
  const entries = history(sandbox).map((entry) => ({ ...entry, url: change(entry.url) }));
  const text = JSON.stringify({ schema: 'ackone-join/history/v1', entries });
  await kubernetes('PATCH', `${maps}/ackone-join`, { data: { 'history.json': text } });
  await kubernetes('PATCH', `${maps}/ack-agent-config`, {
    data: { addNodeScriptPath: change(liveUrl(sandbox)!) },
  });
}

function kubernetes(method: string, path: string, body: unknown) {
  const connection = connectionOf(readFileSync(sandbox.kubeconfig, 'utf8'));
  return call(connection, method, path, body, 'application/merge-patch+json');
}
