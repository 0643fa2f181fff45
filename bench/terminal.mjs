/** A program in a PTY, as far as it takes to know when it has drawn something. */
import { stripVTControlCharacters } from 'node:util';
import { CannotRun } from './measure.mjs';

const patienceMs = 30_000;

/**
 * @typedef {object} Terminal
 * @property {(text: string) => Promise<number>} sees the time (performance.now) at which `text` was there, of what was
 * written since the last key
 * @property {(keys: string) => number} press gives the time at which they were sent
 * @property {() => Promise<number>} ended the time at which the program had ended
 * @property {() => Promise<void>} close leaves by Ctrl-C
 */

/**
 * @param {readonly string[]} command
 * @param {Record<string, string | undefined>} env
 * @returns {Promise<Terminal>}
 */
export async function openTerminal([file = '', ...args], env) {
  const { spawn } = await import('@lydell/node-pty').catch(() => {
    throw new CannotRun('There is no PTY for this platform in @lydell/node-pty.');
  });
  const pty = spawn(file, args, { cols: 100, rows: 30, name: 'xterm-256color', env });
  let written = '';
  /** @type {(() => void) | undefined} */
  let look;
  pty.onData((data) => {
    written += data;
    look?.();
  });
  /** @type {Promise<number>} */
  const ended = new Promise((resolve) => pty.onExit(() => resolve(performance.now())));

  return {
    sees: (text) =>
      new Promise((resolve, reject) => {
        const end = (/** @type {() => void} */ settle) => {
          look = undefined;
          clearTimeout(timer);
          settle();
        };
        const timer = setTimeout(() => {
          end(() => reject(new Error(`${text} was not drawn, but\n${stripVTControlCharacters(written)}`)));
        }, patienceMs);
        look = () => {
          const now = performance.now();
          if (stripVTControlCharacters(written).includes(text)) end(() => resolve(now));
        };
        look();
      }),
    press: (keys) => {
      written = '';
      pty.write(keys);
      return performance.now();
    },
    ended: () => ended,
    close: async () => {
      const timer = setTimeout(() => pty.kill('SIGKILL'), 5000);
      pty.write('\u0003');
      await ended;
      clearTimeout(timer);
    },
  };
}
