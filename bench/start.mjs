/** How long the program takes from its start to its end, where all that it does is say something. */
import { compare, run } from './measure.mjs';
import { emptyNode, offlineRender, plainEnv, program } from './program.mjs';

/** @param {readonly string[]} command */
const timed = (command) => async () => (await run(command, plainEnv)).milliseconds;

/** @type {import('./measure.mjs').Case} */
export const start = {
  about: 'from start to end, as ratio to an empty Node',
  run: () =>
    compare(
      [
        { what: 'node -e 0', measure: timed(emptyNode) },
        { what: '--version', measure: timed(program('--version')), goal: 1.4 },
        { what: '--help', measure: timed(program('--help')), goal: 1.4 },
        { what: 'init --help', measure: timed(program('init', '--help')), goal: 1.4 },
        { what: 'completion bash', measure: timed(program('completion', 'bash')), goal: 1.4 },
        { what: 'render, offline', measure: timed(offlineRender), goal: 2 },
      ],
      'ms',
    ),
};
