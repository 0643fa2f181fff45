/** The terminal around the wizard: whether there is one, and how it is taken and given back. */
import type { ReactElement } from 'react';
import type { RootProps } from './components/Root.tsx';
import { holdTerminal } from './hold.ts';
import { openScreen } from './screen.ts';

/** What renderApp draws on and reads from. */
export interface Console {
  readonly stdin: NodeJS.ReadStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: NodeJS.ProcessEnv;
  /** output/colours.ts, wantsColours. */
  readonly colours: boolean;
}

/** What the app may ask of the terminal. */
export interface Terminal<T> {
  /** Ends the app. The last frame stays on the screen. */
  end(result: T): void;
  /** Takes the frame off the screen while somebody else asks at the terminal, as a log-in does. */
  lend<R>(work: () => Promise<R>): Promise<R>;
  /** Resolves when the first frame is on the screen. */
  readonly drawn: Promise<void>;
  /** Text with its newline that stays, above the frame. */
  say(text: string): void;
}

/** As Ink decides it (is-in-ci), which then draws nothing but the last frame. */
const isCi = (value: string | undefined) => value !== undefined && value !== '0' && value !== 'false';

/** Somebody sits there, in front of something that can draw. */
export const hasTerminal = ({ stdin, stderr, env }: Omit<Console, 'colours'>): boolean =>
  stdin.isTTY === true &&
  stderr.isTTY === true &&
  env.TERM !== 'dumb' &&
  !isCi(env.CI) &&
  !isCi(env.CONTINUOUS_INTEGRATION);

const wantsSpeech = ({ ACKONE_JOIN_SCREEN_READER: ours, INK_SCREEN_READER: inks }: NodeJS.ProcessEnv): boolean =>
  [ours, inks].some((value) => value !== undefined && !['', '0', 'false'].includes(value));

/** chalk's levels of colour, by the bits that Node finds out. */
const colourLevels: Readonly<Record<number, string>> = { 1: '0', 4: '1', 8: '2', 24: '3' };

/**
 * Ink's colours are chosen once, when it is loaded, and by what stdout can do; they ignore NO_COLOR. Node knows better
 * (tty.WriteStream.getColorDepth). And with DEV=true Ink looks for the developer tools of React, which it has not here.
 */
const forInk = ({ stderr, env, colours }: Console) => ({
  FORCE_COLOR: (colours && colourLevels[stderr.getColorDepth(env)]) || '0',
  DEV: undefined,
});

/** Variables of this process while something is loaded; children of ours shall not inherit them. */
async function withVariables(variables: NodeJS.ProcessEnv, load: () => Promise<void>): Promise<void> {
  const set = (values: NodeJS.ProcessEnv) => {
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
  const before = Object.fromEntries(Object.keys(variables).map((name) => [name, process.env[name]]));
  set(variables);
  try {
    await load();
  } finally {
    set(before);
  }
}

/**
 * Draws the app on stderr until it ends. Ctrl-C arrives as the signal that it is everywhere else: main.ts decides what
 * it means.
 * @param load Loads the screens, and with them Ink: only now is it known which colours it may use.
 * @returns what `end` was called with; rejects with what a screen threw
 */
export async function renderApp<T>(
  load: (terminal: Terminal<T>) => Promise<ReactElement>,
  console: Console,
): Promise<T> {
  const { stdin, stderr, env } = console;
  const spoken = wantsSpeech(env);
  const screen = openScreen(stderr, { spoken });
  const hold = holdTerminal(console, screen, { spoken });
  let unmount: (() => void) | undefined;
  let over = false;
  let firstFrame = () => {};
  const drawn = new Promise<void>((resolve) => {
    firstFrame = resolve;
  });
  try {
    return await new Promise<T>((resolve, reject) => {
      const terminal: Terminal<T> = { end: resolve, lend: hold.lend, drawn, say: screen.say };
      const root: Omit<RootProps, 'children'> = {
        terminal: stderr,
        onInterrupt: () => void process.kill(process.pid, 'SIGINT'),
        onSuspend: hold.suspend,
        onError: reject,
      };
      withVariables(forInk(console), async () => {
        const [{ mount }, app] = await Promise.all([import('./components/Root.tsx'), load(terminal)]);
        if (over) return;
        unmount = mount(app, root, { stdin, stdout: screen.stream, stderr: screen.stream, spoken });
        // React draws at once what has no effects; the rest of a frame comes with the next turn.
        setImmediate(firstFrame);
      }).catch(reject);
    });
  } finally {
    over = true;
    unmount?.();
    hold.release();
  }
}
