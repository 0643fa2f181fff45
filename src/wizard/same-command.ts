/** The same run as one command. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { readAnswers } from '../answers.ts';
import { withoutSecrets } from '../masking.ts';
import { flagOf, type Key, type Question, rows, variableOf } from '../questions.ts';
import { quote } from '../quote.ts';
import { answerText, secretAnswers } from './answer-text.ts';
import type { State } from './model.ts';

export interface SameCommand {
  /** One line of shell. */
  readonly command: string;
  /** Variables that must be set for it: what they hold is a secret, and stands in no command. */
  readonly variables: readonly string[];
}

/**
 * What was decided and would be otherwise without being said: neither by its default, nor by a variable or a file that
 * says something else. The context always, for another one may be current then.
 */
export function sameCommand(state: Pick<State, 'layers' | 'resolved' | 'confirmed'>): SameCommand {
  const { layers, resolved, confirmed } = state;
  const { answers } = resolved;
  const unsaid = readAnswers('init', { ...layers, flags: {} }).answers;
  const isNeeded = (key: Key, row: Question) =>
    key === 'context' ||
    !isDeepStrictEqual(answers[key], row.default?.(layers.known, answers)) ||
    !isDeepStrictEqual(answers[key], unsaid[key]);
  const decided = rows.filter(
    ([key, row]) => row.for.includes('init') && answers[key] !== undefined && isNeeded(key, row),
  );
  const secret = decided.filter(([key]) => isSecret(key, answerText(answers, key)));
  const words = [
    'ackone-join init --yes',
    ...(layers.flags.sandbox === true ? ['--sandbox'] : []),
    ...decided
      .filter((each) => !secret.includes(each))
      .flatMap(([key, row]) => wordsOf(key, row, answers[key], answerText(answers, key))),
    ...(answers.access === 'public-read' && confirmed !== undefined ? [`--confirm ${shellWord(confirmed)}`] : []),
  ];
  return { command: words.join(' '), variables: secret.map(([key]) => variableOf(key)) };
}

/** A URL may hold a password or a signature. */
const isSecret = (key: Key, text: string): boolean =>
  secretAnswers.has(key) || (/^https?:/.test(text) && (withoutSecrets(text) !== text || text.includes('?')));

function wordsOf(key: Key, row: Question, value: unknown, text: string): readonly string[] {
  const flag = flagOf(key);
  if (row.prompt === 'confirm') return [value === false ? flag.replace('--', '--no-') : flag];
  const values = row.many && Array.isArray(value) ? value.map(String) : [text];
  return values.map((each) => (each.startsWith('-') ? shellWord(`${flag}=${each}`) : `${flag} ${shellWord(each)}`));
}

/** Quoted where a shell would not take it as it is. */
const shellWord = (text: string): string => (/^[\w.,:/@%+=-]+$/.test(text) ? text : quote(text));
