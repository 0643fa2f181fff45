import { Failure } from '../../src/errors.ts';

/** The Failure that a promise is rejected with. */
export async function rejection(promise: Promise<unknown>): Promise<Failure> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('it was not rejected');
}
