import { durationText } from '../durations.ts';
import { type Answers, type Key, type Question, questions } from '../questions.ts';

/** A value as it is typed; empty when there is none. */
export function answerText(answers: Answers, key: Key): string {
  const value = answers[key];
  const { hint }: Question = questions[key];
  if (value === undefined) return '';
  if (typeof value === 'number' && hint === 'duration') return value === 0 ? '0' : durationText(value);
  return typeof value === 'object' ? value.join(',') : String(value);
}

/** They hold a token. */
export const secretAnswers: ReadonlySet<Key> = new Set<Key>(['joinCommand']);
