/** The harness itself, with a program that does on purpose what a wizard must and must not do. */
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { Terminal } from './terminal.ts';

const fixture = fileURLToPath(new URL('fixtures/echo.mjs', import.meta.url));
let terminal: Terminal;
afterEach(() => terminal.close());

async function open(settings: { rows?: number; cols?: number; alone?: true } = {}): Promise<Terminal> {
  terminal = new Terminal([process.execPath, fixture], { env: { PATH: process.env.PATH }, ...settings });
  await terminal.sees('ready');
  return terminal;
}

describe('keys', () => {
  it('arrive one by one, and are counted', async () => {
    await open();
    await terminal.press('down', 'enter');
    expect(terminal.screen.lines().slice(0, 3)).toEqual(['ready', 'got 1b5b42', 'got 0d']);
    expect(terminal.presses).toBe(2);
  });

  it('arrive in one burst', async () => {
    await open();
    terminal.burst('down', 'enter');
    await terminal.sees('got 1b5b420d');
    expect(terminal.presses).toBe(2);
  });

  it('a paste is in brackets, and counts once', async () => {
    await open();
    terminal.paste('a\nb');
    await terminal.sees(`got 1b5b3230307e610a621b5b3230317e`);
    expect(terminal.presses).toBe(1);
  });

  it('the bytes of one character come apart', async () => {
    await open();
    await terminal.trickle(Buffer.from('é'));
    await terminal.sees(/got c3\ngot a9/);
  });
});

describe('the terminal that is left', () => {
  it('is sane after a good end', async () => {
    await open();
    expect(terminal.screen.cursorVisible).toBe(false);
    await terminal.press('down');
    terminal.type('q');
    expect(await terminal.ended()).toBe(7);
    expect(terminal.faults()).toEqual([]);
  });

  it('is not after a bad one', async () => {
    await open();
    terminal.type('w');
    await terminal.sees('got 77');
    terminal.type('x');
    expect(await terminal.ended()).toBe(137);
    expect(terminal.faults()).toEqual([
      'the settings (stty) are not what they were',
      'the cursor is hidden',
      'bracketed paste is on',
      'the scrollback was wiped',
    ]);
  });

  it('is sane while the program is stopped, and the program goes on', async () => {
    await open();
    terminal.type('z');
    await terminal.stopped();
    expect(terminal.faults('stopped')).toEqual([]);
    terminal.foreground();
    await terminal.sees(/ready.*ready/s);
    terminal.type('q');
    expect(await terminal.ended()).toBe(7);
  });
});

describe('signals', () => {
  it('reach the program', async () => {
    await open();
    await terminal.signal('SIGTERM');
    expect(await terminal.ended()).toBe(143);
    expect(terminal.faults()).toEqual([]);
  });

  it('a closed window is a hang-up', async () => {
    await open({ alone: true });
    terminal.hangUp();
    expect(await terminal.ended()).toBe(129);
  });
});

it('a resize reaches the program and the screen', async () => {
  await open({ rows: 20, cols: 80 });
  await terminal.resize({ rows: 12, cols: 40 });
  await terminal.sees('40x12');
  expect(terminal.screen.lines()).toHaveLength(12);
});

it('what was waited for in vain is shown with the screen', async () => {
  await open();
  await expect(terminal.sees('never', { timeoutMs: 50 })).rejects.toThrow(/in vain to see never.*\nready$/s);
});
