/** Times and how they are told: contenders take turns, and medians count. */
import { spawn } from 'node:child_process';

/** Of each contender, after one that only fills the caches of the machine. */
const rounds = 15;

/**
 * @typedef {object} Row
 * @property {string} what
 * @property {readonly number[]} values one a round
 * @property {'ms' | 'MiB' | 'requests'} unit
 * @property {number} [ratio] to what it is compared with: the median of the rounds' own ratios
 * @property {number} [goal] that the ratio should not exceed (issue 4)
 *
 * @typedef {object} Case
 * @property {string} about
 * @property {(say: (line: string) => void) => Promise<Row[]>} run
 *
 * @typedef {object} Contender
 * @property {string} what
 * @property {() => Promise<number>} measure
 * @property {number} [goal]
 */

/** Thrown where this machine lacks what a case needs; the message is one sentence that says what. */
export class CannotRun extends Error {}

/**
 * Measures all of them in every round, so that a busy moment of the machine meets each.
 * @param {readonly Contender[]} contenders the others are compared with the first
 * @param {Row['unit']} unit
 * @returns {Promise<Row[]>}
 */
export async function compare(contenders, unit) {
  const values = contenders.map(() => /** @type {number[]} */ ([]));
  for (let round = 0; round <= rounds; round++) {
    for (const [index, { measure }] of contenders.entries()) {
      const value = await measure();
      if (round > 0) values[index]?.push(value);
    }
  }
  const [base = []] = values;
  return contenders.map(({ what, goal }, index) => {
    const own = values[index] ?? [];
    // Round by round: what a minute of load does to one of them it does to both.
    const ratios = own.map((value, round) => value / (base[round] ?? Number.NaN));
    return { what, values: own, unit, ratio: quantile(ratios, 0.5), ...(goal !== undefined && { goal }) };
  });
}

/**
 * @param {readonly number[]} values
 * @param {number} part 0.5 for the median
 */
export function quantile(values, part) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * part;
  const [below = Number.NaN, above = below] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return below + (above - below) * (at % 1);
}

/**
 * Runs a program to its end, without standard input.
 * @param {readonly string[]} command
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<{ milliseconds: number, stdout: string, stderr: string }>}
 * @throws when it ends with anything but 0
 */
export function run([program = '', ...args], env = process.env) {
  const start = performance.now();
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    written.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    written.stderr += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      const milliseconds = performance.now() - start;
      if (code === 0) resolve({ milliseconds, ...written });
      else reject(new Error(`${program} ${args.join(' ')} ended with ${code}: ${written.stderr}`));
    });
  });
}
