/** `ackone-join init` in a terminal: the wizard, and what stands at its end. */
import { wantsColours } from '../output/colours.ts';
import { resultText } from '../output/text.ts';
import { version } from '../version.ts';
import { runWizard } from '../wizard/index.tsx';
import { withLayers } from './answering.ts';
import type { Flags, Run, Terminals } from './run.ts';
import { refuseUnserved } from './unserved.ts';

export const ask = (flags: Flags, run: Run, { stdin, stdout, stderr }: Terminals): Promise<number> =>
  withLayers(flags, run, async (layers, env) => {
    const { output, signal } = run;
    const colours = wantsColours(run.env, flags.color === false, true);
    const console = { stdin, stderr, env: run.env, colours };
    const end = await runWizard({ layers, env, signal, console, toolVersion: version });
    if (!end) {
      output.note('Nothing was changed.');
      return 0;
    }
    // Data where data goes; and on the screen in any case.
    if (stdout.isTTY !== true) output.warn(resultText(end.plan, end.publication));
    output.result(end.plan, end.publication);
    const { command, variables } = end.same;
    output.warn(
      [
        '',
        'The same without the wizard:',
        ...variables.map((name) => `  (with ${name} set: its value is a secret)`),
        `  ${run.asCalled(command)}`,
        '',
      ].join('\n'),
    );
    refuseUnserved(end, end.outputFile);
    return 0;
  });
