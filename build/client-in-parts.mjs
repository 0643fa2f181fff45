import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Where requests to a cluster are made. */
const room = fileURLToPath(new URL('../src/cluster/', import.meta.url));

const wordsOf = () =>
  new Set(
    readdirSync(room, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .flatMap((path) => readFileSync(room + path, 'utf8').match(/\w+/g) ?? []),
  );

/** A method of a generated class with its comment: always at four blanks, and so is its last brace. */
const method = /^(?: {4}\/\*\*\n(?: {5}\*.*\n)+)? {4}(?:async )?(\w+)\(.*\) \{\n[\s\S]*?^ {4}\}\n/gm;

/**
 * client-node has a method for every operation of Kubernetes, three times over: 2.8 MB that take a tenth of a publication
 * to compile. Those whose name stands nowhere in src/cluster are left out, and no bundler can know that by itself.
 * @type {import('esbuild').Plugin}
 */
export const clientInParts = {
  name: 'client-in-parts',
  setup(build) {
    const words = wordsOf();
    const wanted = (/** @type {string} */ name) => words.has(name.replace(/WithHttpInfo$/, ''));
    const generated = /client-node[/\\]dist[/\\]gen[/\\](?:apis[/\\]\w+Api|types[/\\]Ob\w+API)\.js$/;
    build.onLoad({ filter: generated }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return {
        contents: text.replace(method, (whole, name) => (name === 'constructor' || wanted(name) ? whole : '')),
      };
    });
  },
};
