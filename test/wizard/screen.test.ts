import { expect, it } from 'vitest';
import { openScreen } from '../../src/wizard/screen.ts';
import { fakeConsole } from './fake-console.ts';

const open = () => {
  const fake = fakeConsole({ columns: 80, rows: 24 });
  return { fake, screen: openScreen(fake.console.stderr, { spoken: false }) };
};

it('lets nothing through that wipes the scrollback or the screen', () => {
  const { fake, screen } = open();
  screen.stream.write('\u001b[2J\u001b[3J\u001b[Hframe\n');
  expect(fake.written()).toBe('frame\n');
});

it('calls back when a write is done, hidden or not', async () => {
  const { screen } = open();
  await new Promise((done) => screen.stream.write('frame\n', done));
  screen.hide();
  await new Promise((done) => screen.stream.write('hidden\n', done));
});

it('shows what was drawn last while it was hidden', async () => {
  const { fake, screen } = open();
  screen.stream.write('one\n');
  screen.hide();
  screen.stream.write('\u001b[2K\u001b[1A\u001b[2K\u001b[Gtwo\n');
  await expect.poll(() => fake.screen.text()).toBe('');
  screen.show();
  await expect.poll(() => fake.screen.text()).toBe('two');
});

it('has no last row, so that Ink never believes it to be full', () => {
  const { screen } = open();
  expect(screen.stream.rows).toBe(Number.POSITIVE_INFINITY);
  expect(screen.stream.columns).toBe(80);
  expect(screen.stream.isTTY).toBe(true);
});
