import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { importsBelow, violations } from './imports.ts';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

test('imports in src/ run in one direction', async () => {
  const imports = await importsBelow(folder('../../'));
  expect(imports).toContainEqual({ from: 'src/questions.ts', to: 'src/durations.ts' });
  expect(violations(imports)).toEqual([]);
});

test('each kind of violation is found, and type imports are none', async () => {
  expect([...violations(await importsBelow(folder('fixture/')))].sort()).toEqual([
    'src/commands/init.ts imports node:tls: only cluster/, oss/ and sandbox/ open sockets',
    'src/commands/init.ts imports src/cluster/write/token.ts: only publish/ imports what writes',
    'src/script/compose.ts imports src/cluster/facts.ts: script may not import cluster',
  ]);
});
