/** A program in a real terminal: a PTY with a shell's job in it, keys in, a screen out. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type IPty, spawn } from '@lydell/node-pty';
import { type Key, keys } from './keys.ts';
import { Screen, type Size } from './screen.ts';

const jobScript = fileURLToPath(new URL('job.sh', import.meta.url));

export interface Settings extends Partial<Size> {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Without the shell around it: then it is what the kernel tells that the terminal is gone. */
  readonly alone?: true;
}

/** How long anything may take that a test waits for, in milliseconds. */
const patience = 20_000;
/** The screen is taken to be at rest when nothing was written for so long, in milliseconds; Ink draws every 33. */
const rest = 120;
/** A quick look between two key presses. */
const glance = 45;

export class Terminal {
  readonly screen: Screen;
  /** Key presses sent so far: a paste is one. */
  presses = 0;
  /** All that was written, as it came. */
  raw = '';
  readonly #pty: IPty;
  readonly #folder = mkdtempSync(join(tmpdir(), 'ackone-join-terminal-'));
  readonly #alone: boolean;
  #drawn: Promise<void> = Promise.resolve();
  #lastWrite = performance.now();
  #exit: number | undefined;

  constructor(command: readonly string[], { env, cwd, alone, rows = 30, cols = 100 }: Settings) {
    this.screen = new Screen({ rows, cols });
    this.#alone = alone === true;
    const [file = '', ...args] = alone ? command : ['bash', jobScript, this.#folder, ...command];
    this.#pty = spawn(file, args, {
      rows,
      cols,
      name: env.TERM ?? 'xterm-256color',
      env: Object.fromEntries(Object.entries({ LANG: 'C.UTF-8', ...env }).filter(([, value]) => value !== undefined)),
      encoding: null,
      ...(cwd === undefined ? {} : { cwd }),
    });
    const decoder = new TextDecoder();
    this.#pty.onData((data: string | Uint8Array) => {
      const bytes = typeof data === 'string' ? Buffer.from(data) : data;
      this.raw += decoder.decode(bytes, { stream: true });
      this.#lastWrite = performance.now();
      this.#drawn = this.screen.write(bytes);
    });
    this.#pty.onExit(({ exitCode, signal = 0 }) => {
      this.#exit = signal === 0 ? exitCode : 128 + signal;
    });
    this.screen.onReply((text) => this.#send(text));
  }

  /** One key after the other, each when the last one has been drawn: as a person who looks. */
  async press(...names: readonly Key[]): Promise<void> {
    for (const name of names) {
      this.presses += 1;
      this.#send(keys[name]);
      await this.settled(glance);
    }
  }

  /** Characters, a key press each, in one burst. */
  type(text: string): void {
    this.presses += [...text].length;
    this.#send(text);
  }

  /** As a terminal pastes: in brackets where the program has asked for them. One key press. */
  paste(text: string): void {
    this.presses += 1;
    this.#send(this.screen.bracketedPaste ? `\u001b[200~${text}\u001b[201~` : text);
  }

  /** Keys in one burst, as somebody presses them who does not look. */
  burst(...names: readonly Key[]): void {
    this.presses += names.length;
    this.#send(names.map((name) => keys[name]).join(''));
  }

  /** Bytes that belong to one character or one key, at different times. */
  async trickle(bytes: Uint8Array): Promise<void> {
    this.presses += 1;
    for (const byte of bytes) {
      this.#send(Buffer.of(byte));
      await pause(20);
    }
  }

  /** Waits until the screen shows something. */
  async sees(what: string | RegExp, more: { readonly timeoutMs?: number } = {}): Promise<void> {
    const shows = () => (typeof what === 'string' ? this.screen.text().includes(what) : what.test(this.screen.text()));
    await this.until(shows, `to see ${what}`, more.timeoutMs);
  }

  /** @param waited for the message of the failure, for example `to see 3` */
  async until(holds: () => boolean, waited: string, timeoutMs = patience): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (!holds()) {
      if (performance.now() > deadline || (this.#exit !== undefined && !(await this.#holdsAtLast(holds)))) {
        throw new Error(`waited in vain ${waited}; exit ${this.#exit}, on the screen was\n${this.screen.everything()}`);
      }
      await pause(10);
    }
    await this.#drawn;
  }

  async #holdsAtLast(holds: () => boolean): Promise<boolean> {
    await this.#drawn;
    return holds();
  }

  /** Waits until nothing has been written for a while, or, where something keeps turning, for a second. */
  async settled(quiet = rest): Promise<void> {
    const from = performance.now();
    while (performance.now() - from < 1000 && this.#exit === undefined) {
      if (performance.now() - Math.max(from, this.#lastWrite) >= quiet) break;
      await pause(10);
    }
    await this.#drawn;
  }

  /** What the screen shows when it has come to rest. */
  async still(): Promise<string> {
    await this.settled();
    return this.screen.text();
  }

  async resize(size: Size): Promise<void> {
    this.screen.resize(size);
    this.#pty.resize(size.cols, size.rows);
    await this.settled();
  }

  /** A signal to the program itself, not to the shell. */
  async signal(name: NodeJS.Signals): Promise<void> {
    process.kill(await this.pid(), name);
  }

  /** The window is closed: the kernel tells the program so, and node-pty must not send a signal of its own as well. */
  hangUp(): void {
    const pty = this.#pty as IPty & { destroy(): void };
    pty.kill = () => {};
    pty.destroy();
  }

  async pid(): Promise<number> {
    if (this.#alone) return this.#pty.pid;
    const file = join(this.#folder, 'pid');
    const read = () => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0);
    await this.until(() => read() > 0, 'for the program to start');
    return read();
  }

  /** Waits until the shell has noticed that the program stopped itself. */
  async stopped(): Promise<void> {
    await this.until(() => this.#settings('stopped') !== undefined, 'for the program to stop');
  }

  /** As somebody types `fg`. */
  foreground(): void {
    this.#send('fg\r');
  }

  async ended(timeoutMs = patience): Promise<number> {
    await this.until(() => this.#exit !== undefined, 'for the end', timeoutMs);
    await this.#drawn;
    return this.#exit!;
  }

  /** What is wrong with the terminal that the program has left (or `stopped` at): nothing, if all is well. */
  faults(when: 'after' | 'stopped' = 'after'): readonly string[] {
    const { screen } = this;
    return [
      ...(this.#settings(when) === this.#settings('before') ? [] : ['the settings (stty) are not what they were']),
      ...(screen.cursorVisible ? [] : ['the cursor is hidden']),
      ...(screen.bracketedPaste ? ['bracketed paste is on'] : []),
      ...(screen.alternate ? ['the alternate screen is on'] : []),
      ...(screen.wipes === 0 ? [] : ['the scrollback was wiped']),
      ...(/\u001b\[[0-9;]*m/.test(this.raw) && !endsPlain(this.raw) ? ['a colour is left on'] : []),
    ];
  }

  #settings(name: 'before' | 'stopped' | 'after'): string | undefined {
    const file = join(this.#folder, name);
    return (existsSync(file) && readFileSync(file, 'utf8')) || undefined;
  }

  /** Bytes go as they are: node-pty takes them, though its types say text only. */
  #send(data: string | Buffer): void {
    if (this.#exit === undefined) this.#pty.write(data as string);
  }

  /** Ends what is left, at the end of a test. */
  async close(): Promise<void> {
    if (this.#exit === undefined) {
      const pid = await this.pid().catch(() => this.#pty.pid);
      for (const each of [pid, this.#pty.pid]) {
        try {
          process.kill(each, 'SIGKILL');
        } catch {
          // It has ended by itself in the meantime.
        }
      }
      this.#pty.kill('SIGKILL');
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Whether the last colour or weight that was set was taken back. */
function endsPlain(raw: string): boolean {
  const last = [...raw.matchAll(/\u001b\[([0-9;]*)m/g)].at(-1)?.[1];
  return last === undefined || /^(0?|22|23|24|27|39|49)$/.test(last);
}
