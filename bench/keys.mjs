/** How long it takes from a key press to the frame that shows it, in a list of 1,000 contexts. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parse, stringify } from 'yaml';
import { firstQuestion } from './first-frame.mjs';
import { folder, program, withSandbox } from './program.mjs';
import { openTerminal } from './terminal.mjs';

const count = 1000;
const presses = 60;
/** Between a frame and the next key: a key that is held down repeats about every 30 ms. */
const pauseMs = 30;

/** @param {number} index from 1 */
const nameOf = (index) => `prod-${String(index).padStart(4, '0')}`;

/**
 * @param {string} path of a kubeconfig
 * @returns {string} path of one with 1,000 contexts for the current one's cluster and user
 */
function manyContexts(path) {
  const config = parse(readFileSync(path, 'utf8'));
  const current = config.contexts.find(
    (/** @type {{ name: string }} */ { name }) => name === config['current-context'],
  );
  const contexts = Array.from({ length: count }, (_, index) => ({ ...current, name: nameOf(index + 1) }));
  const many = join(folder, 'many-contexts');
  writeFileSync(
    many,
    stringify({ ...config, contexts, 'current-context': nameOf(1) }, { aliasDuplicateObjects: false }),
    { mode: 0o600 },
  );
  return many;
}

/** @type {import('./measure.mjs').Case} */
export const keys = {
  about: 'from a key press to the frame that shows it, with 1,000 contexts in the list',
  run: () =>
    withSandbox(async (env) => {
      const terminal = await openTerminal(program('init'), { ...env, KUBECONFIG: manyContexts(env.KUBECONFIG ?? '') });
      /** @param {string} key @param {string} shown */
      const measure = async (key, shown) => {
        await pause(pauseMs);
        const pressed = terminal.press(key);
        return (await terminal.sees(shown)) - pressed;
      };
      await terminal.sees(firstQuestion);
      const [down, letter] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
      for (let at = 1; at <= presses; at++) down.push(await measure('\u001b[B', `› ${nameOf(at + 1)}`));
      for (let at = 0; at < presses / 4; at++) {
        letter.push(await measure('9', 'Filter: 9▏'), await measure('7', 'Filter: 97▏'));
        letter.push(await measure('\u007f', 'Filter: 9▏'), await measure('\u007f', 'Filter: ▏'));
      }
      await terminal.close();
      return [
        { what: 'the arrow down', values: down, unit: 'ms' },
        { what: 'a letter of the filter', values: letter, unit: 'ms' },
      ];
    }),
};
