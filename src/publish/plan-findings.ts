/** What a plan warns of, and what it refuses when there is consent already. Pure. */
import type { FoundToken } from '../cluster/token.ts';
import type { Finding } from '../errors.ts';
import type { SignedUntil } from '../oss/signed-url.ts';
import type { Answers } from '../questions.ts';
import { note, stopWithConsent, warning } from '../script/findings.ts';
import { runUnderWay } from './ledger.ts';
import type { Survey } from './survey.ts';
import type { Surroundings } from './types.ts';

/** Above these, a script may not fit, or does not fit, into what an instance's user data takes (cases.md F7). */
const largeScriptBytes = 16 * 1024;
const maxUserDataBytes = 32 * 1024;

export const presignedDies = ({ expires, temporary }: SignedUntil): Finding =>
  warning(
    'PresignedUrlDies',
    `the signed URL stops working at ${expires}${temporary ? ', or earlier with the temporary credentials that signed it' : ''}; no node can join after that`,
    'Use --access vpc for a pool that is to scale out at any time.',
  );

/** @param reused The token there is; undefined when another is made. */
export function expiryFindings(reused: FoundToken | undefined, { tokenTtl }: Answers, now: Date): readonly Finding[] {
  if (tokenTtl === 0) return [];
  const expires = reused?.expiration ?? new Date(now.getTime() + tokenTtl * 1000).toISOString();
  const what = `the token stops working at ${expires}; no node can join after that`;
  return [warning('TokenExpires', what, 'Before that, publish another one by --new-token.')];
}

/** @throws Failure ForeignScript */
export function foreignFindings({ live }: Survey, answers: Answers, consented: boolean): readonly Finding[] {
  if (live.url === undefined || live.entry || answers.replaceForeign) return [];
  const what = `addNodeScriptPath holds ${live.url}, which ackone-join did not publish`;
  return stopWithConsent(consented, 'ForeignScript', what);
}

/** @throws Failure AnotherRun */
export function otherRunFindings(
  { history }: Survey,
  around: Pick<Surroundings, 'now' | 'consented'>,
): readonly Finding[] {
  const other = runUnderWay(history, around.now());
  if (!other) return [];
  const what = `a run of ${other.user} has been publishing since ${other.time}, and has not ended`;
  return stopWithConsent(around.consented, 'AnotherRun', what);
}

export function sizeFindings(size: number): readonly Finding[] {
  if (size <= largeScriptBytes) return [];
  const what = `the script has ${size} bytes: fetched by its URL that does not matter, pasted as user data it`;
  return size > maxUserDataBytes
    ? [warning('ScriptLarge', `${what} is too long`)]
    : [note('ScriptLarge', `${what} may be too long`)];
}
