/**
 * What Ink draws on instead of stderr. Ink 6 has traps (facts/toolchain.md), and all of them are here: it wipes the
 * scrollback when it believes that a frame fills the terminal, it leaves lines behind when the terminal gets narrower
 * and breaks the lines of a frame anew, and for a screen reader it says everything again at each change.
 */
import type { WriteStream } from 'node:tty';
import stringWidth from 'string-width';

/** What is used of a terminal's stream. */
export type TerminalStream = Pick<
  WriteStream,
  'write' | 'columns' | 'rows' | 'isTTY' | 'on' | 'off' | 'prependListener'
>;

export interface Screen {
  /** For Ink, as its `stdout`. */
  readonly stream: NodeJS.WriteStream;
  /** Takes the frame away, and keeps back all that is drawn until `show`. */
  hide(): void;
  show(): void;
  /** Text that stays, above the frame. */
  say(text: string): void;
}

/** Clears the screen, wipes the scrollback, goes to the first line: no frame of ours needs them. */
const wipes = /\u001b\[(?:[23]J|H)/g;
/** How Ink takes its last frame away before it draws the next one (ansi-escapes, eraseLines). */
const erasure = /^(?:\u001b\[2K(?:\u001b\[1A\u001b\[2K)*\u001b\[G)/;
const drawsNothing = /^(?:\u001b\[\??[\d;]*[a-zA-Z])*$/;

const eraseLines = (count: number) => `${Array(count).fill('\u001b[2K').join('\u001b[1A')}\u001b[G`;

/** @param spoken Lines for a screen reader: nothing is erased, and only what is new is written. */
export function openScreen(terminal: TerminalStream, { spoken }: { readonly spoken: boolean }): Screen {
  let frame = '';
  let columns = terminal.columns;
  let hidden = false;
  const send = (text: string, ...rest: readonly unknown[]): boolean =>
    Reflect.apply(terminal.write, terminal, [text, ...rest]);

  /** Rows of the terminal from the frame's first one to the cursor, which stands after the frame's last newline. */
  const rowsOfFrame = () =>
    frame
      .split('\n')
      .map((line) => Math.max(1, Math.ceil(stringWidth(line) / terminal.columns)))
      .reduce((sum, rows) => sum + rows, 0);

  const erase = () => {
    if (frame !== '') send(eraseLines(rowsOfFrame()));
  };

  const draw = (text: string, ...rest: readonly unknown[]): boolean => {
    const kept = text.replace(wipes, '');
    const drawn = kept.replace(erasure, '');
    if (drawn !== kept || !drawsNothing.test(drawn)) frame = drawsNothing.test(drawn) ? '' : drawn;
    return send(hidden ? '' : kept, ...rest);
  };

  /** Ink ends what is to stay with a newline, and a frame without one, when it writes for a screen reader. */
  const speak = (text: string, ...rest: readonly unknown[]): boolean => {
    const said = text.replace(erasure, '');
    if (drawsNothing.test(said)) return send('', ...rest);
    if (said.endsWith('\n')) return send(said, ...rest);
    const before = new Set(frame.split('\n'));
    const news = said.split('\n').filter((line) => !before.has(line));
    frame = said;
    return send(hidden ? '' : news.map((line) => `${line}\n`).join(''), ...rest);
  };

  /**
   * A terminal that got narrower has broken the frame's lines into more rows than Ink will erase. We erase them, and
   * leave the cursor where Ink expects it: as many lines below as the frame had.
   */
  const resized = () => {
    const narrower = terminal.columns < columns;
    columns = terminal.columns;
    if (!narrower || spoken || hidden || frame === '') return;
    erase();
    send(`\u001b[${frame.split('\n').length - 1}B`);
  };

  const replaced: Readonly<Record<string, unknown>> = {
    write: spoken ? speak : draw,
    // Whether a frame fills the terminal is our own business: Root keeps it shorter.
    rows: Number.POSITIVE_INFINITY,
    on(event: string, listener: () => void) {
      if (event === 'resize') terminal.on('resize', resized);
      terminal.on(event, listener);
    },
    off(event: string, listener: () => void) {
      if (event === 'resize') terminal.off('resize', resized);
      terminal.off(event, listener);
    },
  };
  const stream = new Proxy(terminal as NodeJS.WriteStream, {
    get(target, name) {
      if (typeof name === 'string' && Object.hasOwn(replaced, name)) return replaced[name];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

  return {
    stream,
    hide() {
      if (!spoken && !hidden) erase();
      hidden = true;
    },
    show() {
      hidden = false;
      send(spoken && frame !== '' ? `${frame}\n` : frame);
    },
    say(text) {
      if (hidden) return void send(text);
      if (!spoken) erase();
      send(text);
      if (!spoken) send(frame);
    },
  };
}
