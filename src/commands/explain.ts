/** `ackone-join explain CODE`: what a code means, and what to do. */
import { Failure } from '../errors.ts';
import { nearest } from '../nearest.ts';
import { type Explanation, explanations } from './explanations.ts';
import type { Flags, Run } from './run.ts';

export interface ExplainFlags extends Flags {
  readonly code?: string;
}

/** @throws Failure Usage for a code that there is none of */
export async function explain({ code: given = '' }: ExplainFlags, { output, asCalled }: Run): Promise<number> {
  const all = explanations();
  const found = all.find(({ code }) => code.toLowerCase() === given.toLowerCase());
  if (!found) throw unknown(given, all);
  const { code, exit, why, codes } = found;
  const nextSteps = found.next.map(asCalled);
  output.answer(explanationText({ ...found, next: nextSteps }), 'explanation/v1', {
    code,
    exit,
    why,
    codes,
    nextSteps,
  });
  return 0;
}

const explanationText = ({ code, why, next, exit, codes }: Explanation): string =>
  [
    `${code}: ${why}`,
    ...(codes === undefined ? [] : [`  Codes: ${codes.join(', ')}`]),
    ...next.map((step) => `  Next: ${step}`),
    ...(codes === undefined ? [`  Exit code: ${exit}`] : []),
  ]
    .map((line) => `${line}\n`)
    .join('');

function unknown(given: string, all: readonly Explanation[]): Failure {
  const codes = all.map(({ code }) => code);
  const numbered = codes.filter((code) => /^\d+$/.test(given) && code.endsWith(`-${given}`));
  // One number is not like another.
  const close = numbered.length > 0 || /-\d+$/.test(given) ? numbered.join(' or ') : (nearest(given, codes) ?? '');
  return new Failure('Usage', `there is no code ${given}`, {
    next: [
      ...(close ? [`Did you mean ${close}?`] : []),
      'Give the code behind "Error", such as TokenNotSigned, or exit-4, or node-39.',
    ],
  });
}
