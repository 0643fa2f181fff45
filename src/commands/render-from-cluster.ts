import { readAnswerFiles } from '../answer-files.ts';
import { readFacts } from '../cluster/facts.ts';
import { readHistory } from '../cluster/history.ts';
import { readToken } from '../cluster/token.ts';
import { Failure, type Finding } from '../errors.ts';
import { orAbort } from '../publish/interrupt.ts';
import { ownCredential } from '../publish/own-credential.ts';
import { connectFor } from '../publish/survey.ts';
import type { Answers } from '../questions.ts';
import { compose } from '../script/compose.ts';
import { withOwn, withToken } from '../script/credential.ts';
import { decide } from '../script/decide.ts';
import { refuseStops } from '../script/findings.ts';
import type { Script, ScriptInput } from '../script/types.ts';
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
  const files = await readAnswerFiles(answers);
  const [facts, { history }, own] = await Promise.all([
    readFacts(cluster, answers),
    readHistory(cluster),
    ownCredential(answers, files),
  ]);
  const decision = decide(facts, answers, version, files);
  refuseStops(decision.findings);
  const rendered = (input: ScriptInput): Rendered => ({ script: compose(input), findings: decision.findings });
  const input = decision.input!;
  if (own) return rendered(withOwn(input, own.credential));
  const tokenId = history.entries.findLast(({ state }) => state === 'live')?.tokenId;
  const live = tokenId === undefined ? undefined : await readToken(cluster, tokenId, input.style);
  if (!live?.usable) {
    throw new Failure('AnswerMissing', 'there is no live token of ackone-join to compose with, and render makes none', {
      next: [
        `Give ${input.style === 'binary' ? '--bootstrap-kubeconfig' : '--join-command-file'}, or run ackone-join init.`,
      ],
    });
  }
  return rendered(withToken(input, facts.discovery?.value, live.token));
}
