/** Colours, screen readers, and names that no terminal is made for. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { visible } from '../../src/masking.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { World } from '../bad-input/the-world.ts';
import { sandboxEnv } from '../support/program.ts';
import { liveUrl } from '../support/world.ts';
import type { Terminal } from './terminal.ts';
import { walk, wizard } from './wizard.ts';

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

describe('colours', () => {
  const colour = /\u001b\[(?:[0-9;]*;)?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;[0-9;]*)?m/;
  const open = async (more: NodeJS.ProcessEnv) => {
    terminal = wizard([], { env: sandboxEnv(sandbox, more) });
    await walk(terminal, 'cluster', 'found');
  };

  it('are there', async () => {
    await open({});
    expect(terminal.raw).toMatch(colour);
  });

  it.each([{ NO_COLOR: '1' }, { FORCE_COLOR: '0' }])('are not with %o, and all is said without them', async (more) => {
    await open(more);
    expect(terminal.raw).not.toMatch(colour);
    expect(terminal.screen.text()).toContain('› Yes');
  });

  it('come with FORCE_COLOR on a terminal that has none', async () => {
    await open({ FORCE_COLOR: '1', TERM: 'vt100' });
    expect(terminal.raw).toMatch(colour);
  });
});

describe('a screen reader', () => {
  it('hears plain lines, none erased or said twice, up to what is live', async () => {
    terminal = wizard([], { env: sandboxEnv(sandbox, { ACKONE_JOIN_SCREEN_READER: '1' }), rows: 60 });
    for (const question of ['Which cluster?', 'Use these values?', 'Who may read the script?', 'Publish?']) {
      await terminal.sees(question);
      await terminal.settled();
      await terminal.press('enter');
    }
    expect(await terminal.ended()).toBe(0);
    expect(terminal.raw).not.toMatch(/\u001b\[\d*[A-KST]/);
    const said = terminal.screen.everything();
    expect(said).not.toMatch(/[─│┌┐└┘›✔✘⠋]/);
    for (const once of ['Which cluster?', 'Use these values?', 'cgroup driver: systemd', 'Publish?']) {
      expect(said.split(once), once).toHaveLength(2);
    }
    expect(said).toContain(liveUrl(sandbox));
    expect(terminal.faults()).toEqual([]);
  });
});

describe('H6 names of contexts', () => {
  /** Each with what one types to find it. */
  const odd = [
    ['kubernetes-admin@kubernetes', 'admin@'],
    ['arn:aws:eks:r:000000000000:cluster/x', 'eks:r:'],
    ['my lab', 'my lab'],
    ['../../x', '../x'],
    ['生产集群', '生产'],
    [`long-${'x'.repeat(115)}`, 'long'],
    ['e\u0301te\u0301-combining', 'combining'],
    ['\u001b[2Jwiped\u001b]0;title\u0007', 'wiped'],
    ['line\nbreak', 'break'],
    ['\u202egnp.exe', 'gnp'],
  ] as const;
  const open = (current: string, size = { rows: 24, cols: 80 }) => {
    const world = new World(sandbox, join(folder, 'given'));
    const kubeconfig = world.kubeconfig((_cluster, _user, whole) => {
      const { context } = whole.contexts[0]!;
      whole.contexts = odd.map(([name]) => ({ name, context }));
      whole['current-context'] = current;
    });
    terminal = wizard([], { env: sandboxEnv(sandbox, kubeconfig), ...size });
  };

  it.each([
    [80, 24],
    [40, 24],
  ])('are a line each in %i columns, cut by their width, and harmless', async (cols, rows) => {
    open('生产集群', { cols, rows });
    await terminal.sees('› 生产集群');
    await terminal.sees('Kubernetes v1.28.3');
    const lines = terminal.screen.lines();
    for (const start of [
      'kubernetes-admin@',
      'arn:aws:eks:',
      'my lab',
      '../../x',
      'long-xxx',
      'e\u0301te\u0301',
      '\\u001b[2J',
      'line\\u000abreak',
      '\\u202egnp',
    ]) {
      expect(lines.filter((line) => line.includes(start))).toHaveLength(1);
    }
    expect(terminal.raw).not.toContain('\u001b]0;');
    expect(terminal.raw).not.toContain('\u202e');
    expect(terminal.screen.everything().split('\n').length).toBeLessThanOrEqual(rows);
  });

  it('are found by typing, and chosen by their exact names', async () => {
    open('my lab');
    for (const [name, typed] of odd) {
      await terminal.sees('Which cluster?');
      terminal.type(typed);
      await terminal.sees('1 of 1');
      await terminal.press('enter');
      await walk(terminal, 'found');
      expect(terminal.screen.lines()[0]).toContain(`Cluster ${visible(name).slice(0, 30)}`);
      await terminal.press('escape');
    }
  });

  it('become part of no object key as they are, and the same command quotes them', async () => {
    open('../../x');
    await terminal.sees('› ../../x');
    await terminal.press('enter');
    await walk(terminal, 'found', 'access', 'review');
    await terminal.press('enter');
    expect(await terminal.ended()).toBe(0);
    expect(liveUrl(sandbox)).toMatch(/\/ackone-sandbox\/ackone-join\/[a-z0-9-]+\/join-[0-9a-f]{12}\.sh$/);
    expect(terminal.screen.everything()).toContain('--context ../../x');
  });
});
