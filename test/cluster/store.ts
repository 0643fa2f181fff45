/** Every object in the API server, as etcd holds it. */
import { expect, vi } from 'vitest';
import type { ControlPlane } from './control-plane.ts';

/** Written all the time by the servers themselves: heartbeats, and what they report of it. */
const restless = /^\/registry\/(leases|masterleases|events)\//;

/** Key in etcd → its revision and the bytes of its value. Two equal snapshots: nothing was written in between. */
export type Snapshot = Readonly<Record<string, string>>;

/** Asks etcd's JSON gateway for all keys (etcd api/etcdserverpb/rpc.proto, KV.Range). */
export async function snapshot({ etcd }: ControlPlane): Promise<Snapshot> {
  const everything = JSON.stringify({ key: 'AA==', range_end: 'AA==' });
  const answer = await fetch(`${etcd}/v3/kv/range`, { method: 'POST', body: everything });
  const { kvs } = (await answer.json()) as { kvs: { key: string; mod_revision: string; value?: string }[] };
  const entries = kvs.map(({ key, mod_revision, value }) => [
    Buffer.from(key, 'base64').toString(),
    `${mod_revision} ${value}`,
  ]);
  return Object.fromEntries(entries.filter(([key = '']) => !restless.test(key)));
}

/** A snapshot for which the controllers have done what was given to them before. */
export const settled = (cluster: ControlPlane): Promise<Snapshot> =>
  vi.waitFor(
    async () => {
      const before = await snapshot(cluster);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      expect(await snapshot(cluster)).toStrictEqual(before);
      return before;
    },
    { timeout: 30_000, interval: 10 },
  );
