/** A component by itself, in a window of its own. */
import { stripVTControlCharacters } from 'node:util';
import { cleanup, render } from 'ink-testing-library';
import type { ReactNode } from 'react';
import { Keyboard } from '../../../src/wizard/components/keyboard.tsx';
import { Part, type WindowSize } from '../../../src/wizard/components/window.tsx';

export const keys = {
  up: '\u001b[A',
  down: '\u001b[B',
  right: '\u001b[C',
  left: '\u001b[D',
  home: '\u001b[H',
  end: '\u001b[F',
  pageup: '\u001b[5~',
  pagedown: '\u001b[6~',
  enter: '\r',
  escape: '\u001b',
  backspace: '\u007f',
} as const;

export const ctrl = (letter: string): string => String.fromCharCode(letter.charCodeAt(0) - 96);
export const pasted = (text: string): string => `\u001b[200~${text}\u001b[201~`;

export interface View {
  /** What stands there, without colours and blanks at the ends of lines. */
  frame(): string;
  lines(): readonly string[];
  /** One chunk of input. */
  type(chunk: string): void;
  redraw(element: ReactNode): void;
}

export const closeViews = cleanup;

export function view(element: ReactNode, { columns = 80, rows = 24 }: Partial<WindowSize> = {}): View {
  const inside = (content: ReactNode) => (
    <Keyboard>
      <Part size={{ columns, rows }}>{content}</Part>
    </Keyboard>
  );
  const { stdin, lastFrame, rerender } = render(inside(element));
  const lines = () =>
    stripVTControlCharacters(lastFrame() ?? '')
      .split('\n')
      .map((line) => line.trimEnd());
  return {
    lines,
    frame: () => lines().join('\n'),
    type: (chunk) => stdin.write(chunk),
    redraw: (content) => rerender(inside(content)),
  };
}
