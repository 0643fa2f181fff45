/** Completion in real shells: keys go in, and what counts is the words that the shell then runs. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../support/program.ts';
import { Terminal } from '../terminal/terminal.ts';

/** How each is started, and what it is told first; the sum shows that it was done. */
const shells = {
  bash: {
    start: ['bash', '--norc', '--noprofile', '-i'],
    load: (file: string) => `source ${file}; echo loaded $((40 + 2))`,
  },
  zsh: {
    start: ['zsh', '-f', '-i'],
    load: (file: string) => `autoload -U compinit; compinit -D -u; source ${file}; echo loaded $((40 + 2))`,
  },
  fish: { start: ['fish', '--no-config', '-i'], load: (file: string) => `source ${file}; echo loaded (math 40 + 2)` },
} as const;
type Shell = keyof typeof shells;

const contexts = ['prod', 'kubernetes-admin@lab', 'arn:aws:eks:r:000000000000:cluster/x', 'my lab', '$(touch pwned)'];

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ackone-join-completion-'));
  mkdirSync(join(folder, 'here/folder'), { recursive: true });
  writeFileSync(join(folder, 'here/join.txt'), '');
  writeFileSync(join(folder, 'contexts'), contexts.map((name) => `${name}\n`).join(''));
  // In the place of the program, so that the words can be seen; the contexts are what `completion contexts` prints.
  const stub = `#!/bin/bash
if [[ "$*" == 'completion contexts' ]]; then cat '${folder}/contexts'; exit; fi
{ printf '<%s>' "$@"; echo; } >>'${folder}/ran'
echo RAN
`;
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/ackone-join'), stub);
  chmodSync(join(folder, 'bin/ackone-join'), 0o755);
  for (const shell of Object.keys(shells)) {
    const { stdout } = await run(['completion', shell], {});
    writeFileSync(join(folder, `completion.${shell}`), stdout);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function open(shell: Shell): Promise<Terminal> {
  const terminal = new Terminal(shells[shell].start, {
    env: { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, HOME: folder, TERM: 'xterm', PS1: 'ready> ' },
    cwd: join(folder, 'here'),
    rows: 40,
    cols: 140,
  });
  // Its prompt.
  await terminal.sees(/\S/);
  terminal.type(`${shells[shell].load(join(folder, `completion.${shell}`))}\r`);
  await terminal.sees('loaded 42');
  return terminal;
}

/** What is typed, `→` for Tab, and the words that run. */
const typed: readonly (readonly [string, readonly string[]])[] = [
  ['ini→', ['init']],
  ['init --buc→', ['init', '--bucket']],
  ['init --access pub→', ['init', '--access', 'public-read']],
  ['init --access=pub→', ['init', '--access=public-read']],
  ['render -o js→', ['render', '-o', 'json']],
  ['render --join-command-file joi→', ['render', '--join-command-file', 'join.txt']],
  ['sandbox --dir f→', ['sandbox', '--dir', 'folder']],
  ['sandbox --dir j→', ['sandbox', '--dir', 'j']],
  ['completion z→', ['completion', 'zsh']],
  ['explain TokenNotS→', ['explain', 'TokenNotSigned']],
  ['init --context pro→', ['init', '--context', 'prod']],
  ['init --context kubernetes-admin@l→', ['init', '--context', 'kubernetes-admin@lab']],
  ['init --context arn:aw→', ['init', '--context', 'arn:aws:eks:r:000000000000:cluster/x']],
  ['init --context my→', ['init', '--context', 'my lab']],
  ['init --bucket joi→', ['init', '--bucket', 'joi']],
  ['render --buck→', ['render', '--buck']],
];

const names = Object.keys(shells) as Shell[];
const missing = names.filter((shell) => spawnSync(shell, ['--version']).status !== 0);
if (missing.length > 0)
  console.log(`Not run: the completion of ${missing.join(' and ')}, which is not installed here.`);

describe.each(names)('%s', (shell) => {
  const it = test.skipIf(missing.includes(shell));

  it('completes commands, flags, values, files and contexts', async () => {
    const terminal = await open(shell);
    try {
      for (const [keys, words] of typed) {
        rmSync(join(folder, 'ran'), { force: true });
        for (const part of `ackone-join ${keys}`.split(/(→)/).filter((part) => part !== '')) {
          terminal.type(part === '→' ? '\t' : part);
          await terminal.settled();
        }
        terminal.type('\r');
        await terminal.until(() => ran() !== undefined, `for ackone-join ${keys}`);
        // A slash behind a folder is a matter of the shell.
        expect([keys, ran()?.replaceAll('/>', '>')]).toEqual([keys, `${words.map((word) => `<${word}>`).join('')}\n`]);
      }
    } finally {
      await terminal.close();
    }
  });

  it('lists the values of a flag that has a fixed set, and no others', async () => {
    const terminal = await open(shell);
    try {
      terminal.type('clear\r');
      await terminal.settled();
      terminal.type('ackone-join init --selinux \t\t');
      await terminal.sees(/disabled\s+.*keep\s+.*permissive|disabled\s+.*permissive\s+.*keep/s);
      expect(terminal.screen.text()).not.toMatch(/join\.txt|folder/);
    } finally {
      await terminal.close();
    }
  });

  it('runs nothing that a context is called', async () => {
    const terminal = await open(shell);
    try {
      terminal.type('ackone-join init --context \t\t');
      await terminal.sees('touch');
      terminal.type('\u0003');
      await terminal.settled();
      terminal.type('ackone-join init --context \\$\t');
      await terminal.settled();
      terminal.type('\r');
      await terminal.settled();
      expect(existsSync(join(folder, 'here/pwned'))).toBe(false);
    } finally {
      await terminal.close();
    }
  });
});

/** The words of the last run, once all of them are there. */
function ran(): string | undefined {
  const file = join(folder, 'ran');
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return text.endsWith('\n') ? text : undefined;
}
