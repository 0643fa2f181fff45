/**
 * What was published, by whom, and what is under way: ConfigMap kube-system/ackone-join. It attributes a crash, and it
 * is the lock between two runs (DESIGN.md section 7).
 */
import * as z from 'zod';
import { Failure } from '../errors.ts';
import { configMapSource, readConfigMap } from './config-map.ts';
import type { ClusterClient } from './connect.ts';

export const historyMap = { namespace: 'kube-system', name: 'ackone-join' } as const;
export const historyKey = 'history.json';
const source = configMapSource(historyMap.namespace, historyMap.name);
const schemaName = 'ackone-join/history/v1';

/** Anybody with the right to write ConfigMaps may have put something else there. */
const line = z.string().regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,1024}$/u, 'is not one plain line');

const entry = z.strictObject({
  /** From 1 on; 0 is what was live before the first publication of ours. */
  number: z.int().min(0),
  url: line,
  key: line.optional(),
  /** sha256 hex of the script. */
  digest: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  tokenId: z
    .string()
    .regex(/^[a-z0-9]{6}$/)
    .optional(),
  toolVersion: line,
  time: z.iso.datetime({ offset: true }),
  /** Who ran it, `name@host`. */
  user: line,
  /** `prepared`: waits for its script to be served; `abandoned`: its run died, and what it left is not cleaned up yet. */
  state: z.enum(['pending', 'prepared', 'live', 'superseded', 'failed', 'abandoned']),
});
const history = z.strictObject({ schema: z.literal(schemaName), entries: z.array(entry).max(100) });

export type HistoryEntry = Readonly<z.output<typeof entry>>;

/** Oldest first. */
export interface History {
  readonly schema: typeof schemaName;
  readonly entries: readonly HistoryEntry[];
}

export interface StoredHistory {
  readonly history: History;
  /** Undefined when the ConfigMap is not there yet. */
  readonly resourceVersion: string | undefined;
}

/** @throws Failure HistoryInvalid for what this version did not write */
export async function readHistory(client: Pick<ClusterClient, 'core'>): Promise<StoredHistory> {
  const found = await readConfigMap(client, historyMap.namespace, historyMap.name);
  const text = found?.data[historyKey];
  return {
    history: text === undefined ? { schema: schemaName, entries: [] } : parseHistory(text),
    resourceVersion: found?.resourceVersion,
  };
}

function parseHistory(text: string): History {
  const value = json(text);
  const found = history.safeParse(value);
  if (found.success) return found.data;
  const name = z.object({ schema: z.string().regex(/^ackone-join\/history\/v\d{1,6}$/) }).safeParse(value);
  if (name.success && name.data.schema !== schemaName) {
    throw new Failure('HistoryInvalid', `${source} holds ${name.data.schema}, and this version knows ${schemaName}`);
  }
  const [issue] = found.error.issues;
  const place = issue?.path.join('.');
  throw new Failure(
    'HistoryInvalid',
    place
      ? `${source} holds a history that cannot be read at ${place}`
      : `${source} holds something else than a history of ackone-join`,
  );
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
