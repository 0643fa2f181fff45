import { Failure } from '../../errors.ts';
import { ourLabels, toConfigMap } from '../config-map.ts';
import type { ClusterClient } from '../connect.ts';
import type { History, HistoryEntry } from '../history.ts';
import { historyKey, historyMap } from '../history.ts';
import { patchKey } from './merge-patch.ts';

const kept = 10;

/**
 * Without the oldest of those that only tell a story: failed ones first, then superseded ones. What is live or under
 * way, what is not cleaned up, and what was live before us (0) stays, or it could not be told, taken back or undone.
 */
function trimmed(entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  const failed = entries.filter(({ state }) => state === 'failed');
  const superseded = entries.filter(({ state, number }) => state === 'superseded' && number > 0);
  const dropped = [...failed, ...superseded].slice(0, Math.max(0, entries.length - kept));
  return entries.filter((entry) => !dropped.includes(entry));
}

/**
 * @param resourceVersion Of the history that this one continues; undefined creates the ConfigMap.
 * @returns the new resourceVersion. @throws Failure AnotherRun when somebody wrote in between
 */
export async function writeHistory(
  client: Pick<ClusterClient, 'core'>,
  history: History,
  resourceVersion: string | undefined,
): Promise<string> {
  const value = JSON.stringify({ ...history, entries: trimmed(history.entries) }, undefined, 2);
  const written =
    resourceVersion === undefined
      ? client.core
          .createNamespacedConfigMap({
            namespace: historyMap.namespace,
            body: { metadata: { name: historyMap.name, labels: { ...ourLabels } }, data: { [historyKey]: value } },
          })
          .then(toConfigMap)
      : patchKey(client, historyMap, { key: historyKey, value, resourceVersion });
  const configMap = await written.catch((error: unknown) => {
    if (!(error instanceof Failure) || !['ClusterConflict', 'ClusterNotFound'].includes(error.code)) throw error;
    throw new Failure('AnotherRun', 'another run has written the history in the meantime', { cause: error });
  });
  return configMap.resourceVersion;
}
