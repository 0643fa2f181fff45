import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { failures } from '../../src/errors.ts';
import { run } from '../support/program.ts';

const explain = (...words: string[]) => run(['explain', ...words], {});

describe('explain', () => {
  it('a failure', async () => {
    expect(await explain('TokenNotSigned')).toEqual({
      exit: 0,
      stdout:
        'TokenNotSigned: The bootstrapsigner controller has not signed cluster-info for the new token.\n' +
        '  Next: Start kube-controller-manager with --controllers=*,bootstrapsigner,tokencleaner (kubeadm does).\n' +
        '  Exit code: 4\n',
      stderr: '',
    });
  });

  it('an exit code, with the failures that end with it', async () => {
    const { stdout } = await explain('exit-7');
    expect(stdout).toMatch(
      /^exit-7: Switched, but not confirmed\.\n {2}Codes: SwitchedButUnverified, SwitchedButUnrecorded\n/,
    );
  });

  it('a failure on a node', async () => {
    expect((await explain('node-23')).stdout).toMatch(
      /^node-23: ACKONE_JOIN_PHASE is neither check nor prepare \(phase-unknown\)\.\n {2}Next: .*\/var\/log\/acs\/init\.log.*\n {2}Exit code: 23\n$/,
    );
  });

  it('as a document', async () => {
    expect(JSON.parse((await explain('node-39', '-o', 'json')).stdout)).toMatchObject({
      schema: 'ackone-join/explanation/v1',
      code: 'node-39',
      exit: 39,
      why: "The API server's name does not resolve (api-name).",
      nextSteps: [expect.any(String)],
    });
  });

  it('whatever the case', async () => {
    expect((await explain('tokennotsigned')).stdout).toMatch(/^TokenNotSigned: /);
  });

  it('every code of a failure and every exit code of the script', async () => {
    const table = readFileSync(new URL('../../script-templates/lib/fail.sh', import.meta.url), 'utf8');
    const nodes = [...table.matchAll(/^(\d\d) /gm)].map(([, exit]) => `node-${exit}`);
    expect(nodes.length).toBeGreaterThan(30);
    for (const code of [...Object.keys(failures), ...nodes]) {
      const { exit, stdout } = await explain(code);
      expect([exit, stdout.startsWith(`${code}: `)]).toEqual([0, true]);
    }
  });

  it.each([
    ['TokenNotSignd', 'Did you mean TokenNotSigned?'],
    ['39', 'Did you mean node-39?'],
    ['4', 'Did you mean exit-4?'],
    ['exit-99', 'Give the code behind'],
    ['frobnicate', 'Give the code behind'],
  ])('%s is none', async (code, next) => {
    const { exit, stderr } = await explain(code);
    expect(exit).toBe(2);
    expect(stderr.split('\n')[0]).toBe(`Error Usage: there is no code ${code}`);
    expect(/Next: (.*)/.exec(stderr)?.[1]).toMatch(next);
  });
});
