/** What was asked of whom, for --debug. The rooms that open sockets tell it here, and know of no log. */

export interface Asked {
  /** The server: an address without credentials. */
  readonly whom: string;
  /** `list nodes`, `PUT /ackone-join/prod/join.sh`. */
  readonly what: string;
  /** A status, or what went wrong. */
  readonly answer: string;
  readonly milliseconds: number;
}

/** One for the process: what a key press in the wizard starts must be heard as well. */
let listener: ((asked: Asked) => void) | undefined;

/** Tells `listen` of all that is asked until `run` has ended. */
export async function traceTo<T>(listen: (asked: Asked) => void, run: () => Promise<T>): Promise<T> {
  listener = listen;
  try {
    return await run();
  } finally {
    listener = undefined;
  }
}

/** @param status What to note of an answer. */
export async function traced<T>(
  whom: string,
  what: string,
  ask: () => Promise<T>,
  status: (answer: T) => number,
): Promise<T> {
  const tell = listener;
  if (tell === undefined) return ask();
  const start = performance.now();
  const note = (answer: string) => tell({ whom, what, answer, milliseconds: performance.now() - start });
  try {
    const answer = await ask();
    note(String(status(answer)));
    return answer;
  } catch (error) {
    note(error instanceof Error ? wordOf(error) : 'failed');
    throw error;
  }
}

/** Not the message: a library's may hold what was sent. */
const wordOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string'
    ? error.code
    : 'reason' in error && typeof error.reason === 'string'
      ? error.reason
      : error.name;
