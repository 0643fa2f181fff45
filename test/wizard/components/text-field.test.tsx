import { afterEach, describe, expect, it, vi } from 'vitest';
import { TextField } from '../../../src/wizard/components/TextField.tsx';
import { reduceText, type TextState } from '../../../src/wizard/components/text-state.ts';
import { closeViews, ctrl, keys, pasted, view } from './view.tsx';

afterEach(closeViews);

describe('typing', () => {
  it('abc⏎ in one chunk is a value', async () => {
    const onSubmit = vi.fn();
    const field = view(<TextField onSubmit={onSubmit} />);
    field.type('abc\r');
    await expect.poll(() => onSubmit.mock.calls).toEqual([['abc']]);
    expect(field.lines()).toEqual(['› abc▏']);
  });

  it('shows an example while it is empty, and ? writes nothing there', async () => {
    const field = view(<TextField placeholder="vpc-bp1" onSubmit={vi.fn()} />);
    expect(field.lines()).toEqual(['› ▏vpc-bp1']);
    field.type('?a?');
    await expect.poll(field.lines).toEqual(['› a?▏']);
  });

  it('esc leaves', async () => {
    const onCancel = vi.fn();
    const field = view(<TextField initial="x" onSubmit={vi.fn()} onCancel={onCancel} />);
    field.type(keys.escape);
    await expect.poll(() => onCancel.mock.calls.length).toBe(1);
  });

  it('a value that is longer than the line shows the part with the cursor', async () => {
    const field = view(<TextField initial="0123456789abcdef" onSubmit={vi.fn()} />, { columns: 12 });
    expect(field.lines()).toEqual(['› …89abcdef▏']);
    field.type(keys.home);
    await expect.poll(field.lines).toEqual(['› ▏01234567…']);
  });
});

describe('an error', () => {
  it('stands below what was refused until it is edited', async () => {
    const onSubmit = vi.fn();
    const field = view(<TextField initial="Bad_name" error="no underscores" onSubmit={onSubmit} />);
    expect(field.lines()).toEqual(['› Bad_name▏', '✘ no underscores']);
    field.type(keys.left);
    await expect.poll(field.lines).toEqual(['› Bad_nam▏e', '✘ no underscores']);
    field.type('x');
    await expect.poll(field.lines).toEqual(['› Bad_namx▏e']);
    field.type(keys.enter);
    await expect.poll(field.lines).toEqual(['› Bad_namx▏e', '✘ no underscores']);
    expect(onSubmit).toHaveBeenCalledWith('Bad_namxe');
  });
});

describe('a paste', () => {
  it('is put where the cursor is; its newlines are blanks, and submit nothing', async () => {
    const onSubmit = vi.fn();
    const field = view(<TextField onSubmit={onSubmit} />);
    field.type(`x${keys.left}${pasted('kubeadm join a:6443 \\\r\n\t--token b\r\n')}${keys.enter}`);
    await expect.poll(() => onSubmit.mock.calls).toEqual([['kubeadm join a:6443   --token bx']]);
  });

  it('cannot reach the terminal', async () => {
    const field = view(<TextField onSubmit={vi.fn()} />);
    field.type(pasted('a\u202eb'));
    await expect.poll(field.lines).toEqual(['› a\\u202eb▏']);
  });
});

describe('editing, as readline does', () => {
  const start: TextState = { before: 'one two ', after: 'three' };
  const press = (state: TextState, ...names: readonly string[]) =>
    names.reduce((now, name) => reduceText(now, { name, text: '' }), state);

  it.each([
    ['ctrl-a', '', 'one two three'],
    ['home', '', 'one two three'],
    ['ctrl-e', 'one two three', ''],
    ['end', 'one two three', ''],
    ['ctrl-u', '', 'three'],
    ['ctrl-k', 'one two ', ''],
    ['ctrl-w', 'one ', 'three'],
    ['alt-backspace', 'one ', 'three'],
    ['left', 'one two', ' three'],
    ['ctrl-b', 'one two', ' three'],
    ['right', 'one two t', 'hree'],
    ['ctrl-f', 'one two t', 'hree'],
    ['word-left', 'one ', 'two three'],
    ['alt-b', 'one ', 'two three'],
    ['word-right', 'one two three', ''],
    ['alt-f', 'one two three', ''],
    ['backspace', 'one two', 'three'],
    ['delete', 'one two ', 'hree'],
    ['ctrl-d', 'one two ', 'hree'],
    ['up', 'one two ', 'three'],
  ])('%s', (name, before, after) => {
    expect(press(start, name)).toEqual({ before, after });
  });

  it('a character is what one sees as one', () => {
    const family = '👩‍👩‍👧';
    const text = { before: `生e\u0301${family}`, after: '' };
    expect(press(text, 'backspace')).toEqual({ before: '生e\u0301', after: '' });
    expect(press(text, 'backspace', 'backspace')).toEqual({ before: '生', after: '' });
    expect(press(text, 'left', 'left')).toEqual({ before: '生', after: `e\u0301${family}` });
    expect(press(text, 'home', 'delete')).toEqual({ before: '', after: `e\u0301${family}` });
  });

  it('an accent that comes later joins its letter', () => {
    const joined = reduceText({ before: 'e', after: '' }, { name: '\u0301', text: '\u0301' });
    expect(press(joined, 'backspace')).toEqual({ before: '', after: '' });
  });

  it('at the ends nothing happens', () => {
    for (const name of ['left', 'backspace', 'ctrl-w', 'word-left'])
      expect(press({ before: '', after: 'x' }, name)).toEqual({ before: '', after: 'x' });
    for (const name of ['right', 'delete', 'word-right'])
      expect(press({ before: 'x', after: '' }, name)).toEqual({ before: 'x', after: '' });
  });
});

it('ctrl-u on the screen', async () => {
  const field = view(<TextField initial="abc" onSubmit={vi.fn()} />);
  field.type(`${keys.left}${ctrl('u')}`);
  await expect.poll(field.lines).toEqual(['› ▏c']);
});
