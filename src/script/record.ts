/** What the user decided, for the comment at the end of a script. */
import { bareUrl } from '../masking.ts';
import { type Answers, rows } from '../questions.ts';

const groups: readonly string[] = ['Script', 'Binary style', 'Host'];

/** Answers that shape the script; a join command holds a token and is left out. */
const recorded = rows.filter(([key, { group }]) => groups.includes(group) && !key.startsWith('joinCommand'));

/** What the user decided beyond the defaults, so that a live script explains itself. */
export function record(answers: Answers): Readonly<Record<string, string | number | boolean>> {
  return Object.fromEntries(
    recorded.flatMap(([key, row]) => {
      const value = answers[key];
      if (value === undefined || value === row.default?.({}, {})) return [];
      return [[key, typeof value === 'object' ? value.map(withoutSecrets).join(',') : textOf(value)]];
    }),
  );
}

const textOf = (value: string | number | boolean) => (typeof value === 'string' ? withoutSecrets(value) : value);

/** Every URL in it without user, password and query, any of which may be a credential. */
const withoutSecrets = (text: string): string => text.replace(/https?:(?:(?!https?:)\S)*/gi, bareUrl);
