/** How long the wizard takes from its start to the first question on the screen. */
import { compare } from './measure.mjs';
import { emptyNode, plainEnv, program, withSandbox } from './program.mjs';
import { openTerminal } from './terminal.mjs';

/** The wizard's first question. */
export const firstQuestion = 'Which cluster?';

/** @param {readonly string[]} command @param {Record<string, string | undefined>} env */
const toFirstFrame = (command, env) => async () => {
  const start = performance.now();
  const terminal = await openTerminal(command, env);
  const drawn = await terminal.sees(firstQuestion);
  await terminal.close();
  return drawn - start;
};

const toEnd = async () => {
  const start = performance.now();
  const terminal = await openTerminal(emptyNode, plainEnv);
  return (await terminal.ended()) - start;
};

/** @type {import('./measure.mjs').Case} */
export const firstFrame = {
  about: "from start to the wizard's first question in a PTY, as ratio to an empty Node there",
  run: () =>
    withSandbox((env) =>
      compare(
        [
          { what: 'node -e 0', measure: toEnd },
          { what: 'init, with a kubeconfig', measure: toFirstFrame(program('init'), env), goal: 3.5 },
          { what: 'init --sandbox', measure: toFirstFrame(program('init', '--sandbox'), plainEnv), goal: 3.5 },
        ],
        'ms',
      ),
    ),
};
