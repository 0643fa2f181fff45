import { mirrorKeys } from './host.ts';

/** In place of src/script/keys.ts, for `vi.mock`: the keys that sign the packages of the hosts' mirror. */
export function keys() {
  const { docker, kubernetes } = mirrorKeys();
  return { dockerKey: docker, kubernetesKey: kubernetes, legacyKubernetesKey: kubernetes };
}
