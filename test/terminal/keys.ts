/** What terminals send for keys. */
export const keys = {
  enter: '\r',
  escape: '\u001b',
  up: '\u001b[A',
  down: '\u001b[B',
  end: '\u001b[F',
  backspace: '\u007f',
  ctrlC: '\u0003',
  ctrlZ: '\u001a',
} as const;

export type Key = keyof typeof keys;
