import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { projectFiles, root } from './files.ts';

/** Rejects with all that the command says when it finds something. */
function passes(command: string, ...args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { cwd: root, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      error ? reject(new Error(`${stdout}${stderr}` || error.message)) : resolve(),
    );
  });
}
const installed = (name: string) => `${root}node_modules/.bin/${name}`;

const shebang = /^#!.*\b(ba)?sh\b/;
const isShell = (path: string) => path.endsWith('.sh') || shebang.test(readFileSync(root + path, 'utf8'));
const shellFiles = async () => (await projectFiles()).filter(isShell);

test('tsc', () => passes(installed('tsc'), '--noEmit'));
test('Biome', () => passes(installed('biome'), 'check', '--error-on-warnings'));
test('knip: every file, export and dependency is used', () => passes(installed('knip')));

test('shellcheck on every shell file', async () => {
  const files = await shellFiles();
  expect(files).toContain('.ci/run');
  await passes('shellcheck', '-s', 'bash', '-S', 'style', ...files);
});
test('shfmt on every shell file', async () => passes('shfmt', '-d', ...(await shellFiles())));
