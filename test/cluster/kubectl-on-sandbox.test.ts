/** `ackone-join sandbox --dir D` as a user has it in one terminal, with kubectl and ackone-join in another. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Started, start } from '../support/process.ts';
import { run } from '../support/program.ts';
import { onControlPlane } from './on-control-plane.ts';

onControlPlane('kubectl on the sandbox', ({ parts }) => {
  let folder: string;
  let serving: Started;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ackone-join-kept-'));
  });
  afterAll(async () => {
    serving.child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  /** Starts it and takes over the variables that it prints, as a shell would. */
  async function serve(): Promise<void> {
    const home = { PATH: process.env.PATH, HOME: folder };
    serving = start(['sandbox', '--dir', join(folder, 'kept')], home);
    const printed = await new Promise<string>((resolve) =>
      serving.child.stdout!.once('data', (text) => resolve(String(text))),
    );
    env = {
      ...home,
      ...Object.fromEntries(
        [...printed.matchAll(/^export ([A-Z_]+)='(.*)'$/gm)].map(([, name, value]) => [name, value]),
      ),
    };
  }
  async function interrupt(): Promise<number | undefined> {
    serving.child.kill('SIGINT');
    return (await serving.ended).exit;
  }
  const kubectl = async (...args: string[]) => (await promisify(execFile)(parts.kubectl, args, { env })).stdout;

  test('kubectl reads nodes and patches a ConfigMap, init publishes, and Ctrl-C ends it with 130', async () => {
    await serve();
    expect(await kubectl('get', 'nodes', '-o', 'name')).toContain('node/cp-1\n');
    const patch = JSON.stringify({ data: { by: 'kubectl' } });
    await kubectl('-n', 'kube-system', 'patch', 'configmap', 'ack-agent-config', '--type', 'merge', '-p', patch);
    expect((await run(['init', '--yes'], env)).exit).toBe(0);
    const data = JSON.parse(
      await kubectl('-n', 'kube-system', 'get', 'configmap', 'ack-agent-config', '-o', 'json'),
    ).data;
    expect(data).toMatchObject({ by: 'kubectl', addNodeScriptPath: expect.stringContaining('/join-') });
    expect(await interrupt()).toBe(130);
  });

  test('a second start on the folder goes on where the first ended', async () => {
    await serve();
    expect((await run(['init', '--yes'], env)).stdout).toMatch(/^No changes/);
    expect(await interrupt()).toBe(130);
  });
});
