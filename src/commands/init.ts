/** `ackone-join init`: the whole job, from the cluster's facts to a script that is live. */
import { Failure } from '../errors.ts';
import { checkWritable, writeSecretFile } from '../output/file.ts';
import { publish } from '../publish/publish.ts';
import { version } from '../version.ts';
import { withAnswers } from './answering.ts';
import type { Flags, Run } from './run.ts';

export interface InitFlags extends Flags {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly detailedExitcode?: boolean;
  readonly confirm?: string;
}

/** Exit code of `--dry-run --detailed-exitcode` when a run would change something. */
const pending = 6;

export const init = (flags: InitFlags, run: Run): Promise<number> =>
  withAnswers('init', flags, run, async ({ answers, env }) => {
    const { output } = run;
    const consented = flags.yes === true;
    const mayWrite = consented && !flags.dryRun;
    const { outputFile } = answers;
    if (outputFile !== undefined && mayWrite) await checkWritable(outputFile);
    const { plan, publication } = await publish(
      answers,
      {
        env,
        signal: run.signal,
        now: () => new Date(),
        toolVersion: version,
        consented,
        mayWrite,
        confirmed: flags.confirm,
        onPluginOutput: (text) => output.note(text),
        ...(outputFile !== undefined && mayWrite ? { saveScript: (text) => writeSecretFile(outputFile, text) } : {}),
      },
      output.progress,
      (reviewed) => {
        if (mayWrite) output.review(reviewed);
      },
    );
    if (mayWrite || !plan.changes) {
      output.result(plan, publication);
      if (publication?.state !== 'prepared') return 0;
      throw new Failure(
        'ScriptUrlDiffers',
        `${plan.url} does not give the script that was composed; its token now exists and waits`,
        {
          next: [`Put ${outputFile} where ${plan.url} serves it, then run the same command again.`],
        },
      );
    }
    output.plan(plan);
    if (!flags.dryRun)
      throw new Failure('ConsentMissing', 'the plan was not carried out, because nobody said yes to it');
    return flags.detailedExitcode ? pending : 0;
  });
