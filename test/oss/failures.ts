import { Failure } from '../../src/errors.ts';

/** The Failure that `run` ends with; anything else fails the test. */
export async function failureFrom(run: Promise<unknown> | (() => unknown)): Promise<Failure> {
  try {
    await (typeof run === 'function' ? run() : run);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

/** Everything of a failure that anybody may come to see. */
export const everythingShown = (failure: Failure): string =>
  JSON.stringify([failure.message, failure.causes, failure.next, String(failure.cause), JSON.stringify(failure.cause)]);
