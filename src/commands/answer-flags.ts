/**
 * The flags of the table of answers, as data without zod. The build replaces this module by what it exports
 * (build/computed.mjs), so that help, version and completion load nothing else.
 */
import { durationText } from '../durations.ts';
import { choicesOf, flagOf, groups, type Question, rows, suggestionsOf } from '../questions.ts';
import type { FlagInfo } from './tree.ts';

/** The default that does not depend on anything, as it would be typed. */
function fixedDefault({ default: value, hint }: Question): string | undefined {
  const fixed = value?.({}, {});
  if (typeof fixed === 'number' && hint === 'duration') return fixed === 0 ? '0' : durationText(fixed);
  return fixed === undefined || typeof fixed === 'boolean' ? undefined : String(fixed);
}

/** Choices stand in the place of the value, or, where a row has a word for it, behind the text. */
function helpOf(row: Question): string {
  const choices = row.hint === undefined ? undefined : choicesOf(row)?.join(', ');
  const fixed = fixedDefault(row);
  const notes = [choices, fixed === undefined ? undefined : `default: ${fixed}`].filter((note) => note !== undefined);
  return notes.length === 0 ? row.help : `${row.help} (${notes.join('; ')})`;
}

/** In the order of the help. */
export const answerFlags: readonly (FlagInfo & { readonly for: readonly string[] })[] = groups.flatMap((group) =>
  rows
    .filter(([, row]) => row.group === group)
    .map(([key, row]) => {
      const choices = choicesOf(row);
      const suggestions = suggestionsOf(row);
      return {
        name: flagOf(key),
        group,
        help: helpOf(row),
        for: row.for,
        ...(row.prompt === 'confirm' ? { negatable: true } : { value: row.hint ?? choices?.join('|') ?? 'value' }),
        ...(suggestions && { choices: suggestions }),
        ...(row.many && { many: true }),
        ...(row.prompt === 'file' && { completes: 'file' as const }),
        ...(key === 'context' && { completes: 'context' as const }),
      };
    }),
);
