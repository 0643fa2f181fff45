import { describe, expect, it } from 'vitest';
import { commandTree, flagsOf } from '../../src/commands/tree.ts';
import { exitCodes } from '../../src/exit-codes.ts';
import { calledAs } from '../../src/program.ts';
import { run } from '../support/program.ts';

describe.each(commandTree.map((info) => [info.name, info] as const))('%s --help', (name, info) => {
  it('begins with examples, shows every flag under its heading, and ends with the exit codes', async () => {
    const { exit, stdout, stderr } = await run([name, '--help'], {});
    expect([exit, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Examples:\n {2}ackone-join /);
    for (const flag of flagsOf(info)) {
      expect(stdout.slice(stdout.indexOf(`\n${flag.group}:\n`))).toContain(flag.name);
    }
    expect(stdout).not.toContain('--no-new-token');
    const [, codes = ''] = stdout.split('Exit codes:\n');
    expect([...codes.matchAll(/^ {2}(\d+) /gm)].map(([, code]) => Number(code))).toEqual(info.exits);
  });
});

it('the exit codes of the contract', async () => {
  expect(exitCodes.map(({ exit }) => exit)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 129, 130, 143]);
  expect((await run(['--help'], {})).stdout).toMatch(/^ {2}7 +switched, but not confirmed$/m);
});

describe('did you mean', () => {
  it.each([
    [['inti'], "unknown command 'inti'", 'Did you mean init?'],
    [['frobnicate'], "unknown command 'frobnicate'"],
    [['init', '--buckt', 'x'], "unknown option '--buckt'", 'Did you mean --bucket?'],
    [['init', '--no-new-tokn'], "unknown option '--no-new-tokn'", 'Did you mean --no-new-token?'],
    [['render', '--bucket', 'x'], "unknown option '--bucket': it is a flag of init and config"],
    [['explain', 'Bug', '--yes'], "unknown option '--yes': it is a flag of init"],
    [['render', '--frobnicate'], "unknown option '--frobnicate'"],
    [['--verson'], "unknown option '--verson'", 'Did you mean --version?'],
    // What stands behind it may be a secret.
    [['init', '--tokn-group=abcdef'], "unknown option '--tokn-group'", 'Did you mean --token-group?'],
  ])('%j', async (words, sentence, meant?: string) => {
    const { exit, stderr } = await run(words, {});
    expect(exit).toBe(2);
    expect(stderr.split('\n')[0]).toBe(`Error Usage: ${sentence}`);
    expect(/Did you mean .*/.exec(stderr)?.[0]).toBe(meant);
  });
});

describe('as a plugin of kubectl', () => {
  it.each([
    ['/usr/local/bin/kubectl-ackone_join', 'kubectl ackone_join'],
    ['/opt/ackone-join/bin/ackone-join.js', 'ackone-join'],
    ['/home/u/kubectl-ackone_join/bin/ackone-join', 'ackone-join'],
    [undefined, 'ackone-join'],
  ])('%s is called as %s', (path, name) => expect(calledAs(path)).toBe(name));

  const asPlugin = (...words: string[]) => run(words, {}, { programName: 'kubectl ackone_join' });

  it('help, usage and next steps have the name by which it was called', async () => {
    expect((await asPlugin('--help')).stdout).toMatch(/^Usage: kubectl ackone_join /);
    expect((await asPlugin('init', '--help')).stdout).toMatch(/^Examples:\n {2}kubectl ackone_join init --sandbox/);
    expect((await asPlugin()).stderr).toContain('  kubectl ackone_join init --sandbox --yes ');
    expect((await asPlugin('inti')).stderr).toContain('Next: Run kubectl ackone_join --help.');
    expect((await asPlugin('explain', 'exit-4')).stdout).toContain('Run kubectl ackone_join explain with');
    // The program's name in a sentence is no command.
    expect((await asPlugin('explain', 'ForeignScript')).stdout).toContain('one that ackone-join published');
  });
});
