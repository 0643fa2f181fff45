/** What a start loads before it knows more than its command line: that is most of the time that it takes. */
import type { Metafile } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import { compile } from '../../build/bundle.mjs';

let outputs: Metafile['outputs'];
beforeAll(async () => {
  outputs = (await compile()).metafile.outputs;
});

/** A file of dist/ and all that it imports, but for what it loads later. */
function loadedWith(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const { path, kind, external } of outputs[file]!.imports) {
    if (kind === 'import-statement' && !external) loadedWith(path, seen);
  }
  return seen;
}

/** The file of dist/ that begins with a module of src/. */
const fileOf = (module: string) =>
  Object.keys(outputs).find((path) => outputs[path]!.entryPoint?.replace(/\.tsx?$/, '') === `src/${module}`) ??
  `no file for ${module}`;

/** Names of the packages that are loaded with a module of src/. */
function packagesWith(module: string): readonly string[] {
  const inputs = [...loadedWith(fileOf(module))].flatMap((file) => Object.keys(outputs[file]!.inputs));
  const names = inputs.flatMap((input) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []);
  return [...new Set(names)].sort();
}

test('every start loads the parser, and neither zod nor an SDK', () => {
  expect(packagesWith('main')).toEqual(['commander', 'leven']);
});

test('completion loads nothing more', () => {
  expect(packagesWith('commands/completion')).toEqual(packagesWith('main'));
});

test('an offline render loads the answers, no parser of files, and no client of a cluster or of OSS', () => {
  expect(packagesWith('commands/render')).toEqual(['commander', 'leven', 'semver', 'zod']);
});

test('init loads Ink only when it asks', () => {
  expect(packagesWith('commands/init')).not.toEqual(expect.arrayContaining(['ink']));
  expect(packagesWith('commands/init')).not.toEqual(expect.arrayContaining(['react']));
});

test.each(['commands/init', 'commands/ask', 'wizard/app', 'wizard/components/Root'])(
  '%s is there before the clients of cluster and OSS: the first frame waits for none of them',
  (module) => {
    const clients = /^(@kubernetes|@alicloud|ali-oss)\b/;
    expect(packagesWith(module).filter((name) => clients.test(name))).toEqual([]);
    expect(packagesWith(module)).not.toEqual([]);
  },
);

test('what every start loads is in few files', () => {
  expect(loadedWith(fileOf('main')).size).toBeLessThanOrEqual(6);
});
