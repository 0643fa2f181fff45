import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { KeyQueue } from '../../src/wizard/key-queue.ts';

const down = '\u001b[B';
const interrupt = '\u0003';
const suspend = '\u001a';

function open() {
  const heard: string[] = [];
  const turns: number[] = [];
  const queue = new KeyQueue({
    onInterrupt: () => heard.push('interrupt'),
    onSuspend: () => heard.push('suspend'),
    onTurn: (turn) => turns.push(turn),
  });
  queue.listen(({ name }) => heard.push(name));
  return { heard, turns, queue };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('hands out the next key of a burst only when the last one has had its effect', () => {
  const { heard, turns, queue } = open();
  queue.push(`${down}${down}\r`);
  expect(heard).toEqual(['down']);
  queue.committed(turns.at(-1)!);
  expect(heard).toEqual(['down', 'down']);
  queue.committed(1);
  expect(heard).toEqual(['down', 'down']);
  queue.committed(2);
  expect(heard).toEqual(['down', 'down', 'enter']);
});

it('gives a key to those who listen when it is handed out', () => {
  const { heard, queue } = open();
  const stop = queue.listen(({ name }) => heard.push(`${name} again`));
  queue.push('ab');
  expect(heard).toEqual(['a', 'a again']);
  stop();
  queue.committed(1);
  expect(heard).toEqual(['a', 'a again', 'b']);
});

it('I4 ctrl-c overtakes what was typed before it', () => {
  const { heard, queue } = open();
  queue.push(`ab\r${interrupt}`);
  expect(heard).toEqual(['interrupt']);
  queue.push(suspend);
  expect(heard).toEqual(['interrupt', 'suspend']);
});

it('an esc by itself is handed out when nothing follows it', () => {
  const { heard, queue } = open();
  queue.push('\u001b');
  expect(heard).toEqual([]);
  vi.runAllTimers();
  expect(heard).toEqual(['escape']);
});

it('a sequence torn after its esc is one key', () => {
  const { heard, queue } = open();
  queue.push('\u001b');
  queue.push('[B');
  vi.runAllTimers();
  expect(heard).toEqual(['down']);
});

it('type-ahead is dropped: what was in the queue, and what comes before the screen is drawn', () => {
  const { heard, turns, queue } = open();
  queue.push('a\r\r');
  const drawn = vi.fn();
  queue.dropTypeAhead(drawn);
  queue.push('\r');
  queue.committed(turns.at(-1)!);
  expect(heard).toEqual(['a']);
  expect(drawn).not.toHaveBeenCalled();
  vi.runAllTimers();
  expect(drawn).toHaveBeenCalledOnce();
  queue.push('\r');
  expect(heard).toEqual(['a', 'enter']);
});

it('an interruption is heard while everything else is dropped', () => {
  const { heard, queue } = open();
  const end = queue.drop();
  queue.push(`x${interrupt}`);
  expect(heard).toEqual(['interrupt']);
  end();
  end();
  queue.push('y');
  expect(heard).toEqual(['interrupt', 'y']);
});

it('a screen that is gone before it was drawn holds nothing back', () => {
  const { heard, queue } = open();
  const drawn = vi.fn();
  queue.dropTypeAhead(drawn)();
  queue.push('x');
  vi.runAllTimers();
  expect(heard).toEqual(['x']);
  expect(drawn).not.toHaveBeenCalled();
});
