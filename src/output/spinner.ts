/** The line on a terminal that says what is waited for, and since when. */

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const frameMs = 100;
const clearLine = '\r\u001b[K';
/** Without wrapping a line that is too long is cut at the edge, however wide its characters are. */
const [wrapOff, wrapOn] = ['\u001b[?7l', '\u001b[?7h'];

export interface Spinner {
  /** @param text One line that is fit for a terminal. */
  show(text: string): void;
  stop(): void;
}

export function openSpinner(write: (text: string) => unknown): Spinner {
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    if (timer === undefined) return;
    clearInterval(timer);
    timer = undefined;
    write(clearLine);
  };
  return {
    show(text) {
      stop();
      const start = performance.now();
      const draw = () => {
        const ms = performance.now() - start;
        const frame = frames[Math.floor(ms / frameMs) % frames.length];
        write(`${clearLine}${wrapOff}${frame} ${text}  ${Math.floor(ms / 1000)} s${wrapOn}`);
      };
      draw();
      timer = setInterval(draw, frameMs);
      // It tells of a wait and must not be one.
      timer.unref();
    },
    stop,
  };
}
