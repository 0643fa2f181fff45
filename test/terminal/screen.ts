/** What a person in front of the terminal would see: the screen, rebuilt from what was written to it. */
import headless, { type IBufferCell } from '@xterm/headless';

export interface Size {
  readonly rows: number;
  readonly cols: number;
}

export class Screen {
  readonly #emulator: headless.Terminal;
  #cursorVisible = true;
  #wipes = 0;

  constructor({ rows, cols }: Size) {
    this.#emulator = new headless.Terminal({ rows, cols, scrollback: 10_000, allowProposedApi: true });
    const { parser } = this.#emulator;
    const watchCursor = (visible: boolean) => (parameters: readonly (number | number[])[]) => {
      if (parameters.includes(25)) this.#cursorVisible = visible;
      return false;
    };
    parser.registerCsiHandler({ prefix: '?', final: 'h' }, watchCursor(true));
    parser.registerCsiHandler({ prefix: '?', final: 'l' }, watchCursor(false));
    parser.registerCsiHandler({ final: 'J' }, ([parameter]) => {
      if (parameter === 3) this.#wipes += 1;
      return false;
    });
  }

  /** Resolves when it has been drawn. */
  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => this.#emulator.write(bytes, resolve));
  }

  resize({ rows, cols }: Size): void {
    this.#emulator.resize(cols, rows);
  }

  /** What a terminal answers by itself, when it is asked for the cursor's position for example. */
  onReply(send: (text: string) => void): void {
    this.#emulator.onData(send);
  }

  get size(): Size {
    return { rows: this.#emulator.rows, cols: this.#emulator.cols };
  }

  /** The lines in sight, without blanks at their ends. */
  lines(): readonly string[] {
    const { baseY } = this.#emulator.buffer.active;
    return this.#between(baseY, baseY + this.#emulator.rows);
  }

  /** The lines in sight and all that have scrolled away, oldest first; a line that the terminal has wrapped is one. */
  everything(): string {
    const { length } = this.#emulator.buffer.active;
    return this.#between(0, length)
      .reduce<string[]>((lines, line, y) => {
        if (y > 0 && this.#emulator.buffer.active.getLine(y)?.isWrapped) lines.push(`${lines.pop()}${line}`);
        else lines.push(line);
        return lines;
      }, [])
      .join('\n')
      .trimEnd();
  }

  text(): string {
    return this.lines().join('\n').trimEnd();
  }

  /** Whether a line in sight begins so, and from the last such line on the terminal itself has broken none. */
  isWholeFrom(start: string): boolean {
    const { active } = this.#emulator.buffer;
    const lines = this.lines();
    const first = lines.findLastIndex((line) => line.startsWith(start));
    return first >= 0 && lines.every((_, y) => y <= first || active.getLine(active.baseY + y)?.isWrapped !== true);
  }

  /** The cells of a line in sight, for colours and weights. */
  cells(line: number): readonly IBufferCell[] {
    const row = this.#emulator.buffer.active.getLine(this.#emulator.buffer.active.baseY + line);
    return Array.from({ length: this.#emulator.cols }, (_, x) => row?.getCell(x)).filter((cell) => cell !== undefined);
  }

  get cursorVisible(): boolean {
    return this.#cursorVisible;
  }

  get bracketedPaste(): boolean {
    return this.#emulator.modes.bracketedPasteMode;
  }

  get alternate(): boolean {
    return this.#emulator.buffer.active.type === 'alternate';
  }

  /** How often the scrollback was wiped (ESC[3J). */
  get wipes(): number {
    return this.#wipes;
  }

  #between(from: number, to: number): readonly string[] {
    const { active } = this.#emulator.buffer;
    return Array.from({ length: to - from }, (_, y) => active.getLine(from + y)?.translateToString(true) ?? '');
  }
}
