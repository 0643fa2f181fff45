import { readFileSync } from 'node:fs';
import { inject } from 'vitest';

/** In place of src/script/keys.ts, for `vi.mock`: the keys that sign the packages of the hosts' mirror. */
export function keys() {
  const built = inject('hosts');
  // Where hosts cannot be booted the tests are skipped, but their modules are loaded all the same.
  const found = built === undefined ? {} : JSON.parse(readFileSync(`${built}/mirror/fingerprints.json`, 'utf8'));
  return { dockerKey: found.docker, kubernetesKey: found.kubernetes, legacyKubernetesKey: found.kubernetes };
}
