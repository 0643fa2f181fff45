/** The whole wizard over a fake world, in a window, with keys. */
import { Box } from 'ink';
import { App } from '../../src/wizard/app.tsx';
import { type View, view } from './components/view.tsx';
import { layersOf, type Walk, type World, walk } from './world.ts';

export interface Wizard extends View {
  readonly session: Walk;
  /** Whether the user has left, and whether the screen was cleared at the end. */
  readonly left: () => boolean;
  readonly cleared: () => boolean;
  /** Sends keys one after the other, each when the screen has come to rest. */
  press(...chunks: readonly string[]): Promise<void>;
  /** Waits until the screen shows it. */
  sees(text: string | RegExp): Promise<void>;
}

/** At most 100 columns: what ink-testing-library draws on has no more. */
export function wizard(world: World, layers = layersOf(), { columns = 100, rows = 30 } = {}): Wizard {
  const session = walk(world, layers);
  let left = false;
  let cleared = false;
  const shown = view(
    <Box width={columns} flexDirection="column">
      <App
        session={session}
        leave={() => {
          left = true;
        }}
        onCleared={() => {
          cleared = true;
        }}
      />
    </Box>,
    { columns, rows },
  );
  const rest = async () => {
    await session.settled();
    for (let before = ''; before !== shown.frame(); ) {
      before = shown.frame();
      await new Promise((resolve) => setTimeout(resolve, 80));
    }
  };
  return {
    ...shown,
    session,
    left: () => left,
    cleared: () => cleared,
    async press(...chunks) {
      for (const chunk of chunks) {
        await rest();
        shown.type(chunk);
      }
      await rest();
    },
    async sees(text) {
      for (let tries = 0; tries < 100; tries += 1) {
        const frame = shown.frame();
        if (typeof text === 'string' ? frame.includes(text) : text.test(frame)) return;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      throw new Error(`never saw ${text}, but\n${shown.frame()}`);
    },
  };
}
