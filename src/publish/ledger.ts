/**
 * The history as a lock and a memory: a pending entry keeps other runs out and tells the next one what a crash left
 * behind (DESIGN.md section 7, "History").
 */
import { createHash } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import type { Cluster } from '../cluster/connect.ts';
import { type History, type HistoryEntry, readHistory } from '../cluster/history.ts';
import { writeHistory } from '../cluster/write/history.ts';
import { Failure } from '../errors.ts';
import { visible } from '../masking.ts';
import { keyOf } from './bucket-view.ts';
import type { Destination, Live } from './survey.ts';
import type { Surroundings } from './types.ts';

/** After this a run that says nothing is taken for dead. */
const takeOverAfterMs = 10 * 60_000;

/** A run that has begun and not ended, and may still be at it. A clock that is ahead must not lock for longer. */
export const runUnderWay = ({ entries }: History, now: Date): HistoryEntry | undefined =>
  entries.find(
    ({ state, time }) => state === 'pending' && Math.abs(now.getTime() - Date.parse(time)) < takeOverAfterMs,
  );

/** Whether there is something that this run can end: of one that died or could not take back, or what waits to be served. */
export const unfinished = ({ entries }: History, destination: Destination): boolean =>
  entries.some((entry) => {
    if (entry.state === 'abandoned') return withinReach(entry, destination);
    const waits = entry.state === 'prepared' && destination.kind === 'url' && entry.url === destination.url;
    return waits || entry.state === 'pending';
  });

/** Only this bucket can be cleaned: one that the user has left behind may not even be reachable. */
export const withinReach = ({ key, url }: HistoryEntry, destination: Destination): boolean =>
  key === undefined || (destination.kind === 'oss' && keyOf(url, destination.target) !== undefined);

/**
 * The publication of ours that is at this URL. With --object-key several runs have had the same URL, and one that failed
 * was never live.
 */
export function publicationAt(url: string, { entries }: History): HistoryEntry | undefined {
  const ours = entries.filter((entry) => entry.number > 0 && entry.url === url);
  return ours.find(({ state }) => state === 'live') ?? ours.findLast(({ state }) => state !== 'failed') ?? ours.at(-1);
}

/** New states of entries, by number. */
export type States = ReadonlyMap<number, HistoryEntry['state']>;

export class Ledger {
  readonly #cluster: Cluster;
  readonly #around: Surroundings;
  #history: History;
  #version: string | undefined;

  constructor(cluster: Cluster, history: History, version: string | undefined, around: Surroundings) {
    this.#cluster = cluster;
    this.#history = history;
    this.#version = version;
    this.#around = around;
  }

  /**
   * Writes the pending entry. Runs that died are marked as abandoned: what they left is for the caller to clean up.
   * @throws Failure AnotherRun when one was quicker
   */
  async begin(entry: Pick<HistoryEntry, 'url' | 'key' | 'digest' | 'tokenId'>, live: Live): Promise<HistoryEntry> {
    const known = this.#history.entries.map((other) =>
      other.state === 'pending' ? { ...other, state: 'abandoned' as const } : other,
    );
    const entries = known.length === 0 ? this.#beforeUs(live) : known;
    const pending: HistoryEntry = {
      ...entry,
      number: Math.max(0, ...entries.map((other) => other.number)) + 1,
      toolVersion: this.#around.toolVersion,
      time: this.#around.now().toISOString(),
      user: `${userName()}@${hostname()}`,
      state: 'pending',
    };
    await this.#write([...entries, pending]);
    return pending;
  }

  /** What died runs left, and what a failed one could not take back. */
  get abandoned(): readonly HistoryEntry[] {
    return this.#history.entries.filter((entry) => entry.state === 'abandoned');
  }

  /**
   * A run that slept for more than ten minutes may have been taken over, and what it made may be gone.
   * @throws Failure AnotherRun
   */
  async confirm(): Promise<void> {
    const { resourceVersion } = await readHistory(this.#cluster);
    if (resourceVersion === this.#version) return;
    throw new Failure('AnotherRun', 'another run has written the history since this one began');
  }

  async mark(states: States): Promise<void> {
    await this.#write(
      this.#history.entries.map((entry) => ({ ...entry, state: states.get(entry.number) ?? entry.state })),
    );
  }

  /** The entry is live, and what was live or waited is superseded. @param resolved Of entries that were abandoned */
  complete = (entry: HistoryEntry, resolved: States): Promise<void> =>
    this.#settle(entry, 'live', ['live', 'prepared'], resolved);

  /** The entry waits for its script to be served, in the place of what waited before. */
  prepare = (entry: HistoryEntry, resolved: States): Promise<void> =>
    this.#settle(entry, 'prepared', ['prepared'], resolved);

  async #settle(
    entry: HistoryEntry,
    state: HistoryEntry['state'],
    replaced: readonly HistoryEntry['state'][],
    resolved: States,
  ): Promise<void> {
    const superseded = this.#history.entries
      .filter((other) => replaced.includes(other.state))
      .map(({ number }) => [number, 'superseded'] as const);
    await this.mark(new Map([...resolved, ...superseded, [entry.number, state]]));
  }

  /** Entry 0, where there is one. */
  get original(): HistoryEntry | undefined {
    return this.#history.entries.find(({ number }) => number === 0);
  }

  /** Entry 0: what was live before the first publication of ours. */
  #beforeUs({ url, text }: Live): readonly HistoryEntry[] {
    if (url === undefined) return [];
    return [
      {
        number: 0,
        // A history holds plain lines of 1024 characters at most; the agent takes no other URL either (G6).
        url: visible(url).slice(0, 1024),
        key: undefined,
        digest: text === undefined ? undefined : createHash('sha256').update(text).digest('hex'),
        tokenId: undefined,
        toolVersion: this.#around.toolVersion,
        time: this.#around.now().toISOString(),
        user: 'before ackone-join',
        state: 'superseded',
      },
    ];
  }

  async #write(entries: readonly HistoryEntry[]): Promise<void> {
    const history = { ...this.#history, entries };
    this.#version = await writeHistory(this.#cluster, history, this.#version);
    this.#history = history;
  }
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under an id that has no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
