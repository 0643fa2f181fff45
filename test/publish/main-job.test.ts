/** The whole job, against the sandbox: what a user types, and what stands in the cluster and in the bucket afterwards. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { run, sandboxEnv } from '../support/program.ts';
import { type Answer, call, connectionOf } from '../support/raw-api.ts';
import {
  configMap,
  everything,
  history,
  liveUrl,
  objectKeys,
  secretNames,
  tokenIds,
  writes,
} from '../support/world.ts';

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

const init = (words: readonly string[] = ['--yes'], more: NodeJS.ProcessEnv = {}) =>
  run(['init', ...words], sandboxEnv(sandbox, more));
const readAnonymously = async (url: string) => (await fetch(url)).text();

describe('init --yes', () => {
  it('makes a token that never expires, uploads the script, and switches the URL: one key of the ConfigMap', async () => {
    const before = configMap(sandbox, 'ack-agent-config')!;
    const { exit, stdout } = await init();
    expect(exit).toBe(0);
    const [entry] = history(sandbox);
    expect(entry).toMatchObject({ number: 1, state: 'live', url: liveUrl(sandbox) });
    expect(configMap(sandbox, 'ack-agent-config')).toEqual({ ...before, addNodeScriptPath: entry!.url });
    expect(entry!.url).toMatch(/\/ackone-join\/[a-z0-9-]+\/join-[0-9a-f]{12}\.sh$/);
    const script = await readAnonymously(entry!.url);
    expect(script).toContain(`${entry!.tokenId}.`);
    expect(script.startsWith('#!/bin/bash\n')).toBe(true);
    expect(stdout).toContain(`Published  ${entry!.url}`);
    expect(stdout).toContain(`${entry!.tokenId}.****************, proven`);
  });

  it('prints the result as one JSON document on stdout', async () => {
    const { exit, stdout } = await init(['--yes', '-o', 'json']);
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      schema: 'ackone-join/result/v1',
      changed: true,
      state: 'live',
      url: liveUrl(sandbox),
      tokenId: tokenIds(sandbox).find((id) => id === history(sandbox)[0]!.tokenId),
      proof: { result: 'proven' },
    });
  });

  it('says "No changes" to an unchanged cluster, and makes none', async () => {
    await init();
    const before = everything(sandbox);
    const count = writes(sandbox).length;
    const { exit, stdout } = await init();
    expect([exit, stdout.split('\n')[0]]).toEqual([0, `No changes  ${liveUrl(sandbox)}`]);
    expect(writes(sandbox)).toHaveLength(count);
    expect(everything(sandbox)).toEqual(before);
  });

  it('publishes anew with --new-token, and leaves the old token and the old script alive', async () => {
    await init();
    const first = history(sandbox)[0]!;
    expect((await init(['--yes', '--new-token'])).exit).toBe(0);
    const [old, live] = history(sandbox);
    expect([old!.state, live!.state]).toEqual(['superseded', 'live']);
    expect(live!.tokenId).not.toBe(first.tokenId);
    expect(tokenIds(sandbox)).toEqual(expect.arrayContaining([first.tokenId, live!.tokenId]));
    expect(objectKeys(sandbox)).toHaveLength(2);
    expect(await readAnonymously(first.url)).toContain(first.tokenId!);
  });

  it('publishes anew with the live token when an answer changes the script', async () => {
    await init();
    expect((await init(['--yes', '--firewall', 'keep'])).exit).toBe(0);
    const [first, second] = history(sandbox);
    expect(second!.tokenId).toBe(first!.tokenId);
    expect(second!.url).not.toBe(first!.url);
    expect(liveUrl(sandbox)).toBe(second!.url);
  });

  it('replaces a token that was deleted', async () => {
    await init();
    const { tokenId } = history(sandbox)[0]!;
    await kubernetes('containerd', 'DELETE', `/api/v1/namespaces/kube-system/secrets/bootstrap-token-${tokenId}`);
    const { exit } = await init();
    expect(exit).toBe(0);
    expect(history(sandbox).at(-1)!.tokenId).not.toBe(tokenId);
  });

  it('keeps a copy of the script that only its owner can read', async () => {
    const file = join(folder, 'join.sh');
    await init(['--yes', '--output-file', file]);
    expect(readFileSync(file, 'utf8')).toBe(await readAnonymously(liveUrl(sandbox)!));
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

describe('without consent', () => {
  it('prints the plan, does nothing and exits 2', async () => {
    const before = everything(sandbox);
    const { exit, stdout, stderr } = await init([]);
    expect(exit).toBe(2);
    expect(stdout).toContain('Plan\n');
    expect(stderr).toMatch(/^Error ConsentMissing/m);
    expect(writes(sandbox)).toEqual([]);
    expect(everything(sandbox)).toEqual(before);
  });

  it('prints the plan of a dry run, with --yes as well, and changes nothing', async () => {
    const before = everything(sandbox);
    const { exit, stdout } = await init(['--yes', '--dry-run', '-o', 'json']);
    expect(exit).toBe(0);
    const plan = JSON.parse(stdout) as { schema: string; changes: boolean; steps: { id: string }[] };
    expect([plan.schema, plan.changes]).toEqual(['ackone-join/plan/v1', true]);
    expect(plan.steps.map(({ id }) => id)).toEqual(['history', 'token', 'upload', 'switch', 'complete']);
    expect(writes(sandbox)).toEqual([]);
    expect(everything(sandbox)).toEqual(before);
  });

  it('tells pending changes by --detailed-exitcode', async () => {
    expect((await init(['--dry-run', '--detailed-exitcode'])).exit).toBe(6);
    await init();
    expect((await init(['--dry-run', '--detailed-exitcode'])).exit).toBe(0);
  });

  it('writes no --output-file in a dry run, since its token will never be', async () => {
    const file = join(folder, 'join.sh');
    await init(['--yes', '--dry-run', '--output-file', file]);
    expect(existsSync(file)).toBe(false);
  });
});

describe('a live script that is not ours', () => {
  const foreign = 'https://example.com/join.sh';
  beforeEach(() => setLive(foreign));

  it('is refused with --yes alone', async () => {
    const { exit, stderr } = await init();
    expect(exit).toBe(3);
    expect(stderr).toContain('ForeignScript');
    expect(liveUrl(sandbox)).toBe(foreign);
    expect(writes(sandbox)).toEqual([]);
  });

  it('is shown in the plan, and replaced with --replace-foreign, and remembered as entry 0', async () => {
    expect((await init(['--dry-run'])).stdout).toContain(foreign);
    expect((await init(['--yes', '--replace-foreign'])).exit).toBe(0);
    expect(history(sandbox)[0]).toMatchObject({ number: 0, url: foreign, state: 'superseded' });
    expect(history(sandbox)[1]).toMatchObject({ number: 1, state: 'live' });
  });

  it('is copied into a Secret when it can be read', async () => {
    await init(['--yes', '--replace-foreign', '--object-key', 'ackone-join/theirs.sh']);
    await setLive(history(sandbox)[1]!.url, 'docker-18.06');
    expect((await init(['--yes', '--replace-foreign', '--context', 'docker-18.06'])).exit).toBe(0);
    expect(secretNames(sandbox, 'docker-18.06')).toContain('ackone-join-original');
  });
});

describe('who may read the script', () => {
  it('stops when nodes could not read it', async () => {
    const { exit, stderr } = await init(['--yes', '--bucket', 'ackone-plain']);
    expect(exit).toBe(3);
    expect(stderr).toContain('NodesCannotRead');
    expect(writes(sandbox)).toEqual([]);
  });

  it('writes the statement of --access vpc into a bucket without a policy', async () => {
    const { exit } = await init(['--yes', '--bucket', 'ackone-plain', '--access', 'vpc']);
    expect(exit).toBe(0);
    const { policy } = sandbox.oss.buckets.find(({ name }) => name === 'ackone-plain')!;
    expect(policy?.Statement).toHaveLength(1);
    expect(await readAnonymously(liveUrl(sandbox)!)).toContain('#!/bin/bash');
  });

  it('refuses another VPC than the policy names, with the statement to add', async () => {
    const { exit, stderr } = await init(['--yes', '--access', 'vpc', '--vpc-id', 'vpc-other000000001']);
    expect(exit).toBe(3);
    expect(stderr).toContain('PolicyNotManaged');
    expect(stderr).toContain('"acs:SourceVpc":["vpc-other000000001"]');
  });

  it('merges it with --manage-bucket-policy, and keeps the other statement', async () => {
    const words = ['--yes', '--access', 'vpc', '--vpc-id', 'vpc-other000000001', '--manage-bucket-policy'];
    expect((await init(words)).exit).toBe(0);
    expect(sandbox.oss.buckets[0]!.policy?.Statement).toHaveLength(2);
    expect((await init(words)).stdout).toContain('No changes');
  });

  it('makes nothing public without the name of the bucket', async () => {
    const { exit, stderr } = await init(['--yes', '--access', 'public-read']);
    expect([exit, stderr]).toEqual([3, expect.stringContaining('ConfirmationMissing')]);
  });

  it('says when a signed URL dies', async () => {
    const { exit, stderr } = await init(['--yes', '--bucket', 'ackone-plain', '--access', 'presigned']);
    expect(exit).toBe(0);
    expect(stderr).toMatch(/the signed URL stops working at \d{4}-/);
    expect(await readAnonymously(liveUrl(sandbox)!)).toContain('#!/bin/bash');
  });

  it('refuses a bucket of another region than the nodes, whose internal URL they could not use', async () => {
    const words = ['--bucket', 'ackone-beijing', '--region', 'cn-beijing'];
    const { exit, stderr } = await init(['--yes', ...words], {
      ACKONE_JOIN_NODE_ENDPOINT: 'https://ackone-beijing.oss-cn-beijing-internal.aliyuncs.com',
    });
    expect(exit).toBe(3);
    expect(stderr).toContain('RegionMismatch');
  });
});

describe('--script-url', () => {
  const env = () => ({ ...sandboxEnv(sandbox), ACKONE_JOIN_BUCKET: '', ACKONE_JOIN_OSS_ENDPOINT: '' });
  it('makes the token and the file, waits for the URL to give it, then switches', async () => {
    const file = join(folder, 'join.sh');
    const bucket = sandbox.oss.buckets[0]!.name;
    const url = `${sandbox.known.nodeEndpoint}/${bucket}/ackone-join/served.sh`;
    const words = ['init', '--yes', '--script-url', url, '--output-file', file];
    const first = await run(words, env());
    expect([first.exit, first.stderr]).toEqual([3, expect.stringContaining('ScriptUrlDiffers')]);
    expect(liveUrl(sandbox)).not.toBe(url);
    const served = readFileSync(file);
    sandbox.oss.files.put(bucket, { key: 'ackone-join/served.sh', headers: {}, acl: 'default' }, served);
    const second = await run(words, env());
    expect(second.exit).toBe(0);
    expect(liveUrl(sandbox)).toBe(url);
    expect(readFileSync(file)).toEqual(served);
    expect((await run(words, env())).stdout).toContain('No changes');
  });
});

function kubernetes(context: string, method: string, path: string, body?: unknown): Promise<Answer> {
  const connection = connectionOf(readFileSync(sandbox.kubeconfig, 'utf8'), context);
  return call(connection, method, path, body, body === undefined ? undefined : 'application/merge-patch+json');
}

async function setLive(url: string, context = 'containerd'): Promise<void> {
  const body = { data: { addNodeScriptPath: url } };
  await kubernetes(context, 'PATCH', '/api/v1/namespaces/kube-system/configmaps/ack-agent-config', body);
  sandbox.faults.seen.length = 0;
}
