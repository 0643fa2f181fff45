/** Taking back: what this run made before it failed, and what a run that died has left. */
import { createHash } from 'node:crypto';
import type { HistoryEntry } from '../cluster/history.ts';
import { deleteToken } from '../cluster/write/token.ts';
import { Failure, Interrupted } from '../errors.ts';
import { masked } from '../masking.ts';
import type { Store } from '../oss/store.ts';
import { deleteObject } from '../oss/write/object.ts';
import { keyOf } from './bucket-view.ts';
import { type Ledger, type States, withinReach } from './ledger.ts';
import type { Survey } from './survey.ts';

/** One thing that was made, and how it is taken back. Registered before it is made: a lost answer may hide a success. */
export interface Undo {
  readonly what: string;
  readonly run: () => Promise<void>;
}

/**
 * Deletes the tokens and objects of runs that died, but for what something else still needs.
 * @returns what the entries are from now on, by number: failed, or superseded if theirs was live when they died
 */
export async function cleanUp(
  abandoned: readonly HistoryEntry[],
  survey: Survey,
  current: HistoryEntry,
): Promise<States> {
  const { cluster, destination, history, live } = survey;
  const needed = [
    current,
    ...history.entries.filter(({ state }) => state === 'live' || state === 'superseded' || state === 'prepared'),
  ];
  const resolved = new Map<number, HistoryEntry['state']>();
  for (const entry of abandoned) {
    if (entry.number === live.entry?.number) {
      resolved.set(entry.number, 'superseded');
      continue;
    }
    if (entry.tokenId !== undefined && !needed.some((other) => other.tokenId === entry.tokenId)) {
      await deleteToken(cluster, entry.tokenId);
    }
    if (!withinReach(entry, destination)) continue;
    const key = destination.kind === 'oss' ? keyOf(entry.url, destination.target) : undefined;
    if (destination.kind === 'oss' && key !== undefined && !needed.some((other) => place(other) === place(entry))) {
      await deleteIfOurs(destination.store, key, entry.digest).catch(unlessForbidden);
    }
    resolved.set(entry.number, 'failed');
  }
  return resolved;
}

/** A script whose token is gone is of no use to anybody: without the right to delete it, it may stay. */
function unlessForbidden(error: unknown): void {
  if (!(error instanceof Failure) || error.code !== 'OssForbidden') throw error;
}

/** What a URL leads to, whoever signed it and when. */
const place = ({ url }: HistoryEntry) => url.split('?')[0];

/** What holds something else than the run was to put there is somebody else's. */
export async function deleteIfOurs(store: Store, key: string, digest: string | undefined): Promise<void> {
  const there = await store.get(key);
  if (there && createHash('sha256').update(there).digest('hex') === digest) await deleteObject(store, key);
}

/** @returns the same failure, with what was taken back and what stands among its causes */
export async function takeBack(
  error: unknown,
  entry: HistoryEntry,
  undo: readonly Undo[],
  ledger: Ledger,
): Promise<Error> {
  const outcome: string[] = [];
  let whole = true;
  for (const { what, run } of undo.toReversed()) {
    try {
      await run();
      outcome.push(`taken back: ${what}`);
    } catch {
      whole = false;
      outcome.push(`still there: ${what}; the next run takes it back`);
    }
  }
  await ledger.mark(new Map([[entry.number, whole ? 'failed' : 'abandoned']])).catch(() => {
    outcome.push(
      'still there: the pending entry in ConfigMap kube-system/ackone-join; it is taken over after ten minutes',
    );
  });
  outcome.push('the live script is what it was');
  if (error instanceof Failure) {
    return new Failure(error.code, error.message, {
      causes: [...error.causes, ...outcome],
      next: error.next,
      manifest: error.manifest,
      cause: error.cause,
    });
  }
  if (error instanceof Interrupted) return new Interrupted(error.exit, outcome);
  return error instanceof Error ? error : new Error(String(error));
}

export const tokenName = (id: string) => `Secret kube-system/bootstrap-token-${id} (${masked(id)})`;
