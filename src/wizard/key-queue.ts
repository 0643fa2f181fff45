/** Keys between the terminal and whoever is on the screen: handed out one at a time. */
import { createKeyParser, type Key } from './keys.ts';

export type KeyHandler = (key: Key) => void;

export interface KeyQueueOptions {
  /** Ctrl-C, whatever stands in the queue before it. */
  readonly onInterrupt: () => void;
  /** Ctrl-Z. */
  readonly onSuspend: () => void;
  /** A key was handed out: `committed(turn)` must be called when its effects are on the screen's side. */
  readonly onTurn: (turn: number) => void;
}

/** So long an Esc is taken for the beginning of a sequence; a slow line tears `ESC [ A` apart. */
const escapeMs = 50;
/** Ink draws at most 30 times a second, so what stands in its tree is drawn within 34 ms. */
const drawnWithinMs = 60;

export class KeyQueue {
  readonly #options: KeyQueueOptions;
  readonly #parser = createKeyParser();
  readonly #handlers = new Set<KeyHandler>();
  #keys: Key[] = [];
  #handedOut = 0;
  #committed = 0;
  #drops = 0;
  #escape: NodeJS.Timeout | undefined;

  constructor(options: KeyQueueOptions) {
    this.#options = options;
  }

  /** @returns what ends it */
  listen(handler: KeyHandler): () => void {
    this.#handlers.add(handler);
    return () => this.#handlers.delete(handler);
  }

  /** What the terminal sent. */
  push(chunk: Buffer | string): void {
    clearTimeout(this.#escape);
    this.#accept(this.#parser.push(chunk));
    if (this.#parser.waiting) this.#escape = setTimeout(() => this.#accept(this.#parser.flush()), escapeMs);
  }

  committed(turn: number): void {
    this.#committed = turn;
    this.#handOut();
  }

  /** Drops what has been typed, and what will be until it is ended. @returns what ends it */
  drop(): () => void {
    this.#keys = [];
    this.#drops += 1;
    let over = false;
    return () => {
      if (!over) this.#drops -= 1;
      over = true;
    };
  }

  /**
   * Drops what was typed before the present screen is drawn.
   * @param drawn Called when it is, and keys count again.
   * @returns what gives up waiting for that
   */
  dropTypeAhead(drawn: () => void): () => void {
    const end = this.drop();
    let immediate: NodeJS.Immediate | undefined;
    const timer = setTimeout(() => {
      // An immediate comes after what the kernel still held has been read.
      immediate = setImmediate(() => {
        end();
        drawn();
      });
    }, drawnWithinMs);
    return () => {
      clearTimeout(timer);
      clearImmediate(immediate);
      end();
    };
  }

  close(): void {
    clearTimeout(this.#escape);
  }

  #accept(keys: readonly Key[]): void {
    for (const key of keys) {
      if (key.name === 'ctrl-c') {
        this.#keys = [];
        this.#options.onInterrupt();
      } else if (key.name === 'ctrl-z') this.#options.onSuspend();
      else if (this.#drops === 0) this.#keys.push(key);
    }
    this.#handOut();
  }

  #handOut(): void {
    if (this.#handedOut !== this.#committed) return;
    const key = this.#keys.shift();
    if (!key) return;
    this.#handedOut += 1;
    for (const handler of [...this.#handlers]) handler(key);
    this.#options.onTurn(this.#handedOut);
  }
}
