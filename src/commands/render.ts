/** `ackone-join render`: composes the script and writes nothing else; offline when it is told everything. */
import { readAnswerFiles } from '../answer-files.ts';
import { Failure } from '../errors.ts';
import { writeSecretFile } from '../output/file.ts';
import { findingsText } from '../output/text.ts';
import { ownCredential } from '../publish/own-credential.ts';
import type { Answers } from '../questions.ts';
import { compose } from '../script/compose.ts';
import { withOwn } from '../script/credential.ts';
import { decide } from '../script/decide.ts';
import { refuseStops } from '../script/findings.ts';
import { missingOffline } from '../script/offline.ts';
import { version } from '../version.ts';
import { withAnswers } from './answering.ts';
import type { Rendered, renderFromCluster } from './render-from-cluster.ts';
import type { Flags, Run } from './run.ts';

export const render = (flags: Flags, run: Run): Promise<number> =>
  withAnswers('render', flags, run, async ({ answers, env }) => {
    const { output } = run;
    if (flags.output === 'json' && answers.outputFile === undefined) {
      throw new Failure('AnswerMissing', 'with -o json the script itself goes to a file', {
        next: ['Give --output-file.'],
      });
    }
    const { script, findings } =
      missingOffline(answers).length === 0 ? await offline(answers) : await fromCluster(answers, env, run);
    output.warn(findingsText(findings));
    if (answers.outputFile === undefined) {
      output.data(script.text);
    } else {
      await writeSecretFile(answers.outputFile, script.text);
      output.file({ path: answers.outputFile, digest: script.digest, size: script.size, findings });
    }
    return 0;
  });

/** Loaded only when a cluster is asked: its client is most of the program. */
const fromCluster = async (...given: Parameters<typeof renderFromCluster>) =>
  (await import('./render-from-cluster.ts')).renderFromCluster(...given);

async function offline(answers: Answers): Promise<Rendered> {
  const files = await readAnswerFiles(answers);
  const own = (await ownCredential(answers, files))!;
  const decision = decide(undefined, answers, version, files);
  refuseStops(decision.findings);
  return { script: compose(withOwn(decision.input!, own.credential)), findings: decision.findings };
}
