import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';

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
 * Bundles src/main.ts with all that it needs into dist/. Not minified: an uncaught error prints the line that it
 * stands in. Split, so that a command loads only what it imports.
 * @returns {Promise<esbuild.Metafile>} what went into which file
 */
export async function bundle() {
  const { metafile, outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['src/main.ts'],
    outdir: 'dist',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    alias: { 'proxy-agent': absent },
    banner: { js: requireBanner },
    define: { 'process.env.NODE_ENV': '"production"', PACKAGE_VERSION: JSON.stringify(ownManifest.version) },
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  await rm(`${root}dist`, { recursive: true, force: true });
  await mkdir(`${root}dist`);
  for (const { path, contents } of outputFiles) await writeFile(path, contents);
  return metafile;
}
