import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { run, sandboxEnv } from '../support/program.ts';

let sandbox: Sandbox;
let folder: string;
beforeAll(async () => {
  sandbox = await startSandbox();
  folder = await mkdtemp(join(tmpdir(), 'ackone-join-debug-'));
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

const debugged = (words: readonly string[], more: NodeJS.ProcessEnv = {}) =>
  run([...words, '--debug'], sandboxEnv(sandbox, { XDG_STATE_HOME: folder, ...more }));
const newest = () => join(folder, 'ackone-join', readdirSync(join(folder, 'ackone-join')).sort().at(-1)!);

describe('--debug', () => {
  it('logs what was asked of whom, with statuses and durations', async () => {
    const { exit, stderr } = await debugged(['init', '--yes']);
    expect(exit).toBe(0);
    const path = newest();
    expect(stderr).toContain(`Log: ${path}\n`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const log = readFileSync(path, 'utf8');
    const at = /^\d{4}-\d\d-\d\dT\S+Z /.source;
    expect(log).toMatch(new RegExp(`${at}ackone-join \\S+ on Node v\\S+, \\S+, with --yes --debug$`, 'm'));
    expect(log).toMatch(
      new RegExp(`${at}https://192.0.2.10:6443 {2}list nodes as context containerd {2}200 {2}\\d+ ms$`, 'm'),
    );
    expect(log).toMatch(/ create secrets in kube-system as context containerd {2}201 {2}\d+ ms$/m);
    expect(log).toMatch(/127\.0\.0\.1:\d+ {2}PUT \/ackone-sandbox\/ackone-join\/\S+\.sh {2}200 {2}\d+ ms$/m);
    expect(log).toMatch(/exit code 0\n$/);
  });

  it('logs no secret', async () => {
    const token = 'abcdef.0123456789abcdef';
    const command = `kubeadm join 192.0.2.10:6443 --token ${token} --discovery-token-ca-cert-hash sha256:${'ab'.repeat(32)}`;
    await debugged(['init', '--yes', '--join-command', command]);
    await debugged(['init', '--yes', '--access', 'presigned', '--new-token']);
    const logs = readdirSync(join(folder, 'ackone-join')).map((name) =>
      readFileSync(join(folder, 'ackone-join', name), 'utf8'),
    );
    expect(logs.length).toBeGreaterThan(2);
    for (const log of logs) {
      expect(log).not.toMatch(/\b[a-z0-9]{6}\.[a-z0-9]{16}\b/);
      expect(log).not.toContain(sandbox.env.ALIBABA_CLOUD_ACCESS_KEY_SECRET);
      expect(log).not.toMatch(/signature=[^*&\s]/i);
    }
  });

  it('a failure says where the log is, in both forms', async () => {
    const words = ['init', '--yes', '--bucket', 'ackone-plain'];
    const { exit, stderr } = await debugged(words);
    expect(exit).toBe(3);
    expect(stderr).toContain(`\n  Log: ${newest()}\n`);
    expect(readFileSync(newest(), 'utf8')).toMatch(/Failure: .*ackone-plain/);
    const { error } = JSON.parse((await debugged([...words, '-o', 'json'])).stderr) as { error: { log: string } };
    expect(error.log).toBe(newest());
  });

  it('without a folder for it the log is a temporary file, and without that there is none', async () => {
    const { stderr } = await debugged(['explain', 'Bug'], { XDG_STATE_HOME: '/dev/null', TMPDIR: folder });
    expect(stderr).toMatch(new RegExp(`^Log: ${folder}/debug-\\S+\\.log$`, 'm'));
    const none = await debugged(['explain', 'Bug'], { XDG_STATE_HOME: '/dev/null', TMPDIR: '/dev/null' });
    expect([none.exit, none.stderr]).toEqual([0, '']);
  });

  it('is not there without the flag', async () => {
    const before = readdirSync(join(folder, 'ackone-join'));
    const { stderr } = await run(
      ['init', '--yes', '--bucket', 'ackone-plain'],
      sandboxEnv(sandbox, { XDG_STATE_HOME: folder }),
    );
    expect(stderr).not.toContain('Log:');
    expect(readdirSync(join(folder, 'ackone-join'))).toEqual(before);
  });
});
