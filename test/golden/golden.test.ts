/** Whole scripts, read in review; `npm run golden` writes them anew. */
import { describe, expect, test } from 'vitest';
import { pairs, scriptOf } from './pairs.ts';

describe.each(pairs)('golden: $name', (pair) => {
  test('the script is the one that was reviewed', async () => {
    await expect(scriptOf(pair).text).toMatchFileSnapshot(`./${pair.name}.sh`);
  });
});
