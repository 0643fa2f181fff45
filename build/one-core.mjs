import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Everything that every run loads is what this module imports. */
const core = fileURLToPath(new URL('../src/program.ts', import.meta.url));

/**
 * esbuild makes a file of its own for each set of entries that share modules, which would split what every run loads
 * into a dozen files, and a start into as many reads. A module that is loaded later is loaded by the core: to import
 * it costs nothing, and so all of them share the whole core, in one file.
 * @type {import('esbuild').Plugin}
 */
export const oneCore = {
  name: 'one-core',
  setup(build) {
    const later = new Set();
    build.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      if (kind === 'dynamic-import') later.add(join(resolveDir, path));
      return undefined;
    });
    build.onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
      if (!later.has(path)) return undefined;
      const text = await readFile(path, 'utf8');
      return { contents: `${text}\nimport ${JSON.stringify(core)};\n`, loader: path.endsWith('x') ? 'tsx' : 'ts' };
    });
  },
};
