/** What terminals send for keys. */
export const keys = {
  enter: '\r',
  escape: '\u001b',
  up: '\u001b[A',
  down: '\u001b[B',
  right: '\u001b[C',
  left: '\u001b[D',
  home: '\u001b[H',
  end: '\u001b[F',
  pageUp: '\u001b[5~',
  pageDown: '\u001b[6~',
  tab: '\t',
  backspace: '\u007f',
  space: ' ',
  ctrlC: '\u0003',
  ctrlD: '\u0004',
  ctrlZ: '\u001a',
} as const;

export type Key = keyof typeof keys;
