/** `prepare.mjs MODULE FUNCTION`: does the long work of a part ahead of its tests, which say themselves what it lacks if it fails. */
import { runnerImport } from 'vite';

const [path = '', name = ''] = process.argv.slice(2);
const { module } = await runnerImport(path);
await module[name](process.env, (/** @type {string} */ line) => process.stdout.write(`${line}\n`));
