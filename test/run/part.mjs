import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { judge } from './outcome.mjs';

/** Where every part leaves its log and its results, below the package folder. */
export const results = 'test-results';

/**
 * Runs one command with its output in a log.
 * @param {string} log path
 * @param {number} limitMs
 * @param {readonly string[]} command
 * @returns {Promise<{ code: number | null, timedOut: boolean }>} code is null after a signal
 */
export function run(log, limitMs, [command = '', ...args]) {
  mkdirSync(results, { recursive: true });
  const output = openSync(log, 'w');
  const child = spawn(command, args, { stdio: ['ignore', output, output] });
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), 10_000).unref();
  }, limitMs);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => {
      clearTimeout(timer);
      resolve({ code, timedOut });
    });
  });
}

/**
 * Runs the vitest project of a part.
 * @param {import('./parts.mjs').Part} part
 * @returns {Promise<import('./outcome.mjs').Outcome>}
 */
export async function runPart({ name, limitMinutes }) {
  const log = `${results}/${name}.log`;
  const path = `${results}/${name}.json`;
  rmSync(path, { force: true });
  const vitest = ['node', 'node_modules/vitest/vitest.mjs', 'run', `--project=${name}`, '--reporter=default'];
  const end = await run(log, limitMinutes * 60_000, [...vitest, '--reporter=json', `--outputFile.json=${path}`]);
  const report = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
  return judge({ ...end, report, output: readFileSync(log, 'utf8'), mustRunAll: process.env.CI === 'true' });
}
