/** Holding the terminal: raw mode, paste marks, no cursor; and letting it go whenever somebody else needs it. */
import type { Screen } from './screen.ts';
import type { Console } from './terminal.ts';

export interface Hold {
  /** Takes the frame off the screen while somebody else asks at the terminal, as a log-in does. */
  lend<R>(work: () => Promise<R>): Promise<R>;
  /** Ctrl-Z: the shell gets the terminal until it continues us. */
  suspend(): void;
  release(): void;
}

const cursor = { hide: '\u001b[?25l', show: '\u001b[?25h' } as const;
/** Whether a paste comes between marks. */
const pasteMarks = { on: '\u001b[?2004h', off: '\u001b[?2004l' } as const;

/** In milliseconds. */
const aDay = 86_400_000;

/**
 * Whatever ends the process, the terminal is given back as it was. One that is gone arrives as the signal that it is
 * everywhere else.
 * @param spoken For a screen reader, which follows the cursor: it stays visible.
 */
export function holdTerminal(
  { stdin, stderr }: Pick<Console, 'stdin' | 'stderr'>,
  screen: Screen,
  { spoken }: { readonly spoken: boolean },
): Hold {
  /** To so many; they may overlap. */
  let lent = 0;
  let released = false;

  const take = () => {
    stdin.setRawMode(true);
    stderr.write(spoken ? pasteMarks.on : pasteMarks.on + cursor.hide);
  };
  const giveBack = () => {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write(pasteMarks.off + cursor.show);
  };
  const retake = () => {
    if (lent > 0 || released) return;
    take();
    stdin.resume();
    screen.show();
  };
  const suspend = () => {
    screen.hide();
    giveBack();
    ignoreStops();
    // The whole job, npm and shells around us too. Where nobody could continue us the kernel ignores it.
    process.kill(0, 'SIGTSTP');
    heedStops();
    retake();
  };
  const hangUp = () => void process.kill(process.pid, 'SIGHUP');
  const heedStops = () => {
    process.on('SIGTSTP', suspend);
    // After SIGSTOP, of which nobody is told.
    process.on('SIGCONT', retake);
  };
  const ignoreStops = () => {
    process.off('SIGTSTP', suspend);
    process.off('SIGCONT', retake);
  };

  take();
  heedStops();
  process.on('exit', giveBack);
  process.on('uncaughtExceptionMonitor', giveBack);
  stdin.on('end', hangUp);
  stdin.on('error', hangUp);
  // When the terminal is gone nothing else may be left to wait for, and Node would end before the signal is heard.
  const waiting = setInterval(() => {}, aDay);

  return {
    async lend(work) {
      screen.hide();
      giveBack();
      lent += 1;
      try {
        return await work();
      } finally {
        lent -= 1;
        retake();
      }
    },
    suspend,
    release() {
      released = true;
      ignoreStops();
      clearInterval(waiting);
      process.off('exit', giveBack);
      process.off('uncaughtExceptionMonitor', giveBack);
      // A terminal that is gone says so here as well.
      giveBack();
      stdin.off('end', hangUp);
      stdin.off('error', hangUp);
    },
  };
}
