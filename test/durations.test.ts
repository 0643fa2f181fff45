import { expect, it } from 'vitest';
import { durationSeconds, durationText } from '../src/durations.ts';

it.each([
  ['15m', 900],
  ['1h30m', 5400],
  ['1.5h', 5400],
  ['30d', 2_592_000],
  ['500ms', 0.5],
  ['45', 45],
  ['', undefined],
  ['soon', undefined],
  ['10 minutes', undefined],
  ['-5m', undefined],
  ['1h junk', undefined],
  ['99999999d', undefined],
])('%j is %j seconds', (text, seconds) => {
  expect(durationSeconds(text)).toBe(seconds);
});

it.each([
  [900, '15m'],
  [5400, '1h30m'],
  [86_400, '24h'],
  [0, '0s'],
  [61, '1m1s'],
])('%j seconds are written %j', (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});
