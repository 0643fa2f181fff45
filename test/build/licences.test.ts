import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { thirdPartyLicences } from '../../build/licences.mjs';
import { bundledPackages, ownLicenceText } from '../../build/packages.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ackone-join-licences-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const output = (inputs: Record<string, number>) => ({
  bytes: 0,
  imports: [],
  exports: [],
  inputs: Object.fromEntries(Object.entries(inputs).map(([path, bytesInOutput]) => [path, { bytesInOutput }])),
});
const named = (name: string, licence: string) => ({
  name,
  version: '1.2.3',
  licence,
  author: 'A. Person',
  manifest: {},
  folder,
});

test('the packages are those with bytes in an output, once each', () => {
  const outputs = {
    'dist/main.js': output({
      'src/main.ts': 10,
      'node_modules/commander/lib/help.js': 5,
      'node_modules/zod/index.js': 0,
    }),
    'dist/chunk.js': output({
      'node_modules/commander/lib/command.js': 5,
      'node_modules/@alicloud/credentials/a/b.js': 1,
    }),
  };
  const packages = bundledPackages({ inputs: {}, outputs });
  expect(packages.map(({ name, licence }) => [name, licence])).toEqual([
    ['@alicloud/credentials', 'MIT'],
    ['commander', 'MIT'],
  ]);
});

test('the text is that of the licence and notice files', () => {
  writeFileSync(join(folder, 'LICENSE.md'), 'You may.');
  writeFileSync(join(folder, 'NOTICE'), 'By A. Person.');
  writeFileSync(join(folder, 'licenser.js'), 'code');
  expect(ownLicenceText(folder)).toBe('You may.\n\nBy A. Person.');
});

test('else the text is the section of the README, if it holds more than a name', () => {
  writeFileSync(join(folder, 'README.md'), '# X\n\n## License\n\nMIT\n');
  expect(ownLicenceText(folder)).toBeUndefined();
  const section = `License\n-------\n\n${'Permission is granted. '.repeat(30)}`;
  writeFileSync(join(folder, 'README.md'), `# X\n\n${section}`);
  expect(ownLicenceText(folder)).toBe(section);
});

test('else the standard text stands in, with the author', () => {
  const text = thirdPartyLicences([named('x', 'MIT')]);
  expect(text).toContain('\nx 1.2.3 (MIT)\n\nCopyright (c) A. Person\n\nPermission is hereby granted, free of charge,');
});

test('a package whose licence has no text stops the build', () => {
  expect(() => thirdPartyLicences([named('x', 'BSD-2-Clause')])).toThrow(
    'x carries no text of its licence, BSD-2-Clause',
  );
});
