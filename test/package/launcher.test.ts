import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from './tarball.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ackone-join-launcher-'));
  cpSync(`${root}bin`, join(folder, 'bin'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
});
afterEach(() => rmSync(folder, { recursive: true }));

const launch = () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/ackone-join.js', 'a b'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

test('without dist/ the launcher says what to do', () => {
  expect(launch()).toEqual({
    status: 1,
    stdout: '',
    stderr: 'ackone-join: dist/main.js is missing. Run `npm run build` in its folder first.\n',
  });
});

test('the launcher starts dist/main.js with its arguments and keeps its exit code', () => {
  mkdirSync(join(folder, 'dist'));
  writeFileSync(join(folder, 'dist/main.js'), 'console.log(process.argv.slice(2)); process.exitCode = 6;');
  expect(launch()).toEqual({ status: 6, stdout: "[ 'a b' ]\n", stderr: '' });
});

test('a program that ends while something is awaited has not succeeded', () => {
  mkdirSync(join(folder, 'dist'));
  writeFileSync(join(folder, 'dist/main.js'), 'await new Promise(() => {});');
  expect(launch()).toEqual({ status: 13, stdout: '', stderr: '' });
});
