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

/**
 * The command that the credentials of a context come from, when it may ask somebody at the terminal.
 * @throws Failure KubeconfigMissing, KubeconfigInvalid
 */
export async function loginCommand(
  options: KubeconfigOptions,
  context: string | undefined,
  machine = thisMachine,
): Promise<string | undefined> {
  const { contexts, currentContext, users } = await loadKubeconfig(options, machine);
  const exec = users.get(contexts.get(context ?? currentContext ?? '')?.user ?? '')?.value.exec;
  return exec && exec.interactiveMode !== 'Never' ? exec.command : undefined;
}
