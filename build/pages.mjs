import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';
import { ownManifest } from './bundle.mjs';

/** @param {string} path */
const load = async (path) => (await runnerImport(fileURLToPath(new URL(path, import.meta.url)))).module;

/**
 * What the launcher prints by itself: help, version and completion, by the words that ask for it, with `_` between them.
 * In a line that is wrapped to the terminal's width, a tab stands before what is wrapped.
 * @returns {Promise<ReadonlyMap<string, string>>}
 */
export async function pages() {
  // src/version.ts declares it.
  Object.assign(globalThis, { PACKAGE_VERSION: ownManifest.version });
  /** @type {typeof import('../src/commands/command-line.ts')} */
  const { parseCommandLine } = await load('../src/commands/command-line.ts');
  /** @type {typeof import('../src/commands/tree.ts')} */
  const { commandNames, shells } = await load('../src/commands/tree.ts');
  /** @type {typeof import('../src/commands/completion.ts')} */
  const { completionFor } = await load('../src/commands/completion.ts');

  /** @param {readonly string[]} words */
  const printed = (words) => {
    let text = '';
    const print = (/** @type {string} */ more) => {
      text += more;
    };
    const help = { helpWidth: Number.POSITIVE_INFINITY, boxWrap: (/** @type {string} */ line) => `\t${line}` };
    parseCommandLine(words, { programName: 'ackone-join', print, help });
    return text;
  };
  const asked = [['--version'], ['--help'], ...commandNames.map((name) => [name, '--help'])];
  return new Map([
    ...asked.map((words) => /** @type {const} */ ([words.join('_'), printed(words)])),
    ...shells.map((shell) => /** @type {const} */ ([`completion_${shell}`, completionFor(shell)])),
  ]);
}
