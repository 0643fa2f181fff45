/** Ends a wait when a signal comes, without cutting a request in two: that one goes on, and its outcome is not used. */
export function orAbort<T>(wait: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    wait.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
