/** What is read rather than answered: pager, diff, help. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Diff, diffLines } from '../../../src/wizard/components/Diff.tsx';
import { Help } from '../../../src/wizard/components/Help.tsx';
import { Pager } from '../../../src/wizard/components/Pager.tsx';
import { closeViews, ctrl, keys, view } from './view.tsx';

afterEach(closeViews);

const hundred = `${Array.from({ length: 100 }, (_, index) => `line ${index + 1}`).join('\n')}\n`;

describe('I3 the pager', () => {
  it('numbers its lines and takes no more rows than it was given', async () => {
    const pager = view(<Pager title="Script" text={hundred} rows={4} onClose={vi.fn()} />);
    expect(pager.lines()).toEqual(['Script  1–3 of 100', '  1  line 1', '  2  line 2', '  3  line 3']);
    pager.type('G');
    await expect.poll(pager.lines).toEqual(['Script  98–100 of 100', ' 98  line 98', ' 99  line 99', '100  line 100']);
    pager.type('g');
    await expect.poll(pager.lines).toContain('  1  line 1');
  });

  it.each([
    [keys.down, 2],
    [keys.pagedown, 4],
    [' ', 4],
    [`${keys.pagedown}${keys.up}`, 3],
    [`${keys.pagedown}${keys.pagedown}${keys.pageup}`, 4],
    [`${keys.end}b`, 95],
    [`${keys.end}${keys.home}`, 1],
    [`${keys.end}${keys.down}`, 98],
    [`${keys.down}${keys.up}${keys.up}`, 1],
  ])('%j leads to line %i', async (typed, first) => {
    const pager = view(<Pager title="Script" text={hundred} rows={4} onClose={vi.fn()} />);
    pager.type(typed);
    await expect.poll(() => pager.lines()[0]).toBe(`Script  ${first}–${first + 2} of 100`);
  });

  it('long lines are cut, and → shows their rest', async () => {
    const text = `\t${'0123456789'.repeat(4)}\n生产集群生产集群生产集群`;
    const pager = view(<Pager title="Script" text={text} rows={4} onClose={vi.fn()} />, { columns: 20 });
    expect(pager.lines().slice(1)).toEqual(['1      012345678901…', '2  生产集群生产集群…']);
    pager.type(keys.right);
    await expect.poll(() => pager.lines().slice(1)).toEqual(['1  6789012345678901…', '2  集群']);
    pager.type(keys.left);
    await expect.poll(() => pager.lines()[1]).toContain('0123456789');
  });

  it('shows control characters, and obeys none', () => {
    const pager = view(<Pager title="Script" text={'a\u001b[3Jb'} rows={4} onClose={vi.fn()} />);
    expect(pager.lines()[1]).toBe('1  a\\u001b[3Jb');
  });

  it.each(['q', keys.escape])('%j closes it', async (typed) => {
    const onClose = vi.fn();
    view(<Pager title="Script" text={hundred} rows={4} onClose={onClose} />).type(typed);
    await expect.poll(() => onClose.mock.calls.length).toBe(1);
  });
});

describe('the diff', () => {
  const before = 'a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\n';
  const after = 'a\nB\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\n';

  it('signs what changes, with three lines around and the numbers on both sides', () => {
    expect(diffLines(before, after).map(({ gutter, text, tone }) => [gutter, text, tone])).toEqual([
      [' 1  1 ', ' a', undefined],
      [' 2    ', '-b', 'removed'],
      ['    2 ', '+B', 'added'],
      [' 3  3 ', ' c', undefined],
      [' 4  4 ', ' d', undefined],
      [' 5  5 ', ' e', undefined],
      ['      ', '⋯', 'aside'],
      ['10 10 ', ' j', undefined],
      ['11 11 ', ' k', undefined],
      ['12 12 ', ' l', undefined],
      ['   13 ', '+m', 'added'],
    ]);
  });

  it('says when there is nothing to show, and when the last newline is what differs', () => {
    expect(diffLines(before, before)).toEqual([{ gutter: '', text: 'no difference', tone: 'aside' }]);
    expect(diffLines('a', 'a\n').map(({ text }) => text)).toEqual(['-a', '\\ No newline at end of file', '+a']);
  });

  it('is scrolled and closed like the pager', async () => {
    const onClose = vi.fn();
    const diff = view(<Diff title="To the live script" before={before} after={after} rows={3} onClose={onClose} />);
    expect(diff.lines()).toEqual(['To the live script  1–2 of 11', ' 1  1  a', ' 2    -b']);
    diff.type('G');
    await expect.poll(diff.lines).toEqual(['To the live script  10–11 of 11', '12 12  l', '   13 +m']);
    diff.type(keys.escape);
    await expect.poll(() => onClose.mock.calls.length).toBe(1);
  });
});

describe('the help', () => {
  const help = (rows: number, onClose = vi.fn()) => (
    <Help
      title="Which cluster?"
      text={['The contexts of your kubeconfig.', 'Another one: --kubeconfig.']}
      keys={[
        { key: '↑↓', does: 'choose' },
        { key: 'enter', does: 'take' },
      ]}
      rows={rows}
      onClose={onClose}
    />
  );

  it('wraps at blanks and tells the keys', () => {
    expect(view(help(10), { columns: 20 }).lines()).toEqual([
      'Which clu…  1–8 of 8',
      'The contexts of your',
      'kubeconfig.',
      '',
      'Another one:',
      '--kubeconfig.',
      '',
      '↑↓     choose',
      'enter  take',
    ]);
  });

  it('can be scrolled where it is too long', async () => {
    const shown = view(help(3), { columns: 60 });
    shown.type(keys.end);
    await expect.poll(shown.lines).toEqual(['Which cluster?  5–6 of 6', '↑↓     choose', 'enter  take']);
  });

  it.each(['?', ctrl('g'), '\u001bOP', 'q', keys.enter, keys.escape])('%j closes it', async (typed) => {
    const onClose = vi.fn();
    view(help(10, onClose)).type(typed);
    await expect.poll(() => onClose.mock.calls.length).toBe(1);
  });
});
