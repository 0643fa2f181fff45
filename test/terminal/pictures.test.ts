/** `npm run pictures`: the wizard of today on the sandbox, as docs/pictures and the README show it. */
import { afterEach, expect, it } from 'vitest';
import { picture, themes } from './picture.ts';
import type { Terminal } from './terminal.ts';
import { asks, type Question, wizard } from './wizard.ts';

let terminal: Terminal;
afterEach(() => terminal.close());

const titles = {
  found: 'Use these values? What was read from the cluster, each value with its source',
  access: 'Who may read the script? Only this VPC, or as the bucket is now',
  review: 'Publish? The plan, step by step',
  done: 'What is live, the command that checks it, and the same run as one command',
} as const;

/** What differs from run to run, as something of the same length that does not: picture() needs that. */
const steady = (line: string): string =>
  line
    .replace(/127\.0\.0\.1:\d+/g, (address) => '127.0.0.1:40080'.padEnd(address.length, '0').slice(0, address.length))
    .replace(/\b[0-9a-f]{64}\b/g, (digest) => '5ca1ab1e'.repeat(8).slice(0, digest.length))
    .replace(/(?<=join-)[0-9a-f]{1,12}(?=\.sh|…)/g, (digest) => '5ca1ab1e0000'.slice(0, digest.length))
    .replace(/(?<=ackone-join-sandbox-)\w{6}/g, 'abcdef')
    .replace(/\b\d{5} bytes/g, '30000 bytes')
    .replace(/\b[a-z0-9]{6}(?=\.\*{16})/g, 'abcdef')
    .replace(/(?<=bootstrap-token-)[a-z0-9]{6}/g, 'abcdef')
    .replace(/\b\d\.\d s\b/g, '0.1 s');

async function drawn(name: keyof typeof titles): Promise<void> {
  for (const [theme, colours] of Object.entries(themes)) {
    const svg = picture(terminal.screen, colours, titles[name], steady);
    await expect(svg).toMatchFileSnapshot(`../../docs/pictures/${name}-${theme}.svg`);
  }
}

it('the pictures of docs/pictures are those of today (npm run pictures renews them)', async () => {
  terminal = wizard(['--sandbox'], { env: { PATH: process.env.PATH }, rows: 34, cols: 100 });
  const way: readonly Question[] = ['cluster', 'found', 'bucket', 'access', 'review'];
  for (const question of way) {
    await asks(terminal, question);
    await terminal.settled();
    if (question in titles) await drawn(question as keyof typeof titles);
    await terminal.press('enter');
  }
  expect(await terminal.ended()).toBe(0);
  await drawn('done');
});
