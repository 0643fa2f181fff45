import { readFileSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { clientInParts } from './client-in-parts.mjs';
import { computedModules } from './computed.mjs';
import { oneCore } from './one-core.mjs';

/** The package folder, with a slash at its end. */
export const root = fileURLToPath(new URL('../', import.meta.url));

/** Our package.json. */
export const ownManifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

/** ali-oss loads a client with a known hole (vm2) when it is asked to find a proxy by itself; it never is (src/oss gives it an agent). */
const absent = fileURLToPath(new URL('absent.mjs', import.meta.url));

/** CommonJS packages call `require('node:…')`, which ES modules lack (facts/toolchain.md). */
const requireBanner = [
  `import { createRequire as createRequireOfBundle } from 'node:module';`,
  `const require = createRequireOfBundle(import.meta.url);`,
].join('\n');

/**
 * commander can start a program of its own for each subcommand, and loads what that needs at once. Ours has none.
 * @type {import('esbuild').Plugin}
 */
const noSubprograms = {
  name: 'no-subprograms',
  setup(build) {
    build.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      /node_modules[/\\]commander[/\\]/.test(importer) ? { path: absent } : undefined,
    );
  },
};

/**
 * yoga-layout holds its WebAssembly as text, and takes it through `fetch` where there is one: in Node that loads a whole
 * HTTP client, before the first frame. Without one it decodes the text by itself.
 * @type {import('esbuild').Plugin}
 */
const noFetchInYoga = {
  name: 'no-fetch-in-yoga',
  setup(build) {
    build.onLoad({ filter: /yoga-layout[/\\]dist[/\\]binaries[/\\].*\.js$/ }, async ({ path }) => ({
      contents: `const fetch = undefined;\n${await readFile(path, 'utf8')}`,
    }));
  },
};

const allEmoji = String.raw`const rgiEmojiRegex = /^\p{RGI_Emoji}$/v;`;
/** Each of them has a character that is drawn as an emoji by itself, or the selector that makes it one (UTS #51, ED-27). */
const emojiLater = String.raw`
let rgiEmoji;
const rgiEmojiRegex = {
  test: (text) => /[\p{Emoji_Presentation}\uFE0F]/u.test(text) && (rgiEmoji ??= /^\p{RGI_Emoji}$/v).test(text),
};`;

/**
 * string-width builds the expression of all emoji when it is loaded: 20 ms before the first frame, which has none.
 * @type {import('esbuild').Plugin}
 */
const emojiWhenNeeded = {
  name: 'emoji-when-needed',
  setup(build) {
    build.onLoad({ filter: /node_modules[/\\]string-width[/\\]index\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!text.includes(allEmoji)) return undefined;
      return { contents: text.replace(allEmoji, () => emojiLater) };
    });
  },
};

/**
 * Bundles src/main.ts with all that it needs. Not minified: an uncaught error prints the line that it stands in.
 * Split, so that a command loads only what it imports.
 * @returns the files for dist/, and what went into which
 */
export const compile = () =>
  esbuild.build({
    absWorkingDir: root,
    entryPoints: ['src/main.ts'],
    outdir: 'dist',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    // Ink asks for the developer tools of React when DEV is true, which it never sees (src/wizard/terminal.ts).
    alias: { 'proxy-agent': absent, 'react-devtools-core': absent },
    plugins: [computedModules, noSubprograms, noFetchInYoga, emojiWhenNeeded, clientInParts, oneCore],
    banner: { js: requireBanner },
    define: { 'process.env.NODE_ENV': '"production"', PACKAGE_VERSION: JSON.stringify(ownManifest.version) },
    metafile: true,
    write: false,
    logLevel: 'warning',
  });

/**
 * Makes dist/ anew.
 * @returns {Promise<esbuild.Metafile>} what went into which file
 */
export async function bundle() {
  const { metafile, outputFiles } = await compile();
  await rm(`${root}dist`, { recursive: true, force: true });
  await mkdir(`${root}dist`);
  for (const { path, contents } of outputFiles) await writeFile(path, contents);
  return metafile;
}
