import { Console } from 'node:console';
import { Box, Static, Text } from 'ink';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Footer } from '../../src/wizard/components/Footer.tsx';
import { useKeys, useTypeAheadDropped } from '../../src/wizard/components/keyboard.tsx';
import { Notice } from '../../src/wizard/components/Notice.tsx';
import { Pager } from '../../src/wizard/components/Pager.tsx';
import { Panel } from '../../src/wizard/components/Panel.tsx';
import { Select } from '../../src/wizard/components/Select.tsx';
import { StepList } from '../../src/wizard/components/StepList.tsx';
import { TextField } from '../../src/wizard/components/TextField.tsx';
import { Waiting } from '../../src/wizard/components/Waiting.tsx';
import { useWindow } from '../../src/wizard/components/window.tsx';
import { hasTerminal, renderApp, type Terminal } from '../../src/wizard/terminal.ts';
import { type FakeConsole, fakeConsole } from './fake-console.ts';

// Ink draws nothing where it believes to be in a CI; it looks when it is loaded.
vi.hoisted(() => {
  delete process.env.CI;
  delete process.env.CONTINUOUS_INTEGRATION;
});

// Ink puts what is logged above the frame, and vitest's console lacks what it needs for that.
Object.assign(console, { Console });

const size = { columns: 80, rows: 24 };
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
  vi.restoreAllMocks();
});

/** Starts an app and hands out its terminal. */
async function start(fake: FakeConsole, app: (terminal: Terminal<string>) => React.ReactElement) {
  let opened: Terminal<string> | undefined;
  const ended = renderApp<string>(async (terminal) => {
    opened = terminal;
    return app(terminal);
  }, fake.console);
  ended.catch(() => {});
  await expect.poll(() => opened).toBeDefined();
  const terminal = opened!;
  ends.push(() => terminal.end(''));
  return { ended, terminal };
}

function Typed({ onEnd }: { readonly onEnd: (text: string) => void }) {
  const [text, setText] = useState('');
  useKeys(({ name, text: more }) => (name === 'enter' ? onEnd(text) : setText(text + more)));
  return <Text>Typed: {text}</Text>;
}

const Wide = () => {
  const { columns } = useWindow();
  return (
    <Box flexDirection="column">
      <Text>{'='.repeat(columns)}</Text>
      <Text>{`${columns} columns`}</Text>
    </Box>
  );
};

const sixty = Array.from({ length: 60 }, (_, index) => `line ${index}`).join('\n');

const Publish = ({ onYes }: { readonly onYes: (yes: string) => void }) => {
  const ready = useTypeAheadDropped();
  useKeys(({ name }) => ready && name === 'enter' && onYes('published'));
  return <Text>{ready ? 'enter publishes' : 'Publish?'}</Text>;
};
const Flow = ({ end }: { readonly end: (yes: string) => void }) => {
  const [asked, setAsked] = useState(false);
  useKeys(() => setAsked(true), { active: !asked });
  return asked ? <Publish onYes={end} /> : <Text>First question</Text>;
};

const choices = ['one', 'two', 'three'].map((label) => ({ value: label, label }));
const Ask = ({ end }: { readonly end: (chosen: string) => void }) => {
  const [done, setDone] = useState<readonly string[]>([]);
  return (
    <Box flexDirection="column">
      <Static items={[...done]}>{(line) => <Text key={line}>{line}</Text>}</Static>
      <Text>Which one?</Text>
      <Select
        choices={choices}
        rows={5}
        onSelect={(value) => (value === 'three' ? end(value) : setDone([...done, `Chosen: ${value}`]))}
      />
    </Box>
  );
};

const Everything = ({ end }: { readonly end: (text: string) => void }) => (
  <Box flexDirection="column">
    <StepList
      steps={[
        { id: 'token', state: 'done', what: 'Token created', detail: 'abcdef.****************', seconds: 0.4 },
        { id: 'upload', state: 'running', what: 'Script uploading' },
      ]}
    />
    <Panel title="prod-hz" rows={[{ name: 'Runtime', value: 'containerd 1.6.28', source: 'Node cp-1', tone: 'odd' }]} />
    <Waiting what="OSS" since={0} />
    <Notice tone="warning" what="three nodes differ" next={['Give --runtime.']} />
    <TextField placeholder="vpc-bp1" onSubmit={end} />
    <Footer
      keys={[
        { key: 'enter', does: 'take' },
        { key: 'esc', does: 'back' },
      ]}
    />
  </Box>
);

function Broken(): never {
  throw new TypeError('broken screen');
}

describe('I1 whether there is a terminal', () => {
  const { console } = fakeConsole(size);
  const without = (stream: 'stdin' | 'stderr') => ({ ...console, [stream]: { isTTY: undefined } });

  it('stdin and stderr are terminals', () => {
    expect(hasTerminal(console)).toBe(true);
    expect(hasTerminal({ ...console, env: { TERM: 'xterm', CI: 'false', NO_COLOR: '1' } })).toBe(true);
  });

  it('without one of them there is none', () => {
    expect(hasTerminal(without('stdin'))).toBe(false);
    expect(hasTerminal(without('stderr'))).toBe(false);
  });

  it.each([{ TERM: 'dumb' }, { CI: 'true' }, { CI: '1' }, { CI: '' }, { CONTINUOUS_INTEGRATION: 'yes' }])(
    'none with %o',
    (env) => {
      expect(hasTerminal({ ...console, env })).toBe(false);
    },
  );
});

describe('taking the terminal and giving it back', () => {
  it('at the end: what was typed counts, the cursor is there, the last frame stays', async () => {
    const fake = fakeConsole(size);
    const { ended } = await start(fake, ({ end }) => <Typed onEnd={end} />);
    await expect.poll(() => fake.screen.text()).toBe('Typed:');
    expect(fake.screen.cursorVisible).toBe(false);
    expect(fake.screen.bracketedPaste).toBe(true);
    fake.input.write('ab\r');
    expect(await ended).toBe('ab');
    await expect.poll(() => fake.screen.cursorVisible).toBe(true);
    expect(fake.screen.bracketedPaste).toBe(false);
    expect(fake.screen.text()).toBe('Typed: ab');
    expect(fake.raw).toEqual([true, false]);
    expect(fake.input.isPaused()).toBe(true);
  });

  it('what was typed before the first frame is not lost', async () => {
    const fake = fakeConsole(size);
    fake.input.write('early\n');
    const { ended } = await start(fake, ({ end }) => <Typed onEnd={end} />);
    expect(await ended).toBe('early');
  });

  it('when a screen throws', async () => {
    const fake = fakeConsole(size);
    const { ended } = await start(fake, () => <Broken />);
    await expect(ended).rejects.toThrow('broken screen');
    await expect.poll(() => fake.screen.cursorVisible).toBe(true);
    expect(fake.raw.at(-1)).toBe(false);
    expect(fake.screen.text()).not.toContain('broken');
  });

  it('when the screens cannot be loaded', async () => {
    const fake = fakeConsole(size);
    await expect(renderApp(() => Promise.reject(new Error('no such chunk')), fake.console)).rejects.toThrow('no such');
    expect(fake.raw).toEqual([true, false]);
  });

  it('leaves no listener behind', async () => {
    const count = () =>
      ['exit', 'uncaughtExceptionMonitor', 'SIGTSTP', 'SIGCONT'].map((event) => process.listenerCount(event));
    const fake = fakeConsole(size);
    const before = count();
    const { ended, terminal } = await start(fake, () => <Text>x</Text>);
    expect(count()).toEqual(before.map((listeners) => listeners + 1));
    terminal.end('');
    await ended;
    expect(count()).toEqual(before);
    expect(fake.input.listenerCount('data')).toBe(0);
  });

  it.each([
    ['exit', 0],
    ['uncaughtExceptionMonitor', new Error('elsewhere')],
  ] as const)('on %s', async (event, argument) => {
    const fake = fakeConsole(size);
    const others = new Set(process.listeners(event as 'exit'));
    await start(fake, () => <Text>x</Text>);
    for (const listener of process.listeners(event as 'exit'))
      if (!others.has(listener)) Reflect.apply(listener, process, [argument]);
    expect(fake.raw).toEqual([true, false]);
    await expect.poll(() => fake.screen.cursorVisible).toBe(true);
  });
});

describe('signals', () => {
  it('I4 ctrl-c is the signal that it is everywhere else', async () => {
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
    const fake = fakeConsole(size);
    await start(fake, ({ end }) => <Typed onEnd={end} />);
    await expect.poll(() => fake.screen.text()).toBe('Typed:');
    fake.input.write('abc\u0003');
    await expect.poll(() => kill.mock.calls).toEqual([[process.pid, 'SIGINT']]);
  });

  it('a terminal that is gone hangs up', async () => {
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
    const fake = fakeConsole(size);
    await start(fake, () => <Text>x</Text>);
    await expect.poll(() => fake.screen.text()).toBe('x');
    fake.input.emit('error', Object.assign(new Error('read EIO'), { code: 'EIO' }));
    expect(kill.mock.calls).toEqual([[process.pid, 'SIGHUP']]);
  });

  it('ctrl-z gives the terminal back to the shell, and takes it again afterwards', async () => {
    const fake = fakeConsole(size);
    const stopped: unknown[] = [];
    const kill = vi.spyOn(process, 'kill').mockImplementation((...call) => {
      stopped.push(call, fake.raw.at(-1), fake.written().endsWith('\u001b[?2004l\u001b[?25h'));
      return true;
    });
    await start(fake, ({ end }) => <Typed onEnd={end} />);
    fake.input.write('x');
    await expect.poll(() => fake.screen.text()).toBe('Typed: x');
    fake.input.write('\u001a');
    await expect.poll(() => stopped).toEqual([[0, 'SIGTSTP'], false, true]);
    expect(kill).toHaveBeenCalledOnce();
    expect(fake.raw).toEqual([true, false, true]);
    fake.input.write('y');
    await expect.poll(() => fake.screen.text()).toBe('Typed: xy');
    expect(fake.screen.cursorVisible).toBe(false);
  });
});

describe('H5 lending the terminal', () => {
  it('takes the frame away while somebody else asks, and draws it anew', async () => {
    const fake = fakeConsole(size);
    const { terminal } = await start(fake, ({ end }) => <Typed onEnd={end} />);
    await expect.poll(() => fake.screen.text()).toBe('Typed:');
    const answer = await terminal.lend(async () => {
      expect(fake.raw.at(-1)).toBe(false);
      terminal.say('Open https://login.test and enter ABCD\n');
      await expect.poll(() => fake.screen.text()).toBe('Open https://login.test and enter ABCD');
      return 'token';
    });
    expect(answer).toBe('token');
    await expect
      .poll(() => fake.screen.lines().slice(0, 2))
      .toEqual(['Open https://login.test and enter ABCD', 'Typed:']);
    fake.input.write('z');
    await expect.poll(() => fake.screen.lines()[1]).toBe('Typed: z');
  });

  it('takes it back from nobody: not when the job is stopped and continued meanwhile', async () => {
    vi.spyOn(process, 'kill').mockReturnValue(true);
    const fake = fakeConsole(size);
    const { terminal } = await start(fake, ({ end }) => <Typed onEnd={end} />);
    await expect.poll(() => fake.screen.text()).toBe('Typed:');
    await terminal.lend(async () => {
      terminal.say('Password:\n');
      process.emit('SIGTSTP', 'SIGTSTP');
      process.emit('SIGCONT', 'SIGCONT');
      expect(fake.raw.at(-1)).toBe(false);
      await expect.poll(() => fake.screen.text()).toBe('Password:');
    });
    expect(fake.raw.at(-1)).toBe(true);
    await expect.poll(() => fake.screen.text()).toBe('Password:\nTyped:');
  });

  it('does not take it again when all is over', async () => {
    const fake = fakeConsole(size);
    const { ended, terminal } = await start(fake, () => <Text>x</Text>);
    let finish = () => {};
    const lent = terminal.lend(() => new Promise<void>((resolve) => (finish = resolve)));
    terminal.end('');
    await ended;
    finish();
    await lent;
    expect(fake.raw.at(-1)).toBe(false);
  });
});

it('what is said stays above the frame', async () => {
  const fake = fakeConsole(size);
  const { terminal } = await start(fake, ({ end }) => <Typed onEnd={end} />);
  await expect.poll(() => fake.screen.text()).toBe('Typed:');
  terminal.say('one\n');
  fake.input.write('a');
  await expect.poll(() => fake.screen.text()).toBe('one\nTyped: a');
});

describe('colours', () => {
  it.each([
    [false, undefined, '0'],
    [true, undefined, '1'],
    [false, '3', '0'],
  ])('wanted: %s, FORCE_COLOR before: %s', async (colours, before, during) => {
    if (before === undefined) delete process.env.FORCE_COLOR;
    else process.env.FORCE_COLOR = before;
    const fake = fakeConsole(size);
    const seen = vi.fn();
    const ended = renderApp<void>(
      async ({ end }) => {
        seen(process.env.FORCE_COLOR);
        end();
        return <Text>x</Text>;
      },
      { ...fake.console, colours },
    );
    await ended;
    expect(seen).toHaveBeenCalledWith(during);
    await expect.poll(() => process.env.FORCE_COLOR).toBe(before);
    delete process.env.FORCE_COLOR;
  });
});

it('DEV=true means nothing to Ink, and is there again afterwards', async () => {
  process.env.DEV = 'true';
  const seen = vi.fn();
  await renderApp<void>(async ({ end }) => {
    seen(process.env.DEV);
    end();
    return <Text>x</Text>;
  }, fakeConsole(size).console);
  expect(seen).toHaveBeenCalledWith(undefined);
  await expect.poll(() => process.env.DEV).toBe('true');
  delete process.env.DEV;
});

describe('I3 sizes', () => {
  it('120→40→120 leaves one frame, and what stood above it', async () => {
    const fake = fakeConsole({ columns: 120, rows: 24 });
    fake.console.stderr.write('$ ackone-join init\n');
    await start(fake, () => <Wide />);
    for (const columns of [120, 40, 80, 60, 40, 120]) {
      fake.resize(columns, 24);
      await expect
        .poll(() => fake.screen.text())
        .toBe(`$ ackone-join init\n${'='.repeat(columns)}\n${columns} columns`);
    }
  });

  it('a frame is lower than the terminal, and the scrollback is never wiped', async () => {
    const fake = fakeConsole({ columns: 60, rows: 30 });
    await start(fake, () => <Pager title="Script" text={sixty} rows={50} onClose={() => {}} />);
    await expect.poll(() => fake.screen.lines()[0]).toBe('Script  1–49 of 60');
    expect(fake.screen.lines()[28]).toBe('28  line 27');
    fake.resize(50, 12);
    await expect
      .poll(() => fake.screen.lines())
      .toEqual([
        'Script  1–49 of 60',
        ...Array.from({ length: 10 }, (_, n) => `${String(n + 1).padStart(2)}  line ${n}`),
        '',
      ]);
    // The one that the terminal itself has scrolled away, and the one in sight: Ink has not drawn the tall one again.
    expect(fake.screen.everything().match(/Script/g)).toHaveLength(2);
    fake.resize(60, 30);
    await expect.poll(() => fake.screen.text()).toContain('28  line 27');
    expect(fake.written()).not.toMatch(/\u001b\[[23]J/);
  });

  it('too small for anything: one line, and no key counts', async () => {
    const fake = fakeConsole({ columns: 39, rows: 20 });
    await start(fake, ({ end }) => <Typed onEnd={end} />);
    await expect.poll(() => fake.screen.text()).toBe('Needs 40×10, has 39×20');
    fake.input.write('lost');
    fake.resize(80, 9);
    await expect.poll(() => fake.screen.text()).toBe('Needs 40×10, has 80×9');
    fake.resize(80, 10);
    await expect.poll(() => fake.screen.text()).toBe('Typed:');
    fake.input.write('kept');
    await expect.poll(() => fake.screen.text()).toBe('Typed: kept');
  });

  it('wider than 300 columns is 300', async () => {
    const fake = fakeConsole({ columns: 400, rows: 20 });
    await start(fake, () => <Wide />);
    await expect.poll(() => fake.screen.text()).toContain('\n300 columns');
  });
});

describe('a dangerous question', () => {
  it('is not answered by what was typed ahead', async () => {
    const fake = fakeConsole(size);
    const { ended, terminal } = await start(fake, ({ end }) => <Flow end={end} />);
    const over = vi.fn();
    void ended.then(over);
    await expect.poll(() => fake.screen.text()).toBe('First question');
    fake.input.write('\r\r\r\r');
    await expect.poll(() => fake.screen.text()).toBe('Publish?');
    fake.input.write('\r\r');
    await expect.poll(() => fake.screen.text()).toBe('enter publishes');
    expect(over).not.toHaveBeenCalled();
    fake.input.write('\r');
    expect(await ended).toBe('published');
    terminal.end('');
  });
});

describe('a screen reader', () => {
  it.each([{ ACKONE_JOIN_SCREEN_READER: '1' }, { INK_SCREEN_READER: 'true' }])(
    '%o: only what is new is written, and nothing is redrawn',
    async (env) => {
      const fake = fakeConsole(size, env);
      const { ended } = await start(fake, ({ end }) => <Ask end={end} />);
      await expect.poll(() => fake.screen.text()).toBe('Which one?\n1 of 3: one');
      for (const [typed, said] of [
        ['\u001b[B', '2 of 3: two'],
        ['\u001b[A', '1 of 3: one'],
        ['\r', 'Chosen: one'],
        ['\u001b[B', '2 of 3: two'],
      ] as const) {
        fake.input.write(typed);
        await expect.poll(() => fake.screen.lines().filter(Boolean).at(-1)).toBe(said);
      }
      fake.input.write('\u001b[B\r');
      expect(await ended).toBe('three');
      expect(fake.written().replaceAll(/\u001b\[\?\d+[hl]/g, '')).toBe(
        'Which one?\n1 of 3: one\n2 of 3: two\n1 of 3: one\nChosen: one\n2 of 3: two\n3 of 3: three\n',
      );
      expect(fake.written()).not.toContain('\u001b[?25l');
    },
  );

  it('hears of everything else in plain lines, and not of the letters that it speaks itself', async () => {
    const fake = fakeConsole(size, { ACKONE_JOIN_SCREEN_READER: '1' });
    const { terminal } = await start(fake, ({ end }) => <Everything end={end} />);
    await expect
      .poll(() => fake.screen.text())
      .toBe(
        [
          'done: Token created  abcdef.****************, 0.4 s',
          'running: Script uploading',
          'prod-hz',
          'Runtime: ! containerd 1.6.28 (Node cp-1)',
          'Waiting for OSS',
          'Warning: three nodes differ',
          '  Next: Give --runtime.',
          'Empty, for example vpc-bp1',
          'Keys: enter take, esc back',
        ].join('\n'),
      );
    fake.input.write('ab');
    fake.input.write('\u007f');
    await expect.poll(() => fake.screen.lines().filter(Boolean).at(-1)).toBe('Text: a');
    expect(fake.written()).not.toContain('Text: ab');
    terminal.end('');
  });
});
