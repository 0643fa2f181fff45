/** A terminal in memory: what is written to it can be seen, and it can be typed at. */
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import type { Console } from '../../src/wizard/terminal.ts';
import { Screen } from '../terminal/screen.ts';

export interface FakeConsole {
  readonly console: Console;
  readonly screen: Screen;
  /** Every `setRawMode`, in order. */
  readonly raw: readonly boolean[];
  readonly input: PassThrough;
  /** All that was written, escapes too. */
  written(): string;
  resize(columns: number, rows: number): void;
}

export function fakeConsole(
  { columns, rows }: { readonly columns: number; readonly rows: number },
  env: NodeJS.ProcessEnv = {},
): FakeConsole {
  const screen = new Screen({ cols: columns, rows });
  const raw: boolean[] = [];
  let written = '';
  const input = new PassThrough();
  const stdin = Object.assign(input, { isTTY: true, setRawMode: (on: boolean) => void raw.push(on) });
  const stderr = Object.assign(new EventEmitter(), {
    columns,
    rows,
    isTTY: true,
    writable: true,
    getColorDepth: () => 4,
    write(text: string, done?: () => void) {
      written += text;
      // A terminal turns a newline into two characters; a pipe into an emulator does not.
      void screen.write(Buffer.from(text.replaceAll('\n', '\r\n'))).then(done);
      return true;
    },
  });
  return {
    console: {
      stdin: stdin as unknown as NodeJS.ReadStream,
      stderr: stderr as unknown as NodeJS.WriteStream,
      env,
      colours: false,
    },
    screen,
    raw,
    input,
    written: () => written,
    resize(newColumns, newRows) {
      screen.resize({ cols: newColumns, rows: newRows });
      Object.assign(stderr, { columns: newColumns, rows: newRows });
      stderr.emit('resize');
    },
  };
}
