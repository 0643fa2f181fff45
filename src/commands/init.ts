/** `ackone-join init`: the whole job, from the cluster's facts to a script that is live. */
import { Failure } from '../errors.ts';
import { checkWritable, writeSecretFile } from '../output/file.ts';
import { version } from '../version.ts';
import { withAnswers } from './answering.ts';
import type { Flags, Run } from './run.ts';
import { refuseUnserved } from './unserved.ts';

export interface InitFlags extends Flags {
  readonly yes?: boolean;
  /** False: --no-input. */
  readonly input?: boolean;
  readonly dryRun?: boolean;
  readonly detailedExitcode?: boolean;
  readonly confirm?: string;
}

/** Exit code of `--dry-run --detailed-exitcode` when a run would change something. */
const pending = 6;

export const init = async (flags: InitFlags, run: Run): Promise<number> => {
  const { terminals } = run;
  if (terminals && mayAsk(flags)) {
    const { hasTerminal } = await import('../wizard/terminal.ts');
    if (hasTerminal({ ...terminals, env: run.env })) return (await import('./ask.ts')).ask(flags, run, terminals);
  }
  return withoutAsking(flags, run);
};

/** Nobody has said yet what is to be done, and standard input is not spoken for. */
const mayAsk = ({ yes, dryRun, input, output, joinCommandFile, kubeconfig }: InitFlags): boolean =>
  !yes && !dryRun && input !== false && output !== 'json' && joinCommandFile !== '-' && kubeconfig !== '-';

const withoutAsking = (flags: InitFlags, run: Run): Promise<number> =>
  withAnswers('init', flags, run, async ({ answers, env }) => {
    const { output } = run;
    const consented = flags.yes === true;
    const mayWrite = consented && !flags.dryRun;
    const { outputFile } = answers;
    if (outputFile !== undefined && mayWrite) await checkWritable(outputFile);
    output.waiting('Reading the cluster and the bucket');
    // With it the clients of cluster and OSS are loaded, most of the program.
    const { publish } = await import('../publish/publish.ts');
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
    refuseUnserved({ plan, publication }, outputFile);
    return 0;
  });
