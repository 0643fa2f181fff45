import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

/** Modules that only hold data made of the program itself, which is why they can be computed now. */
const computed = ['../src/commands/answer-flags.ts'].map((path) => fileURLToPath(new URL(path, import.meta.url)));

/**
 * Puts what such a module exports in its place, so that the program does not load what it was made of.
 * @type {import('esbuild').Plugin}
 */
export const computedModules = {
  name: 'computed-modules',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (!computed.includes(path)) return undefined;
      const { module } = await runnerImport(path);
      const lines = Object.entries(module).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`);
      return { contents: lines.join('\n'), loader: 'js' };
    });
  },
};
