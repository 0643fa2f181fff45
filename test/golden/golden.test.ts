/** Whole scripts, read in review; `npm run golden` writes them anew. */
import { describe, expect, test } from 'vitest';
import { compose } from '../../src/script/compose.ts';
import { binaries } from './binary.ts';
import { pairs, scriptOf } from './pairs.ts';

describe.each(pairs)('golden: $name', (pair) => {
  test('the script is the one that was reviewed', async () => {
    await expect(scriptOf(pair).text).toMatchFileSnapshot(`./${pair.name}.sh`);
  });
});

describe.each(Object.entries(binaries))('golden: %s', (name, input) => {
  test('the script is the one that was reviewed', async () => {
    await expect(compose(input).text).toMatchFileSnapshot(`./${name}.sh`);
  });
});
