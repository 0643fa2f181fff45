import { readFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { projectFiles, root } from './files.ts';

const texts = (await projectFiles()).map((path) => ({ path, text: readFileSync(root + path, 'utf8') }));
const holding = (part: string) => texts.filter(({ text }) => text.includes(part)).map(({ path }) => path);

test('no file names this checkout or the folder above it', () => {
  const above = dirname(root);
  const everywhere = ['/', tmpdir(), homedir()];
  const folders = everywhere.includes(above) ? [root] : [root, `${above}/`];
  expect(folders.flatMap(holding)).toEqual([]);
});

test('no file names the host of a package registry', () => {
  const hosts = ['registry.npmjs' + '.org', 'proxy.golang' + '.org', 'deb.debian' + '.org'];
  expect(hosts.flatMap(holding)).toEqual([]);
});

/** Tables: a row of each is one thing, and reading them side by side is their use. */
const tables = ['src/errors.ts', 'src/questions.ts'];

test('every source file and template stays under 300 lines, but for tables', () => {
  const long = texts.filter(
    ({ path, text }) =>
      /^(src|script-templates)\//.test(path) && !tables.includes(path) && text.split('\n').length > 300,
  );
  expect(long.map(({ path }) => path)).toEqual([]);
});

test('only output/ writes to the terminal, through the streams that main.ts hands over', () => {
  const writes = /\bconsole\.\w+\(|\bprocess\.(stdout|stderr)\.write/;
  const writers = texts
    .filter(({ path, text }) => path.startsWith('src/') && writes.test(text))
    .map(({ path }) => path);
  expect(writers.filter((path) => path !== 'src/main.ts' && !path.startsWith('src/output/'))).toEqual([]);
});
