/** Every command that the help and the docs show is run, against a sandbox. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandNames, commandTree, flagsOf, spellingsOf } from '../../src/commands/tree.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { run, sandboxEnv } from '../support/program.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const pages = ['README.md', ...readdirSync(`${root}docs`).filter((name) => name.endsWith('.md'))].map((name) => {
  const path = name === 'README.md' ? name : `docs/${name}`;
  return { path, text: readFileSync(root + path, 'utf8') };
});

/** Lines of code blocks, indented or fenced, that begin with the program's name; a comment behind them is none of it. */
const commandsIn = (text: string) =>
  [...text.matchAll(/^(?: {4})?ackone-join (.+)$/gm)].map(([, words = '']) => words.replace(/ +#.*$/, ''));

const examples = new Map([
  ...commandTree.flatMap(({ name, examples }) => examples.map((words) => [words, `${name} --help`] as const)),
  ...pages.flatMap(({ path, text }) => commandsIn(text).map((words) => [words, path] as const)),
]);

let sandbox: Sandbox;
let folder: string;
beforeAll(async () => {
  sandbox = await startSandbox();
  folder = mkdtempSync(join(tmpdir(), 'ackone-join-examples-'));
  const join_ = `kubeadm join 192.0.2.10:6443 --token abcdef.0123456789abcdef --discovery-token-ca-cert-hash sha256:${'ab'.repeat(32)}`;
  writeFileSync(join(folder, 'join.txt'), `${join_}\n`);
  writeFileSync(join(folder, 'ackone-join.yaml'), 'bucket: ackone-sandbox\n');
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What stands in the examples for something of the reader's own → what it is in the sandbox. */
const placeholders: Readonly<Record<string, () => string>> = {
  example: () => sandbox.known.bucket,
  'vpc-example0000001': () => sandbox.known.vpcId,
  prod: () => 'containerd',
  'join.txt': () => join(folder, 'join.txt'),
  'ca.pem': () => fileURLToPath(new URL('../script/ca.pem', import.meta.url)),
  'join.sh': () => join(folder, 'join.sh'),
  'ackone-join.yaml': () => join(folder, 'ackone-join.yaml'),
  './sandbox': () => join(folder, 'sandbox'),
};

it('there are examples of every command', () => {
  for (const name of commandNames)
    expect([...examples.keys()].filter((words) => words.startsWith(name))).not.toEqual([]);
});

it.each([...examples])('ackone-join %s (%s)', async (example) => {
  const words = example.split(' ').map((word) => placeholders[word]?.() ?? word);
  const interrupt = new AbortController();
  const { exit, stderr } = await run(words, sandboxEnv(sandbox, { HOME: folder, XDG_STATE_HOME: folder }), {
    signal: interrupt.signal,
    // What serves until it is interrupted.
    onStderr: (text) => {
      if (text.includes('until Ctrl-C') && !interrupt.signal.aborted) interrupt.abort({ exit: 130 });
    },
  });
  expect({ exit, stderr }).toMatchObject({ exit: words[0] === 'sandbox' ? 130 : 0 });
});

describe('flags that the docs name', () => {
  /** Of other programs. */
  const foreign = [
    '--validate',
    '--anonymous-auth',
    '--controllers',
    '--ttl',
    '--print-join-command',
    '--update',
    '--enable-bootstrap-token-auth',
  ];
  const ofScripts = [
    '--node-labels',
    '--register-with-taints',
    '--hostname-override',
    '--provider-id',
    '--node-ip',
    '--project',
  ];
  const ours = ['--help', '--version', ...commandTree.flatMap((info) => flagsOf(info).flatMap(spellingsOf))];

  it.each(pages.map(({ path, text }) => [path, text] as const))('%s: all of them exist', (_, text) => {
    const named = [...text.matchAll(/(?<![\w-])--[a-z][a-z0-9-]+/g)].map(([flag]) => flag);
    expect(named.filter((flag) => ![...ours, ...foreign, ...ofScripts].includes(flag))).toEqual([]);
  });

  it('their values exist', () => {
    const choices = new Map(
      commandTree.flatMap((info) =>
        flagsOf(info).flatMap(({ name, choices }) => (choices ? [[name, choices] as const] : [])),
      ),
    );
    for (const { text } of pages) {
      for (const [, flag = '', value = ''] of text.matchAll(/`(--[a-z-]+) ([a-z-]+)`/g)) {
        if (choices.has(flag)) expect(choices.get(flag)).toContain(value);
      }
    }
  });
});
