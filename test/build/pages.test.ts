/** What the launcher prints by itself is what the program would print. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pages } from '../../build/pages.mjs';
import { parseCommandLine } from '../../src/commands/command-line.ts';
import { commandNames, shells } from '../../src/commands/tree.ts';
import { run } from '../support/program.ts';

let folder: string;
let launcher: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ackone-join-pages-'));
  launcher = join(folder, 'bin/ackone-join.js');
  cpSync(new URL('../../bin', import.meta.url), join(folder, 'bin'), { recursive: true });
  mkdirSync(join(folder, 'dist/pages'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  // Stands for the program: what it is asked, the launcher has not answered.
  writeFileSync(join(folder, 'dist/main.js'), 'console.error("program", ...process.argv.slice(2));');
  for (const [name, text] of await pages()) writeFileSync(join(folder, 'dist/pages', name), text);
});
afterAll(() => rmSync(folder, { recursive: true }));

const launch = (words: readonly string[], path = launcher) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...words], { encoding: 'utf8' });
  return { exit: status, stdout, stderr };
};

const helps = [['--help'], ...commandNames.map((name) => [name, '--help'])];
const short = helps.map((words) => words.map((word) => word.replace('--help', '-h')));
const scripts = shells.map((shell) => ['completion', shell]);

test.each([...helps, ...short, ...scripts, ['--version']].map((words) => [words.join(' '), words] as const))(
  '%s',
  async (_, words) => {
    const { stdout, ...rest } = await run(words, {});
    expect(launch(words)).toEqual({ stdout, ...rest });
    expect(stdout).not.toBe('');
  },
);

test.each([
  [],
  ['init'],
  ['init', '--help', '--debug'],
  ['--help', 'init'],
  ['completion'],
  ['completion', 'contexts'],
  ['completion', 'csh'],
  ['completion/../init', '--help'],
  ['../main.js'],
  ['INIT', '--help'],
])('%j %j %j is left to the program', (...words) => {
  expect(launch(words).stderr).toBe(`${['program', ...words].join(' ')}\n`);
});

test('as a plugin of kubectl the program answers, which knows its name', () => {
  const link = join(folder, 'kubectl-ackone_join');
  symlinkSync(launcher, link);
  expect(launch(['--help'], link).stderr).toBe('program --help\n');
});

describe.each([40, 66, 80, 100, 200])('in a terminal of %d columns', (columns) => {
  test.each(helps.map((words) => [words.join(' '), words] as const))('%s', async (_, words) => {
    let expected = '';
    const print = (text: string) => {
      expected += text;
    };
    parseCommandLine(words, { programName: 'ackone-join', print, help: { helpWidth: columns } });
    expect(await inTerminal(columns, words)).toBe(expected);
  });
});

function inTerminal(columns: number, words: readonly string[]): Promise<string> {
  const pty = spawn(process.execPath, [launcher, ...words], { cols: columns, rows: 30 });
  let text = '';
  pty.onData((data) => {
    text += data;
  });
  return new Promise((resolve) => pty.onExit(() => resolve(text.replaceAll('\r\n', '\n'))));
}

describe('where the text goes', () => {
  const sh = (script: string) =>
    execFileSync('bash', ['-c', script, 'bash', process.execPath, launcher], { encoding: 'utf8' });

  test('a reader that has seen enough is no failure', () => {
    expect(sh('exec 3> >(true); sleep 0.2; "$1" "$2" completion fish >&3; echo "$?"')).toBe('0\n');
  });

  test('a full disk is told by the program', () => {
    expect(sh('"$1" "$2" --help 2>&1 >/dev/full')).toBe('program --help\n');
  });

  test('all of it arrives in a pipe that does not wait', async () => {
    const { stdout } = await run(['completion', 'zsh'], {});
    // A Node that has opened the pipe makes it one that does not wait, for all that write to it.
    const other = `"$1" -e 'process.stdout.write("x".repeat(60000)); setTimeout(() => {}, 1500)' & sleep 0.5`;
    expect(sh(`(${other}; "$1" "$2" completion zsh) | (sleep 1; tail -c +60001)`)).toBe(stdout);
  });
});
