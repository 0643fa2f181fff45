import type { V1Secret } from '@kubernetes/client-node';
import { ourLabels, unlessMissing } from '../config-map.ts';
import type { ClusterClient } from '../connect.ts';
import { tokenSecretName } from '../token.ts';

const namespace = 'kube-system';

/** @throws Failure ClusterConflict when the id is taken: draw another one */
export async function createToken(client: Pick<ClusterClient, 'core'>, manifest: V1Secret): Promise<void> {
  await client.core.createNamespacedSecret({ namespace, body: manifest });
}

/**
 * Deletes a token that we made; one that is gone, or does not carry our label, is left as it is.
 * @throws Failure ClusterConflict when another Secret took its place in between
 */
export async function deleteToken(client: Pick<ClusterClient, 'core'>, id: string): Promise<void> {
  const name = tokenSecretName(id);
  const secret = await unlessMissing(client.core.readNamespacedSecret({ namespace, name }));
  const ours = Object.entries(ourLabels).every(([key, value]) => secret?.metadata?.labels?.[key] === value);
  const { uid, resourceVersion } = secret?.metadata ?? {};
  if (!ours || uid === undefined || resourceVersion === undefined) return;
  const body = { preconditions: { uid, resourceVersion } };
  await unlessMissing(client.core.deleteNamespacedSecret({ namespace, name, body }));
}
