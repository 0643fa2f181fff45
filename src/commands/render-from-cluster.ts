import { readFacts } from '../cluster/facts.ts';
import { readHistory } from '../cluster/history.ts';
import { readToken } from '../cluster/token.ts';
import { Failure, type Finding } from '../errors.ts';
import { orAbort } from '../publish/interrupt.ts';
import { userJoinCommand } from '../publish/join-command.ts';
import { connectFor } from '../publish/survey.ts';
import type { Answers } from '../questions.ts';
import { compose } from '../script/compose.ts';
import { decide } from '../script/decide.ts';
import { refuseStops } from '../script/findings.ts';
import { joinTarget } from '../script/join-command.ts';
import type { JoinTarget, Script } from '../script/types.ts';
import { version } from '../version.ts';
import type { Run } from './run.ts';

export interface Rendered {
  readonly script: Script;
  /** Warnings and notes: what stops has stopped already. */
  readonly findings: readonly Finding[];
}

/** What the answers leave open is read from the cluster; the token is the live one, for this command makes none. */
export function renderFromCluster(answers: Answers, env: NodeJS.ProcessEnv, run: Run): Promise<Rendered> {
  return orAbort(readAndCompose(answers, env, run), run.signal);
}

async function readAndCompose(answers: Answers, env: NodeJS.ProcessEnv, { output }: Run): Promise<Rendered> {
  const cluster = await connectFor(answers, { env, readOnly: true, onPluginOutput: (text) => output.note(text) });
  const [facts, { history }, userJoin] = await Promise.all([
    readFacts(cluster),
    readHistory(cluster),
    userJoinCommand(answers),
  ]);
  const decision = decide(facts, answers, version);
  refuseStops(decision.findings);
  const rendered = (join: JoinTarget): Rendered => ({
    script: compose({ ...decision.input!, join }),
    findings: decision.findings,
  });
  if (userJoin) return rendered(userJoin);
  const tokenId = history.entries.findLast(({ state }) => state === 'live')?.tokenId;
  const live = tokenId === undefined ? undefined : await readToken(cluster, tokenId);
  if (!live?.usable || !facts.discovery) {
    throw new Failure('AnswerMissing', 'there is no live token of ackone-join to compose with, and render makes none', {
      next: ['Give --join-command-file, or run ackone-join init.'],
    });
  }
  return rendered(joinTarget(facts.discovery.value, live.token));
}
