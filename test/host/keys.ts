import { readFileSync } from 'node:fs';
import { inject } from 'vitest';

/** In place of src/script/keys.ts, for `vi.mock`: the keys that sign the packages of the hosts' mirror. */
export function keys() {
  const path = `${inject('hosts')}/mirror/fingerprints.json`;
  const { docker, kubernetes } = JSON.parse(readFileSync(path, 'utf8'));
  return { dockerKey: docker, kubernetesKey: kubernetes, legacyKubernetesKey: kubernetes };
}
