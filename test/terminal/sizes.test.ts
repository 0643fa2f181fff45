/** I3: narrow, wide, low, and terminals that change their size. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { sandboxEnv } from '../support/program.ts';
import { liveUrl } from '../support/world.ts';
import type { Terminal } from './terminal.ts';
import { type Question, questions, walk, wizard } from './wizard.ts';

let sandbox: Sandbox;
let terminal: Terminal;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
afterEach(() => terminal.close());

const way: readonly Question[] = ['cluster', 'found', 'bucket', 'access', 'review'];

async function upTo(question: Question, rows: number, cols: number): Promise<void> {
  terminal = wizard([], { env: sandboxEnv(sandbox, { ACKONE_JOIN_BUCKET: undefined }), rows, cols });
  await walk(terminal, ...way.slice(0, way.indexOf(question) + 1));
}

/**
 * 120→40→120 columns, each when the program has answered the one before: what it erases for 40 columns would be too
 * much if the lines were whole again by then. Its own frames fit, so until then it is the terminal that breaks them.
 */
async function narrowAndWide(rows: number, whileNarrow = () => {}): Promise<void> {
  await terminal.resize({ rows, cols: 40 });
  await terminal.until(() => terminal.screen.isWholeFrom('ackone-join'), 'for a frame of 40 columns');
  whileNarrow();
  await terminal.resize({ rows, cols: 120 });
}

/** How often a question stands on the screen or above it. */
const times = (text: string) => terminal.screen.everything().split(text).length - 1;

describe('I3 a change of the size', () => {
  it.each(way)('120→40→120 columns at the question %s leaves one frame', async (question) => {
    await upTo(question, 30, 120);
    if (question === 'cluster') await terminal.sees('Kubernetes v1.28.3');
    const before = await terminal.still();
    await narrowAndWide(30, () => expect(times(questions[question][0])).toBe(1));
    await terminal.until(() => terminal.screen.text() === before, `to see again\n${before}`);
    expect(terminal.screen.wipes).toBe(0);
    await terminal.press('ctrlC');
    expect(await terminal.ended()).toBe(130);
  });

  it('30→10→30 rows leaves one frame', async () => {
    await upTo('found', 30, 100);
    await terminal.resize({ rows: 10, cols: 100 });
    await terminal.sees('› Yes');
    expect(terminal.screen.text().split('Use these values?')).toHaveLength(2);
    await terminal.resize({ rows: 30, cols: 100 });
    await terminal.sees('› Yes');
    expect(terminal.screen.text().split('Use these values?')).toHaveLength(2);
    expect(terminal.screen.wipes).toBe(0);
    await terminal.press('ctrlC');
  });
});

describe('every size that is promised', () => {
  it.each([
    [10, 40],
    [12, 60],
    [60, 300],
  ])('%i rows, %i columns: every question can be answered, and nothing scrolls away', async (rows, cols) => {
    await upTo('review', rows, cols);
    expect(terminal.screen.everything().split('\n').length).toBeLessThanOrEqual(rows);
    await terminal.press('ctrlC');
    expect(await terminal.ended()).toBe(130);
    expect(terminal.faults()).toEqual([]);
  });

  it('I3 10 rows with the script: a page at a time, to its end and back to the question', async () => {
    await upTo('review', 10, 80);
    terminal.type('s');
    await terminal.sees('#!/bin/bash');
    expect(terminal.screen.text()).toMatch(/^ *1 .*#!\/bin\/bash/m);
    await terminal.press('end');
    await terminal.sees('main "$@"');
    await terminal.press('escape');
    await walk(terminal, 'review');
    expect(terminal.screen.everything().split('\n').length).toBeLessThanOrEqual(10);
    expect(terminal.screen.wipes).toBe(0);
  });

  it.each([
    [8, 80],
    [24, 30],
  ])('%i rows, %i columns: one line says what is needed, and a larger window goes on', async (rows, cols) => {
    terminal = wizard([], { env: sandboxEnv(sandbox), rows, cols });
    await terminal.sees('40×10');
    await terminal.settled();
    expect(terminal.screen.text().split('\n')).toHaveLength(1);
    await terminal.resize({ rows: 24, cols: 80 });
    await walk(terminal, 'cluster');
    expect(times('40×10')).toBe(0);
  });
});

describe('I3 while it publishes', () => {
  it('120→40→120 columns: each step stands once, and what is live at the end', async () => {
    sandbox.clusters.get('containerd')!.controllers = false;
    await upTo('review', 30, 120);
    await terminal.press('enter');
    await terminal.sees(/✔ History entry written.*Token being made/s);
    await narrowAndWide(30);
    sandbox.clusters.get('containerd')!.controllers = true;
    expect(await terminal.ended()).toBe(0);
    const left = terminal.screen.everything();
    expect(left.split('✔ History entry written'), left).toHaveLength(2);
    expect(times('Publishing')).toBeLessThanOrEqual(1);
    expect(terminal.screen.everything()).toContain(liveUrl(sandbox));
    expect(terminal.faults()).toEqual([]);
  });
});
