/** `ackone-join render`: composes the script and writes nothing else; offline when it is told everything. */
import { connect } from '../cluster/connect.ts';
import { readFacts } from '../cluster/facts.ts';
import { readHistory } from '../cluster/history.ts';
import { readToken } from '../cluster/token.ts';
import { Failure } from '../errors.ts';
import { writeSecretFile } from '../output/file.ts';
import { findingsText } from '../output/text.ts';
import { refuse, userJoinCommand } from '../publish/survey.ts';
import type { Answers } from '../questions.ts';
import { compose } from '../script/compose.ts';
import { decide } from '../script/decide.ts';
import { joinTarget } from '../script/join-command.ts';
import type { Script } from '../script/types.ts';
import { version } from '../version.ts';
import { withAnswers } from './answering.ts';
import type { Flags, Run } from './run.ts';

export const render = (flags: Flags, run: Run): Promise<number> =>
  withAnswers('render', flags, run, async ({ answers, env }) => {
    const { output } = run;
    if (flags.output === 'json' && answers.outputFile === undefined) {
      throw new Failure('AnswerMissing', 'with -o json the script itself goes to a file', {
        next: ['Give --output-file.'],
      });
    }
    const script = toldEverything(answers) ? await offline(answers, run) : await fromCluster(answers, env, run);
    if (answers.outputFile === undefined) {
      output.data(script.text);
    } else {
      await writeSecretFile(answers.outputFile, script.text);
      output.file({ path: answers.outputFile, digest: script.digest, size: script.size });
    }
    return 0;
  });

/** All that a script needs and that no rule can compute. */
const toldEverything = ({ joinCommand, joinCommandFile, kubeVersion, runtime, runtimeVersion }: Answers): boolean =>
  (joinCommand ?? joinCommandFile) !== undefined &&
  kubeVersion !== undefined &&
  runtime !== undefined &&
  (runtimeVersion !== undefined || runtime.includes('://'));

async function offline(answers: Answers, run: Run): Promise<Script> {
  const join = (await userJoinCommand(answers))!;
  const decision = decide(undefined, answers, version);
  refuse(decision);
  run.output.warn(findingsText(decision.findings));
  return compose({ ...decision.input!, join });
}

async function fromCluster(answers: Answers, env: NodeJS.ProcessEnv, run: Run): Promise<Script> {
  const { kubeconfig, context } = answers;
  const cluster = await connect({
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
    timeoutMs: answers.timeout * 1000,
    env,
    readOnly: true,
    signal: run.signal,
    onPluginOutput: (text) => run.output.note(text),
  });
  const [facts, { history }, userJoin] = await Promise.all([
    readFacts(cluster),
    readHistory(cluster),
    userJoinCommand(answers),
  ]);
  const decision = decide(facts, answers, version);
  refuse(decision);
  run.output.warn(findingsText(decision.findings));
  if (userJoin) return compose({ ...decision.input!, join: userJoin });
  const tokenId = history.entries.findLast(({ state }) => state === 'live')?.tokenId;
  const live = tokenId === undefined ? undefined : await readToken(cluster, tokenId);
  if (!live?.usable || !facts.discovery) {
    throw new Failure('AnswerMissing', 'there is no live token of ackone-join to compose with, and render makes none', {
      next: ['Give --join-command-file, or run ackone-join init.'],
    });
  }
  return compose({ ...decision.input!, join: joinTarget(facts.discovery.value, live.token) });
}
