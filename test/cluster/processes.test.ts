import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startServer } from './processes.ts';

let folder: string;
/** An argument of sleep that no other process on this machine has. */
let seconds: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ackone-join-processes-'));
  seconds = `600.${process.pid}${Date.now()}`;
});
afterEach(() => rm(folder, { recursive: true }));

async function isRunning(argument: string): Promise<boolean> {
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(processes.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
  return commands.some((command) => command.startsWith('/bin/sleep') && command.includes(argument));
}
const sleepRuns = () => vi.waitFor(async () => expect(await isRunning(seconds)).toBe(true), 10_000);

test('a stopped server is gone', async () => {
  const server = startServer('/bin/sleep', [seconds], folder, process.env);
  await sleepRuns();
  await server.stop();
  expect(await isRunning(seconds)).toBe(false);
  await server.stop();
});

test('a server does not outlive the tests, however they end', async () => {
  const module = JSON.stringify(fileURLToPath(new URL('processes.ts', import.meta.url)));
  const args = `['${seconds}'], ${JSON.stringify(folder)}, process.env`;
  const tests = spawn(process.execPath, [
    '--input-type=module',
    '--eval',
    `const { module } = await (await import('vite')).runnerImport(${module}); module.startServer('/bin/sleep', ${args});`,
  ]);
  await sleepRuns();
  tests.kill('SIGKILL');
  await vi.waitFor(async () => expect(await isRunning(seconds)).toBe(false), 10_000);
});

test('a server that dies before it is ready ends the wait, with its last words', async () => {
  const server = startServer('/bin/sh', ['-c', 'echo port taken >&2; exit 3'], folder, process.env);
  await expect(server.until(async () => false)).rejects.toThrow('sh ended with 3:\nport taken');
});

test('a program that is not there ends the wait', async () => {
  const server = startServer('/no/such/program', [], folder, process.env);
  await expect(server.until(async () => false)).rejects.toThrow(/^program ended with 127:\n.*No such file/);
});
