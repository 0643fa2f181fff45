/** The built program's wizard in a terminal, and the way through its questions. */
import { fileURLToPath } from 'node:url';
import { type Settings, Terminal } from './terminal.ts';

const launcher = fileURLToPath(new URL('../../bin/ackone-join.js', import.meta.url));

/** A pipeline or a redirection around the program: `shell('ackone-join init </dev/null')`. */
export const shell = (script: string): readonly string[] => [
  'bash',
  '-c',
  `ackone-join() { ${process.execPath} ${launcher} "$@"; }; ${script}`,
];

/** `ackone-join init WORDS` in a terminal of its own. */
export const wizard = (words: readonly string[], settings: Settings): Terminal =>
  new Terminal([process.execPath, launcher, 'init', ...words], settings);

/** Each question of the usual way, with the answer that the cursor is on. */
export const questions = {
  cluster: ['Which cluster?', '› containerd'],
  found: ['Use these values?', '› Yes'],
  bucket: ['Which OSS bucket?', '› ackone-sandbox'],
  access: ['Who may read the script?', '› Only this VPC'],
  review: ['Publish?', 'enter publish'],
} as const;
export type Question = keyof typeof questions;

/** Waits until the question can be answered. */
export async function asks(terminal: Terminal, question: Question): Promise<void> {
  for (const text of questions[question]) await terminal.sees(text);
}

/** Takes the answers that the cursor is on, up to the last question, which is left open. */
export async function walk(terminal: Terminal, ...way: readonly Question[]): Promise<void> {
  for (const [index, question] of way.entries()) {
    await asks(terminal, question);
    if (index < way.length - 1) await terminal.press('enter');
  }
}
