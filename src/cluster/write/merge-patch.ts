import { PatchStrategy, setHeaderOptions } from '@kubernetes/client-node';
import type { ConfigMap } from '../config-map.ts';
import { toConfigMap } from '../config-map.ts';
import type { ClusterClient } from '../connect.ts';

/**
 * Changes one key of a ConfigMap that still has `resourceVersion`, and leaves all others alone.
 * client-node would send a JSON patch (cases.md H1).
 * @returns the ConfigMap as it is then. @throws Failure ClusterConflict when it has changed since
 */
export async function patchKey(
  client: Pick<ClusterClient, 'core'>,
  target: { readonly namespace: string; readonly name: string },
  change: { readonly key: string; readonly value: string; readonly resourceVersion: string },
): Promise<ConfigMap> {
  const body = { metadata: { resourceVersion: change.resourceVersion }, data: { [change.key]: change.value } };
  const mergePatch = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);
  return toConfigMap(await client.core.patchNamespacedConfigMap({ ...target, body }, mergePatch));
}
