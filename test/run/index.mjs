/**
 * `npm test`: every part of the tests with all set-up done by itself; `npm test -- PART…`: those parts.
 * Exits with 1 when a test failed, when none ran, and with CI=true when one was skipped.
 */
import { fileURLToPath } from 'node:url';
import { results, run, runPart } from './part.mjs';
import { parts } from './parts.mjs';
import { installTools } from './tools.mjs';

process.chdir(fileURLToPath(new URL('../../', import.meta.url)));
const names = process.argv.slice(2);
const unknown = names.filter((name) => !parts.some((part) => part.name === name));
if (unknown.length > 0) {
  say(`No such part: ${unknown.join(', ')}. There are: ${parts.map((part) => part.name).join(', ')}.`);
  process.exit(2);
}
const chosen = parts.filter((part) => names.length === 0 || names.includes(part.name));

installTools(Object.assign({}, ...chosen.map((part) => part.tools)), say);
const preparations = new Map(chosen.map((part) => [part.name, prepare(part)]));
const total = { passed: 0, failed: 0 };

const build = await run(`${results}/build.log`, 60_000, ['node', 'build/build.mjs']);
if (build.code !== 0) {
  total.failed++;
  say(`build: failed, see ${results}/build.log`);
}

for (const part of chosen) {
  const start = Date.now();
  await preparations.get(part.name);
  const { passed, failed, skipped, messages } = await runPart(part);
  total.passed += passed;
  total.failed += failed;
  for (const message of messages) say(`\n${message}\n`);
  const seconds = Math.round((Date.now() - start) / 1000);
  say(`${part.name}: ${passed} passed, ${failed} failed, ${skipped} skipped, ${seconds} s`);
}

say(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;

/**
 * Starts the long work of a part at low priority.
 * @param {import('./parts.mjs').Part} part
 */
async function prepare({ name, limitMinutes, preparation }) {
  if (preparation === undefined) return;
  const command = ['nice', 'node', 'test/run/prepare.mjs', preparation.module, preparation.call];
  await run(`${results}/${name}-preparation.log`, limitMinutes * 60_000, command);
}

/** @param {string} line */
function say(line) {
  process.stdout.write(`${line}\n`);
}
