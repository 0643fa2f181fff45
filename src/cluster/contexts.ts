import type { KubeconfigOptions } from './kubeconfig.ts';
import { loadKubeconfig, thisMachine } from './kubeconfig.ts';

export interface Contexts {
  /** In the kubeconfig's order. */
  readonly names: readonly string[];
  readonly current: string | undefined;
}

/** @throws Failure KubeconfigMissing, KubeconfigInvalid */
export async function listContexts(options: KubeconfigOptions, machine = thisMachine): Promise<Contexts> {
  const { contexts, currentContext } = await loadKubeconfig(options, machine);
  return { names: [...contexts.keys()], current: currentContext };
}
