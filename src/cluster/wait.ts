import { setTimeout as sleep } from 'node:timers/promises';

/** @throws the reason of `signal` when it ends the wait */
export async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw error;
  });
}
