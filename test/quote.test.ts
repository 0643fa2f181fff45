import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quote } from '../src/quote.ts';

/** What bash makes of one word, from its printf. */
function throughBash(words: readonly string[]): string {
  const script = words.map((word) => `printf '%s\\0' ${word}`).join('\n');
  return spawnSync('bash', ['--norc', '-s'], { input: script, encoding: 'utf8' }).stdout;
}

const nasty = [
  "'",
  "''",
  "a'b",
  '$(id)',
  '`id`',
  '${HOME}',
  '\\',
  "\\'",
  'a\nb',
  '!!',
  '*',
  '~',
  '',
  ' ',
  '-n',
  '@&;|<>',
];

test('SH: any value is one word that stands for exactly itself', () => {
  expect(throughBash(nasty.map(quote))).toBe(nasty.map((value) => `${value}\0`).join(''));
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 20 }), (values) => {
      const kept = values.map((value) => value.replaceAll('\0', ''));
      return throughBash(values.map(quote)) === kept.map((value) => `${value}\0`).join('');
    }),
    { numRuns: 60 },
  );
});

test('SH: NUL, which no bash word can hold, is left out', () => {
  expect(quote('a\0b')).toBe("'ab'");
});
