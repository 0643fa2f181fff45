/** `ackone-join config`: the value of each answer, and where it comes from. */
import { readAnswers, resolveAnswers } from '../answers.ts';
import { durationText } from '../durations.ts';
import { visible, withoutSecrets } from '../masking.ts';
import { flagOf, groups, type Key, type Question, rows, type Source, variableOf } from '../questions.ts';
import { withLayers } from './answering.ts';
import type { Flags, Run } from './run.ts';

/** One answer as it is shown. */
interface Row {
  readonly key: Key;
  readonly flag: string;
  readonly variable: string;
  /** Undefined: left open. */
  readonly value: unknown;
  readonly source: Source | undefined;
  /** `--bucket`, `ACKONE_JOIN_BUCKET`, or the path of the file. */
  readonly from: string | undefined;
}

/** Answers that are a secret as a whole: of a command that is misspelled nobody knows where its token stands. */
const secrets: readonly Key[] = ['joinCommand'];
const hidden = '*'.repeat(16);

/** What is wrong with a value is said after all of them were shown. */
export const config = (flags: Flags, run: Run): Promise<number> =>
  withLayers(flags, run, async (layers) => {
    const { answers, sources } = readAnswers('init', layers);
    const places: Readonly<Record<Source, (key: Key) => string | undefined>> = {
      flag: flagOf,
      variable: variableOf,
      'project file': () => layers.project?.path,
      'user file': () => layers.user?.path,
      default: () => undefined,
    };
    const shown = rows.map(([key]): Row => {
      const source = sources[key];
      const value = answers[key];
      return {
        key,
        flag: flagOf(key),
        variable: variableOf(key),
        value: value !== undefined && secrets.includes(key) ? hidden : safe(value),
        source,
        from: source && places[source](key),
      };
    });
    run.output.answer(configText(shown), 'answers/v1', { answers: shown });
    resolveAnswers('init', layers);
    return 0;
  });

/** A URL may hold a password or a signature. */
const safe = (value: unknown): unknown =>
  typeof value === 'string' ? withoutSecrets(value) : Array.isArray(value) ? value.map(safe) : value;

function configText(shown: readonly Row[]): string {
  const width = Math.max(...shown.map(({ key }) => key.length));
  const line = ({ key, value, source, from }: Row, row: Question) => {
    const origin = value === undefined ? '' : `  [${source}${from === undefined ? '' : ` ${from}`}]`;
    return visible(`  ${key.padEnd(width)}  ${valueText(value, row)}${origin}`);
  };
  return groups
    .map((group) => {
      const lines = rows.flatMap(([, row], index) => (row.group === group ? [line(shown[index]!, row)] : []));
      return `${group}\n${lines.join('\n')}\n`;
    })
    .join('\n');
}

function valueText(value: unknown, { hint }: Question): string {
  if (value === undefined) return '-';
  if (typeof value === 'number' && hint === 'duration') return value === 0 ? '0' : durationText(value);
  return Array.isArray(value) ? value.join(', ') : String(value);
}
