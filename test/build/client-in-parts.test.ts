/** The client of the cluster is bundled without what nobody calls, and with all that somebody does. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { compile } from '../../build/bundle.mjs';

const source = fileURLToPath(new URL('../../src/', import.meta.url));
let bundled: string;
beforeAll(async () => {
  bundled = (await compile()).outputFiles.map(({ text }) => text).join('\n');
});

/** How often a method is in it: the request, the answer, and the two layers above them. */
const places = (name: string) =>
  [...bundled.matchAll(new RegExp(`^ +(async )?${name}(WithHttpInfo)?\\(`, 'gm'))].length;

test('every operation that any room asks for is there', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path));
  const calls = files.flatMap((path) => [
    ...readFileSync(source + path, 'utf8').matchAll(/\b(?:core|authorization|version)\s*\.(\w+)\(\{?/g),
  ]);
  const names = new Set(calls.map(([, name = '']) => name).filter((name) => /^[a-z]+[A-Z]/.test(name)));
  expect([...names]).toEqual(expect.arrayContaining(['listNode', 'getCode', 'createSelfSubjectAccessReview']));
  for (const name of names) expect([name, places(name) >= 4]).toEqual([name, true]);
});

test('no other one is', () => {
  expect(['connectGetNamespacedPodProxy', 'deleteNode', 'replaceNamespacedSecret'].map(places)).toEqual([0, 0, 0]);
});
