import { expect, it } from 'vitest';
import { masked, visible } from '../src/masking.ts';

it.each([
  ['\u001b[2Jgone', '\\u001b[2Jgone'],
  ['two\nlines\r', 'two\\u000alines\\u000d'],
  ['abc\u202edcba', 'abc\\u202edcba'],
  ['zero\u200bwidth', 'zero\\u200bwidth'],
  ['生产集群 é', '生产集群 é'],
])('makes %j harmless and keeps what is readable', (text, shown) => {
  expect(visible(text)).toBe(shown);
});

it('shows the public half of a token only', () => {
  expect(masked('abcdef')).toBe('abcdef.****************');
});
