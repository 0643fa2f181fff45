import { Failure } from '../../errors.ts';
import { ourLabels } from '../config-map.ts';
import type { ClusterClient } from '../connect.ts';

/** Secret kube-system/ackone-join-original, key `script.sh`: a script may hold a token, so it is no ConfigMap. */
const originalName = 'ackone-join-original';

/** Keeps what was live before the first publication of ours; one that is kept already stays. */
export async function createOriginal(client: Pick<ClusterClient, 'core'>, script: string): Promise<void> {
  const body = {
    metadata: { name: originalName, labels: { ...ourLabels } },
    type: 'Opaque',
    data: { 'script.sh': Buffer.from(script).toString('base64') },
  };
  await client.core.createNamespacedSecret({ namespace: 'kube-system', body }).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== 'ClusterConflict') throw error;
  });
}
