/**
 * `npm run bench`: every case; `npm run bench -- CASE…`: those. Prints medians, and ratios within this run; a ratio is
 * worth something on any machine, a time only on this one (docs/benchmarks.md).
 */
import { cpus, loadavg } from 'node:os';
import { firstFrame } from './first-frame.mjs';
import { keys } from './keys.mjs';
import { CannotRun, quantile } from './measure.mjs';
import { memory } from './memory.mjs';
import { publish } from './publish.mjs';
import { start } from './start.mjs';

/** @type {Record<string, import('./measure.mjs').Case>} */
const cases = { start, 'first-frame': firstFrame, keys, publish, memory };

const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in cases));
if (unknown.length > 0) {
  say(`No such case: ${unknown.join(', ')}. There are: ${Object.keys(cases).join(', ')}.`);
  process.exit(2);
}

const [cpu] = cpus();
say(`Node ${process.version}, ${cpus().length} × ${cpu?.model}, load ${load()}`);
for (const [name, { about, run }] of Object.entries(cases)) {
  if (names.length > 0 && !names.includes(name)) continue;
  say(`\n${name}: ${about}`);
  try {
    const rows = await run(say);
    say(line('', 'median', 'quartiles', 'worst', 'ratio', 'goal'));
    for (const row of rows) say(lineOf(row));
    say(`  load ${load()}`);
  } catch (error) {
    if (error instanceof CannotRun) {
      say(`  Not run: ${error.message}`);
    } else {
      say(`  Failed: ${error instanceof Error ? error.message : error}`);
      process.exitCode = 1;
    }
  }
}

function load() {
  return loadavg()[0]?.toFixed(1);
}

/** @param {import('./measure.mjs').Row} row */
function lineOf({ what, values, unit, ratio, goal }) {
  const [lower, median, upper] = [0.25, 0.5, 0.75].map((part) => short(quantile(values, part)));
  const met = goal === undefined || ratio === undefined ? '' : `${goal} ${ratio <= goal ? 'met' : 'missed'}`;
  const worst = short(Math.max(...values));
  return line(what, `${median} ${unit}`, `${lower}–${upper}`, worst, ratio?.toFixed(2) ?? '', met);
}

/** @param {number} value */
function short(value) {
  return value.toFixed(value < 10 ? 1 : 0);
}

/** @param {string[]} cells */
function line(...cells) {
  const [first = '', ...others] = cells;
  return `  ${first.padEnd(28)}${others.map((cell) => cell.padStart(13)).join('')}`.trimEnd();
}

/** @param {string} text */
function say(text) {
  process.stdout.write(`${text}\n`);
}
