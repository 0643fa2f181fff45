import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { rbacManifest } from '../src/cluster/permissions.ts';

it('docs/permissions.md shows the role that the preflight asks for', () => {
  const shown = readFileSync(new URL('../docs/permissions.md', import.meta.url), 'utf8').replaceAll(/^ {4}/gm, '');
  expect(shown).toContain(rbacManifest({ kind: 'User', name: 'publisher' }));
  expect(shown).toContain(rbacManifest({ kind: 'User', name: 'publisher' }, 'binary'));
});
