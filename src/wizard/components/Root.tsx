/** The root of everything that is drawn. */
import { Box, type DOMElement, render, Text } from 'ink';
import { Component, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import type { TerminalStream } from '../screen.ts';
import { Deaf, Keyboard } from './keyboard.tsx';
import { useWindow, Window, type WindowSize } from './window.tsx';

export interface RootProps {
  /** Whose size counts. */
  readonly terminal: TerminalStream;
  readonly onInterrupt: () => void;
  readonly onSuspend: () => void;
  /** A screen threw. */
  readonly onError: (error: unknown) => void;
  readonly children: ReactNode;
}

const least = { columns: 40, rows: 10 };

/** @returns what takes it off again; the last frame stays on the screen */
export function mount(
  app: ReactNode,
  root: Omit<RootProps, 'children'>,
  { spoken, ...streams }: Pick<NonNullable<RenderOptions>, 'stdin' | 'stdout' | 'stderr'> & { spoken: boolean },
): () => void {
  const { unmount } = render(<Root {...root}>{app}</Root>, {
    ...streams,
    exitOnCtrlC: false,
    // A key that is held down repeats every 30 ms; by Ink's own 30 frames a second each other one waits for its frame.
    maxFps: 60,
    isScreenReaderEnabled: spoken,
  });
  return unmount;
}

type RenderOptions = Exclude<Parameters<typeof render>[1], NodeJS.WriteStream>;

function Root({ terminal, onInterrupt, onSuspend, onError, children }: RootProps) {
  return (
    <Boundary onError={onError}>
      <Window stream={terminal}>
        <Keyboard onInterrupt={onInterrupt} onSuspend={onSuspend}>
          <Lower terminal={terminal}>{children}</Lower>
        </Keyboard>
      </Window>
    </Boundary>
  );
}

/** Lower than the terminal, whatever is inside: a frame that fills it cannot be taken away again. */
function Lower({ terminal, children }: Pick<RootProps, 'terminal' | 'children'>) {
  const { columns, rows } = useWindow();
  const tooSmall = columns < least.columns || rows < least.rows;
  const box = useRef<DOMElement>(null);
  const [limited, setLimited] = useState(false);
  useLayoutEffect(() => {
    const limit = () => box.current?.yogaNode?.setMaxHeight(Math.max(1, terminal.rows - 1));
    limit();
    setLimited(true);
    // Before Ink hears of it and draws.
    terminal.prependListener('resize', limit);
    return () => {
      terminal.off('resize', limit);
    };
  }, [terminal]);
  return (
    <Box ref={box} flexDirection="column" overflow="hidden">
      {tooSmall && <TooSmall columns={columns} rows={rows} />}
      <Box flexDirection="column" flexShrink={0} display={tooSmall ? 'none' : 'flex'}>
        {limited && children}
      </Box>
    </Box>
  );
}

const TooSmall = ({ columns, rows }: WindowSize) => (
  <>
    <Deaf />
    <Text wrap="truncate">{`Needs ${least.columns}×${least.rows}, has ${columns}×${rows}`}</Text>
  </>
);

class Boundary extends Component<Pick<RootProps, 'onError' | 'children'>, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown) {
    this.props.onError(error);
  }

  override render() {
    return this.state.failed ? null : this.props.children;
  }
}
