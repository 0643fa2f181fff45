/** The most memory that the program ever has: resident, as the kernel counts it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstQuestion } from './first-frame.mjs';
import { CannotRun, compare, run } from './measure.mjs';
import { emptyNode, folder, offlineRender, plainEnv, program, withSandbox } from './program.mjs';
import { openTerminal } from './terminal.mjs';

const file = join(folder, 'peak');
const probe = new URL('./peak.mjs', import.meta.url).href;
/** @param {readonly string[]} command of Node */
const probed = ([node = '', ...args]) => [node, `--import=${probe}`, ...args];

/** @param {readonly string[]} command @param {Record<string, string | undefined>} env */
const peakOf = (command, env) => async () => {
  await run(probed(command), { ...env, BENCH_PEAK: file });
  return Number(readFileSync(file, 'utf8')) / 1024;
};

/** @param {Record<string, string | undefined>} env */
const peakOfWizard = (env) => async () => {
  const terminal = await openTerminal(probed(program('init')), { ...env, BENCH_PEAK: file });
  await terminal.sees(firstQuestion);
  await terminal.close();
  return Number(readFileSync(file, 'utf8')) / 1024;
};

/** @type {import('./measure.mjs').Case} */
export const memory = {
  about: 'peak resident memory, as ratio to an empty Node',
  run: async () => {
    if (!existsSync('/proc/self/status')) throw new CannotRun('There is no /proc on this machine.');
    return withSandbox((env) =>
      compare(
        [
          { what: 'node -e 0', measure: peakOf(emptyNode, plainEnv) },
          { what: '--help', measure: peakOf(program('--help'), plainEnv) },
          { what: 'render, offline', measure: peakOf(offlineRender, plainEnv) },
          { what: 'init --yes', measure: peakOf(program('init', '--yes', '--new-token'), env) },
          { what: "the wizard's first question", measure: peakOfWizard(env) },
        ],
        'MiB',
      ),
    );
  },
};
