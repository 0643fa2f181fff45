/** The words of an ExecStart as kubelet takes them. */
import { booleanFlags } from './dropped-flags.ts';
import type { Word } from './unit-file.ts';

export interface Flag {
  /** `--node-labels`, with the dashes that pflag makes of underscores; empty for a word that is no flag. */
  readonly name: string;
  readonly value: string;
  readonly raw: string;
}

export const bracedExtra = '${KUBELET_EXTRA_ARGS}';
/** Quotes make no difference to systemd: it takes variables apart behind them. */
export const isExtra = ({ text }: Word) => text === '$KUBELET_EXTRA_ARGS' || text === bracedExtra;

/** As pflag takes them: `--name=value`, `--name value`, and `--name` alone for what is true or false. */
export function flagsOf(words: readonly Word[]): readonly Flag[] {
  const flags: Flag[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const { raw, text } = words[at]!;
    const [, given, equals, value = ''] = /^(--[A-Za-z][\w.-]*)(=([\s\S]*))?$/.exec(text) ?? [];
    const name = given?.replaceAll('_', '-') ?? '';
    const next = words[at + 1];
    if (name === '' || equals !== undefined || booleanFlags.has(name) || next === undefined || /^-/.test(next.text)) {
      flags.push({ name, value, raw });
      continue;
    }
    flags.push({ name, value: next.text, raw: `${raw} ${next.raw}` });
    at += 1;
  }
  return flags;
}

/** @returns the items of a comma list, of every flag of these names */
export const itemsOf = (flags: readonly Flag[], ...names: readonly string[]): readonly string[] =>
  flags
    .filter(({ name }) => names.includes(name))
    .flatMap(({ value }) => value.split(','))
    .filter((item) => item !== '');
