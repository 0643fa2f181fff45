import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Select } from '../../../src/wizard/components/Select.tsx';
import { matches, reduceSelect, searchText, within } from '../../../src/wizard/components/select-state.ts';
import { closeViews, ctrl, keys, pasted, view } from './view.tsx';

afterEach(closeViews);

const named = (...labels: readonly string[]) => labels.map((label) => ({ value: `value of ${label}`, label }));
const thousand = named(...Array.from({ length: 1000 }, (_, index) => `context-${index}`));

describe('choosing', () => {
  it('enter takes the highlighted choice', async () => {
    const onSelect = vi.fn();
    const list = view(<Select choices={named('one', 'two', 'three')} rows={5} onSelect={onSelect} />);
    expect(list.lines()).toEqual(['› one', '  two', '  three']);
    list.type(keys.down);
    await expect.poll(list.lines).toEqual(['  one', '› two', '  three']);
    list.type(keys.enter);
    await expect.poll(() => onSelect.mock.calls).toEqual([['value of two']]);
  });

  it('↓↓⏎ in one chunk does what it does slowly', async () => {
    const onSelect = vi.fn();
    const onHighlight = vi.fn();
    const list = view(
      <Select choices={named('one', 'two', 'three')} rows={5} onSelect={onSelect} onHighlight={onHighlight} />,
    );
    list.type(`${keys.down}${keys.down}${keys.enter}`);
    await expect.poll(() => onSelect.mock.calls).toEqual([['value of three']]);
    expect(onHighlight.mock.calls).toEqual([['value of two'], ['value of three']]);
  });

  it('stops at both ends', async () => {
    const onSelect = vi.fn();
    const list = view(<Select choices={named('one', 'two')} initial={1} rows={5} onSelect={onSelect} />);
    list.type(`${keys.down}${keys.enter}${keys.up}${keys.up}${keys.enter}`);
    await expect.poll(() => onSelect.mock.calls).toEqual([['value of two'], ['value of one']]);
  });

  it('hears nothing while it is not active', async () => {
    const onSelect = vi.fn();
    const choices = named('one', 'two');
    const list = view(<Select choices={choices} rows={5} active={false} onSelect={onSelect} />);
    list.type(`${keys.down}${keys.enter}`);
    list.redraw(<Select choices={choices} rows={5} onSelect={onSelect} />);
    list.type(keys.enter);
    await expect.poll(() => onSelect.mock.calls).toEqual([['value of one']]);
  });

  it('esc leaves', async () => {
    const onCancel = vi.fn();
    const list = view(<Select choices={named('one')} rows={5} onSelect={vi.fn()} onCancel={onCancel} />);
    list.type(keys.escape);
    await expect.poll(() => onCancel.mock.calls.length).toBe(1);
  });
});

describe('H6 a list of a thousand', () => {
  it('shows as many as there are rows, and where it is', async () => {
    const list = view(<Select choices={thousand} filter rows={6} onSelect={vi.fn()} />);
    expect(list.lines()).toEqual([
      'Filter: ▏  type to narrow, 1 of 1000',
      '› context-0',
      '  context-1',
      '  context-2',
      '  context-3',
      '  context-4',
    ]);
    list.type(keys.pagedown);
    await expect.poll(list.lines).toContain('› context-5');
    list.type(keys.end);
    await expect
      .poll(list.lines)
      .toEqual([
        'Filter: ▏  type to narrow, 1000 of 1000',
        '  context-995',
        '  context-996',
        '  context-997',
        '  context-998',
        '› context-999',
      ]);
    list.type(`${keys.pageup}${keys.up}`);
    await expect.poll(list.lines).toContain('› context-993');
    list.type(keys.home);
    await expect.poll(list.lines).toContain('› context-0');
  });

  it('narrows as one types, and esc first takes that back', async () => {
    const onCancel = vi.fn();
    const list = view(<Select choices={thousand} filter rows={4} onSelect={vi.fn()} onCancel={onCancel} />);
    list.type('99');
    await expect.poll(list.lines).toEqual(['Filter: 99▏  1 of 19', '› context-99', '  context-199', '  context-299']);
    list.type('9');
    await expect.poll(list.lines).toEqual(['Filter: 999▏  1 of 1', '› context-999']);
    list.type(keys.backspace);
    await expect.poll(list.lines).toContain('Filter: 99▏  19 of 19');
    list.type(keys.escape);
    await expect.poll(list.lines).toContain('Filter: ▏  type to narrow, 1000 of 1000');
    expect(onCancel).not.toHaveBeenCalled();
    list.type(keys.escape);
    await expect.poll(() => onCancel.mock.calls.length).toBe(1);
  });

  it('takes nothing where nothing matches', async () => {
    const onSelect = vi.fn();
    const list = view(<Select choices={thousand} filter rows={4} onSelect={onSelect} />);
    list.type(`zz${keys.enter}`);
    await expect.poll(list.lines).toEqual(['Filter: zz▏  nothing matches']);
    list.type(`${ctrl('u')}${keys.enter}`);
    await expect.poll(() => onSelect.mock.calls).toEqual([['value of context-0']]);
  });

  it('a paste is a filter, no filter begins with ?, and without a filter nothing is one', async () => {
    const list = view(<Select choices={thousand} filter rows={4} onSelect={vi.fn()} />);
    list.type(`?${pasted('text-12\n')}`);
    await expect.poll(list.lines).toContain('Filter: text-12 ▏  1 of 11');
    list.type('?');
    await expect.poll(list.lines).toEqual(['Filter: text-12 ?▏  nothing matches']);
    const plain = view(<Select choices={named('one', 'two')} rows={4} onSelect={vi.fn()} />);
    plain.type(`two${keys.down}`);
    await expect.poll(plain.lines).toEqual(['  one', '› two']);
  });
});

describe('H6 odd names', () => {
  it('are cut by the columns they take', () => {
    const list = view(
      <Select choices={named('生产集群生产集群', `a${'b'.repeat(120)}`, '../../x')} rows={5} onSelect={vi.fn()} />,
      { columns: 12 },
    );
    expect(list.lines()).toEqual(['› 生产集群…', '  abbbbbbbb…', '  ../../x']);
  });

  it('cannot reach the terminal', () => {
    const list = view(<Select choices={named('a\u001b[2Jb\nc')} rows={5} onSelect={vi.fn()} />);
    expect(list.lines()).toEqual(['› a\\u001b[2Jb\\u000ac']);
  });

  it('a detail stands beside, aligned, and is given up where there is no room', () => {
    const choices = [
      { value: 1, label: '生产', detail: 'current' },
      { value: 2, label: 'staging' },
    ];
    const wide = view(<Select choices={choices} rows={5} onSelect={vi.fn()} />);
    expect(wide.lines()).toEqual(['› 生产     current', '  staging']);
    const narrow = view(<Select choices={choices} rows={5} onSelect={vi.fn()} />, { columns: 14 });
    expect(narrow.lines()).toEqual(['› 生产', '  staging']);
  });
});

describe('the state', () => {
  it('what was highlighted stays so while it matches', () => {
    const texts = ['alpha', 'beta', 'gamma beta'].map(searchText);
    const shape = { texts, filter: true, size: 2 };
    const typed = reduceSelect({ query: '', at: 2, top: 1 }, { name: 'b', text: 'b' }, shape);
    expect(typed).toEqual({ query: 'b', at: 1, top: 0 });
    expect(reduceSelect(typed, { name: 'backspace', text: '' }, shape)).toEqual({ query: '', at: 2, top: 1 });
  });

  it('words match in any order and any case, full width too', () => {
    const texts = ['Prod Hangzhou', 'prod beijing', 'ＰＲＯＤ-x'].map(searchText);
    expect(matches(texts, 'hang PROD')).toEqual([0]);
    expect(matches(texts, 'prod')).toEqual([0, 1, 2]);
    expect(matches(texts, ' ')).toEqual([0, 1, 2]);
  });

  it('the highlighted one is always among the shown ones', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), fc.nat(50), fc.integer({ min: 1, max: 20 }), (at, top, count, size) => {
        const now = within({ query: '', at, top }, count, size);
        expect(now.at).toBeGreaterThanOrEqual(now.top);
        expect(now.at).toBeLessThan(now.top + size);
        expect(now.at).toBeLessThan(Math.max(1, count));
        if (count >= size) expect(now.top + size).toBeLessThanOrEqual(count);
      }),
    );
  });
});
