/** `ackone-join init`: the whole job, from the cluster's facts to a script that is live. */
import { Failure } from '../errors.ts';
import { checkWritable, writeSecretFile } from '../output/file.ts';
import { publish } from '../publish/publish.ts';
import type { Plan } from '../publish/types.ts';
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
        if (!flags.dryRun && (consented || !reviewed.changes)) output.review(reviewed);
      },
    );
    if (flags.dryRun) {
      output.plan(plan);
      return flags.detailedExitcode && plan.changes ? pending : 0;
    }
    if (!consented && plan.changes) {
      output.plan(plan);
      throw new Failure('ConsentMissing', 'the plan was not carried out, because nobody said yes to it');
    }
    output.result(plan, publication);
    if (publication?.state === 'prepared') throw notServed(plan, outputFile);
    return 0;
  });

const notServed = ({ url, tokenId }: Plan, file: string | undefined) =>
  new Failure(
    'ScriptUrlDiffers',
    `${url} does not give the script that was composed${tokenId === undefined ? '' : '; its token now exists and waits'}`,
    { next: [`Put ${file} where ${url} serves it, then run the same command again.`] },
  );
