/** I1: where nobody can be asked, nobody is; and stdout is data, whatever the terminal. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { sandboxEnv } from '../support/program.ts';
import { everything, liveUrl } from '../support/world.ts';
import { Terminal } from './terminal.ts';
import { shell, walk } from './wizard.ts';

let sandbox: Sandbox;
let folder: string;
let terminal: Terminal;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ackone-join-test-'));
});
afterEach(async () => {
  await terminal.close();
  rmSync(folder, { recursive: true, force: true });
});

const start = (script: string, more: NodeJS.ProcessEnv = {}): Terminal => {
  terminal = new Terminal(shell(script), { env: sandboxEnv(sandbox, more), cwd: folder, rows: 60, cols: 160 });
  return terminal;
};

describe('the plan is printed, nothing is asked or done, and the exit code is 2', () => {
  it.each([
    ['stdin is no terminal', 'ackone-join init </dev/null', {}],
    ['stdin is a pipe', 'echo | ackone-join init', {}],
    ['stderr is no terminal', 'ackone-join init 2>errors; code=$?; cat errors; exit $code', {}],
    ['TERM is dumb', 'ackone-join init', { TERM: 'dumb' }],
    ['CI is set', 'ackone-join init', { CI: 'true' }],
    ['--no-input', 'ackone-join init --no-input', {}],
  ])('I1 %s', async (title, script, more) => {
    const before = everything(sandbox);
    start(script, more);
    expect(await terminal.ended()).toBe(2);
    const lines = terminal.screen.everything();
    expect(lines).toMatch(/^Plan$/m);
    expect(lines).toMatch(/^Error ConsentMissing/m);
    // Where stderr is a terminal that can do it, a spinner turns while it reads.
    if (/stderr|TERM/.test(title)) expect(terminal.raw).not.toContain('\u001b');
    expect(everything(sandbox)).toEqual(before);
    expect(terminal.faults()).toEqual([]);
  });

  it('I1 -o json', async () => {
    start('ackone-join init -o json >plan.json');
    expect(await terminal.ended()).toBe(2);
    expect(JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8'))).toMatchObject({
      schema: 'ackone-join/plan/v1',
      changes: true,
    });
  });
});

describe('stdout is data', () => {
  it('init | cat: the wizard is drawn on the terminal, and the pipe gets the result only', async () => {
    start('ackone-join init | cat >result; exit "${PIPESTATUS[0]}"');
    await walk(terminal, 'cluster', 'found', 'access', 'review');
    await terminal.press('enter');
    expect(await terminal.ended()).toBe(0);
    const result = readFileSync(join(folder, 'result'), 'utf8');
    expect(result.startsWith(`Published  ${liveUrl(sandbox)}\nScript     sha256:`)).toBe(true);
    expect(result).not.toMatch(/\u001b|Publish\?|✔/);
    // Whoever sits there sees it as well.
    expect(terminal.screen.everything()).toContain(`Published  ${liveUrl(sandbox)}`);
    expect(terminal.faults()).toEqual([]);
  });
});
