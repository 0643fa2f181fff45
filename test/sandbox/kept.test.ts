/** What is kept in a folder, and what is not. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { call } from '../support/raw-api.ts';
import { admin, ask, clusterInfo, dataOf, get, mergePatch, read, system } from './support.ts';

// A start makes an RSA key, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'ackone-join-test-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const path = `${system}/configmaps/ack-agent-config`;

test('a second start on the same folder goes on where the first one ended', async () => {
  const first = await startSandbox({ dir });
  const before = admin(first);
  await call(before, 'PATCH', path, { data: { addNodeScriptPath: 'http://192.0.2.1/x' } }, mergePatch);
  await call(before, 'POST', `${system}/secrets`, { metadata: { name: 'kept' }, stringData: { a: 'b' } });
  await ask(first, (client) => client.put('ackone-join/kept.sh', Buffer.from('kept')));
  first.oss.acceptV1 = true;
  await ask(first, (client) => client.deleteBucketPolicy('ackone-sandbox'));
  const standing = (await get(before, path)).body;
  const kubeconfig = readFileSync(first.kubeconfig, 'utf8');
  await first.close();
  await expect(get(before, '/version')).rejects.toThrow();

  const second = await startSandbox({ dir });
  const after = admin(second);
  expect(readFileSync(second.kubeconfig, 'utf8')).toBe(kubeconfig);
  expect([second.known, second.env]).toEqual([first.known, first.env]);
  expect((await get(after, path)).body).toEqual(standing);
  expect(await dataOf(after, `${system}/secrets/kept`)).toEqual({ a: 'Yg==' });
  expect((await dataOf(after, clusterInfo)).kubeconfig).toContain('https://192.0.2.10:6443');
  const object = await ask(second, (client) => client.get('ackone-join/kept.sh'));
  expect(object.text).toBe('kept');
  expect((await read(second, 'ackone-sandbox/ackone-join/kept.sh')).status).toBe(403);
  const changed = await call(after, 'PATCH', path, { data: { b: '1' } }, mergePatch);
  const versionOf = (body: unknown) =>
    Number((body as { metadata: { resourceVersion: string } }).metadata.resourceVersion);
  expect(versionOf(changed.body)).toBeGreaterThan(versionOf(standing));
  await second.close();
});

test('what holds secrets is for its owner only', async () => {
  const sandbox = await startSandbox({ dir: join(dir, 'new') });
  const mode = (name: string) => statSync(join(dir, 'new', name)).mode & 0o777;
  expect([mode('.'), mode('kubeconfig'), mode('state.json')]).toEqual([0o700, 0o600, 0o600]);
  await sandbox.close();
});

test('two cannot serve the same folder, and the second one leaves the first one alone', async () => {
  const first = await startSandbox({ dir });
  await expect(startSandbox({ dir })).rejects.toMatchObject({ code: 'Usage' });
  expect((await get(admin(first), '/version')).status).toBe(200);
  await first.close();
});

test('a folder that holds something else is left alone', async () => {
  for (const text of ['{"schema":"another"}', 'no JSON']) {
    writeFileSync(join(dir, 'state.json'), text);
    await expect(startSandbox({ dir })).rejects.toMatchObject({ code: 'Usage' });
    expect(readFileSync(join(dir, 'state.json'), 'utf8')).toBe(text);
  }
  rmSync(join(dir, 'state.json'));
  writeFileSync(join(dir, 'kubeconfig'), "the user's own");
  await expect(startSandbox({ dir })).rejects.toMatchObject({ code: 'Usage' });
  expect(readFileSync(join(dir, 'kubeconfig'), 'utf8')).toBe("the user's own");
  writeFileSync(join(dir, 'file'), '');
  await expect(startSandbox({ dir: join(dir, 'file') })).rejects.toMatchObject({ code: 'OutputUnwritable' });
});

test('without a folder nothing is left', async () => {
  const sandbox = await startSandbox();
  const listeners = process.listenerCount('exit');
  expect(existsSync(sandbox.kubeconfig)).toBe(true);
  await sandbox.close();
  expect(existsSync(sandbox.dir)).toBe(false);
  expect(process.listenerCount('exit')).toBe(listeners - 1);
});
