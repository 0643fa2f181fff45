/** Every object in the API server, as etcd holds it. */
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
