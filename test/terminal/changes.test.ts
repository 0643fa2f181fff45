/** Each change of mind: back by a step, or to any answer from the review; only what depends on it is asked again. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { sandboxEnv } from '../support/program.ts';
import { writes } from '../support/world.ts';
import type { Terminal } from './terminal.ts';
import { asks, type Question, walk, wizard } from './wizard.ts';

let sandbox: Sandbox;
let terminal: Terminal;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
afterEach(async () => {
  await terminal.press('ctrlC');
  expect(await terminal.ended()).toBe(130);
  expect(terminal.faults()).toEqual([]);
  await terminal.close();
  expect(writes(sandbox)).toEqual([]);
});

const way: readonly Question[] = ['cluster', 'found', 'bucket', 'access', 'review'];
const open = (...words: readonly string[]) => {
  const env = sandboxEnv(sandbox, { ACKONE_JOIN_BUCKET: undefined });
  terminal = wizard(words, { env, rows: 40, cols: 120 });
};
async function toReview(): Promise<void> {
  open();
  await walk(terminal, ...way);
}

/** The same, by what flags have answered. */
async function quicklyToReview(): Promise<void> {
  open('--context', 'containerd', '--bucket', 'ackone-sandbox', '--access', 'vpc');
  await walk(terminal, 'found', 'review');
}

/** From the review to one answer, found by typing its flag's name. */
async function change(name: string): Promise<void> {
  terminal.type('e');
  await terminal.sees('Which answer?');
  terminal.type(name);
  await terminal.sees(new RegExp(`› ${name} `));
  await terminal.press('enter');
}

describe('esc', () => {
  it('goes back one step, to the first question and not further', async () => {
    await toReview();
    for (const question of [...way].reverse().slice(1)) {
      await terminal.press('escape');
      await asks(terminal, question);
    }
    await terminal.press('escape');
    await asks(terminal, 'cluster');
  });

  it('what was answered is what the cursor is on', async () => {
    open();
    await walk(terminal, 'cluster', 'found', 'bucket');
    await terminal.press('down', 'enter');
    await terminal.sees('Who may read the script?');
    await terminal.press('escape');
    await terminal.sees('› ackone-plain');
  });
});

describe('?', () => {
  it.each(way)('explains the question %s on the spot', async (question) => {
    open();
    await walk(terminal, ...way.slice(0, way.indexOf(question) + 1));
    // What the preflight finds out comes later than the question.
    if (question === 'cluster') await terminal.sees('Kubernetes v1.28.3');
    const before = await terminal.still();
    terminal.type('?');
    await terminal.until(() => terminal.screen.text() !== before, 'for the help');
    expect((await terminal.still()).replaceAll('\n', ' ')).toMatch(
      /ConfigMap|control plane|internal URL|bootstrap token|Each step is checked/,
    );
    await terminal.press('escape');
    await terminal.until(() => terminal.screen.text() === before, `to see again\n${before}`);
  });
});

describe('ctrl-g', () => {
  it('explains what is being typed, where ? is a character, and nothing of it is lost', async () => {
    open();
    await asks(terminal, 'cluster');
    await terminal.sees(/\? help$/m);
    terminal.type('cont?');
    await terminal.sees(/Filter: cont\?▏.*ctrl-g help$/s);
    terminal.type('\u0007');
    await terminal.sees('The contexts of your kubeconfig.');
    await terminal.press('escape');
    await terminal.sees('Filter: cont?▏');
    await terminal.press('backspace');
    await terminal.sees('› containerd');
  });
});

describe('from the review', () => {
  it('another bucket asks again who may read, and nothing else', async () => {
    await toReview();
    await change('bucket');
    await asks(terminal, 'bucket');
    await terminal.press('down');
    await terminal.sees('› ackone-plain');
    await terminal.press('enter');
    await asks(terminal, 'access');
    await terminal.press('enter');
    await terminal.sees('Add this statement to the bucket policy?');
    await terminal.press('enter');
    await asks(terminal, 'review');
    expect(terminal.screen.text()).toContain('ackone-plain');
  });

  it('a bucket that a flag gave is changed in the same list, with the cursor on it', async () => {
    await quicklyToReview();
    await change('bucket');
    await asks(terminal, 'bucket');
    await terminal.press('up', 'up', 'down');
    await terminal.sees('› ackone-plain');
    await terminal.press('enter');
    await terminal.sees('Add this statement to the bucket policy?');
    await terminal.press('enter');
    await asks(terminal, 'review');
    expect(terminal.screen.text()).toContain('ackone-plain');
  });

  it('another cluster asks again for its values and who may read, but not for the bucket', async () => {
    await toReview();
    await change('context');
    await asks(terminal, 'cluster');
    await terminal.press('down');
    await terminal.sees('› docker-18.06');
    await terminal.press('enter');
    await terminal.sees('docker 18.6.3');
    await asks(terminal, 'found');
    await terminal.press('enter');
    await asks(terminal, 'access');
    await terminal.press('enter');
    await asks(terminal, 'review');
  });

  it('another VPC asks for the statement that it needs', async () => {
    await toReview();
    await change('vpc-id');
    await terminal.sees('Which VPC?');
    terminal.type('Type');
    await terminal.sees('› Type another one');
    await terminal.press('enter');
    await terminal.sees('› vpc-sandbox0000000001');
    await terminal.press('backspace');
    terminal.type('2');
    await terminal.sees('› vpc-sandbox0000000002');
    await terminal.press('enter');
    await terminal.sees('Add this statement to the bucket policy?');
    expect(terminal.screen.text()).toContain('vpc-sandbox0000000002');
    await terminal.press('enter');
    await asks(terminal, 'review');
    expect(terminal.screen.text()).toMatch(/^~ .*policy/m);
  });

  it('other readers', async () => {
    await toReview();
    await change('access');
    await asks(terminal, 'access');
    await terminal.press('down', 'enter');
    await asks(terminal, 'review');
    expect(terminal.screen.text()).toContain('Access private');
  });

  it('a setting of the hosts leads straight back', async () => {
    await quicklyToReview();
    expect(terminal.screen.text()).toContain('firewall disable');
    await change('firewall');
    await terminal.sees('› disable');
    await terminal.press('down', 'enter');
    await asks(terminal, 'review');
    expect(terminal.screen.text()).toContain('firewall keep');
  });

  it('a value that will not do is asked again, with the error beside it', async () => {
    await quicklyToReview();
    await change('token-ttl');
    await terminal.press('backspace');
    terminal.type('soon');
    await terminal.press('enter');
    await terminal.sees('must be a duration such as 90s, 15m, 24h or 30d');
    await terminal.press('backspace', 'backspace', 'backspace', 'backspace');
    terminal.type('24h');
    await terminal.press('enter');
    await asks(terminal, 'review');
    expect(terminal.screen.text()).toMatch(/24 ?h/);
  });

  it('esc changes nothing', async () => {
    await quicklyToReview();
    const before = await terminal.still();
    await change('firewall');
    await terminal.press('escape');
    await terminal.press('escape');
    await terminal.until(() => terminal.screen.text() === before, `to see again\n${before}`);
  });

  it('the script and the diff are looked at, and left again', async () => {
    await quicklyToReview();
    const before = await terminal.still();
    for (const key of ['s', 'd']) {
      terminal.type(key);
      await terminal.sees('#!/bin/bash');
      expect(terminal.screen.text()).not.toMatch(/[a-z0-9]{6}\.[a-z0-9]{16}/);
      await terminal.press('escape');
      await terminal.until(() => terminal.screen.text() === before, `to see again\n${before}`);
    }
  });
});

describe('flags', () => {
  it('are questions already answered', async () => {
    open('--context', 'containerd', '--bucket', 'ackone-sandbox', '--access', 'vpc');
    await asks(terminal, 'found');
    expect(terminal.screen.text()).toContain('Cluster containerd (--context)');
    await terminal.press('enter');
    await asks(terminal, 'review');
  });

  it('that will not do are asked again, with the error beside it', async () => {
    open('--vpc-id', 'nonsense');
    await terminal.sees('Which VPC?');
    expect(terminal.screen.text()).toContain('--vpc-id must be a VPC id such as vpc-bp1…');
    await terminal.press(...Array<'backspace'>(8).fill('backspace'));
    terminal.type('vpc-sandbox0000000001');
    await terminal.press('enter');
    await asks(terminal, 'cluster');
  });
});
