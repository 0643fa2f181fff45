/** What only shows something: panel, steps, footer, waiting, notice. */
import { Box, Text } from 'ink';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Footer } from '../../../src/wizard/components/Footer.tsx';
import { Notice } from '../../../src/wizard/components/Notice.tsx';
import { Panel } from '../../../src/wizard/components/Panel.tsx';
import { Prose } from '../../../src/wizard/components/Prose.tsx';
import { type ListedStep, StepList } from '../../../src/wizard/components/StepList.tsx';
import { Waiting } from '../../../src/wizard/components/Waiting.tsx';
import { closeViews, view } from './view.tsx';

afterEach(() => {
  closeViews();
  vi.useRealTimers();
});

describe('the panel', () => {
  const rows = [
    { name: 'Kubernetes', value: '1.28.3', source: '3 nodes agree' },
    { name: 'API server', value: 'api.prod', tone: 'question' },
    { name: 'Runtime', value: 'containerd 1.6.28', tone: 'odd' },
  ] as const;

  it('names, values and sources in a box with a title', () => {
    expect(view(<Panel title="prod-hz" rows={rows} />, { columns: 40 }).lines()).toEqual([
      '┌ prod-hz ─────────────────────────────┐',
      '│ Kubernetes  1.28.3  3 nodes agree    │',
      '│ API server  ? api.prod               │',
      '│ Runtime     ! containerd 1.6.28      │',
      '└──────────────────────────────────────┘',
    ]);
  });

  it('long and wide values wrap beside their name', () => {
    const long = [{ name: 'Cluster', value: '生产集群 生产集群 生产集群', source: 'kubeconfig' }];
    expect(view(<Panel title="生产集群生产集群生产集群" rows={long} />, { columns: 28 }).lines()).toEqual([
      '┌ 生产集群生产集群生产… ───┐',
      '│ Cluster  生产集群        │',
      '│          生产集群        │',
      '│          生产集群        │',
      '│          kubeconfig      │',
      '└──────────────────────────┘',
    ]);
  });

  it('cannot be broken by what a cluster says', () => {
    const hostile = [{ name: 'Node', value: 'a\n│ b\u001b[2J' }];
    expect(view(<Panel title="x" rows={hostile} />, { columns: 40 }).lines()).toHaveLength(3);
  });
});

describe('steps', () => {
  const steps: readonly ListedStep[] = [
    { id: 'token', state: 'done', what: 'Token created', detail: 'abcdef.****************', seconds: 0.42 },
    { id: 'upload', state: 'running', what: 'Script uploading …' },
    { id: 'switch', state: 'waiting', what: 'Script URL' },
  ];

  it('each with its sign and its time', () => {
    expect(view(<StepList steps={steps} />).lines()).toEqual([
      '✔ Token created  abcdef.****************, 0.4 s',
      '⠋ Script uploading …',
      '· Script URL',
    ]);
  });

  it('a finished one is printed once, above what is redrawn', () => {
    const list = view(<StepList steps={steps} />);
    const failed: ListedStep = { id: 'upload', state: 'failed', what: 'Script refused', seconds: 1 };
    list.redraw(<StepList steps={[steps[0]!, failed, steps[2]!]} />);
    expect(list.lines()).toEqual([
      '✔ Token created  abcdef.****************, 0.4 s',
      '✘ Script refused, 1.0 s',
      '· Script URL',
    ]);
  });
});

describe('waiting', () => {
  it('says for what, and since when', () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: 63_000 });
    const waiting = view(<Waiting what="the API server of prod-hz" since={60_000} />);
    expect(waiting.frame()).toBe('⠋ Waiting for the API server of prod-hz, 3 s');
  });

  it('goes on counting', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: 60_000 });
    const waiting = view(<Waiting what="OSS" since={60_000} />);
    expect(waiting.frame()).toContain(', 0 s');
    // The effect that starts the clock runs after the first frame.
    while (vi.getTimerCount() === 0) await new Promise(setImmediate);
    vi.advanceTimersByTime(2000);
    await expect.poll(waiting.frame).toMatch(/^[^⠋] Waiting for OSS, 2 s$/);
  });
});

describe('the footer', () => {
  const keys = [
    { key: '↑↓', does: 'choose' },
    { key: 'enter', does: 'take' },
    { key: 'esc', does: 'back' },
  ];

  it('shows the keys', () => {
    expect(view(<Footer keys={keys} />).frame()).toBe('↑↓ choose   enter take   esc back');
  });

  it('takes another line where one is too short', () => {
    expect(view(<Footer keys={keys} />, { columns: 30 }).lines()).toEqual(['↑↓ choose   enter take', 'esc back']);
  });
});

describe('a notice', () => {
  it('says in words what its colour says', () => {
    const notice = view(<Notice tone="warning" what="three nodes differ" next={['Give --runtime.', 'Try again.']} />);
    expect(notice.lines()).toEqual(['Warning: three nodes differ', '  Next: Give --runtime.', '  Next: Try again.']);
    expect(view(<Notice tone="note" what="x" />).frame()).toBe('Note: x');
    expect(view(<Notice tone="problem" what="x" />).frame()).toBe('Problem: x');
  });
});

describe('prose', () => {
  it.each([
    ['ten signs, and more', ['ten signs,', 'and more']],
    ['ten signs,  and more', ['ten signs,', 'and more']],
    ['  two before, and more', ['  two', 'before,', 'and more']],
    ['0123456789012 and', ['0123456789', '012 and']],
  ])('%j begins no line with a blank but the first', (text, lines) => {
    const shown = view(
      <Box width={10}>
        <Prose>{text}</Prose>
      </Box>,
    );
    expect(shown.lines()).toEqual(lines);
  });

  it('in several colours', () => {
    const shown = view(
      <Box width={10}>
        <Prose color="red">
          <Text bold>ten</Text> signs,
          <Text dimColor>{' and more than that'}</Text>
        </Prose>
      </Box>,
    );
    expect(shown.lines()).toEqual(['ten signs,', 'and more', 'than that']);
  });

  it.each([
    [<Notice key="notice" tone="note" what="0123456789 goes on" />, ['Note: 0123456789', 'goes on']],
    [<Waiting key="waiting" what="OK now" since={Date.now()} />, ['⠋ Waiting for OK', 'now, 0 s']],
    [
      <StepList key="steps" steps={[{ id: 'a', state: 'waiting', what: '0123456789abc', seconds: 1 }]} />,
      ['· 0123456789abc,', '1.0 s'],
    ],
  ])('is what whole sentences are: %#', (element, lines) => {
    expect(view(<Box width={16}>{element}</Box>).lines()).toEqual(lines);
  });
});
