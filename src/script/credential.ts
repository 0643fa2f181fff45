/** The last thing that a script lacks: what a new node shows to the API server. */
import type { BootstrapToken, DiscoveryFact } from '../cluster/types.ts';
import { Failure } from '../errors.ts';
import { type BootstrapUser, bootstrapOf, tokenBootstrap } from './bootstrap-kubeconfig.ts';
import { joinTarget } from './join-command.ts';
import type { DecidedInput, JoinTarget, ScriptInput } from './types.ts';

/** The user's own instead of a token of ours: a join command, or, for a cluster installed from binaries, a kubeconfig. */
export type OwnCredential = { readonly join: JoinTarget } | { readonly user: BootstrapUser };

export function withOwn(input: DecidedInput, own: OwnCredential): ScriptInput {
  if (input.style === 'kubeadm' && 'join' in own) return { ...input, join: own.join };
  if (input.style === 'binary' && 'user' in own) {
    return { ...input, bootstrap: bootstrapOf(input.endpoint, input.caPem, own.user) };
  }
  throw new Failure('Bug', `the checks passed, but a ${input.style} script got the credential of the other style`);
}

/** @param discovery Of cluster-info, which only kubeadm reads. */
export function withToken(
  input: DecidedInput,
  discovery: DiscoveryFact | undefined,
  token: BootstrapToken,
): ScriptInput {
  if (input.style === 'binary') return { ...input, bootstrap: tokenBootstrap(input.endpoint, input.caPem, token) };
  if (!discovery) throw new Failure('Bug', 'the checks passed, but cluster-info was not read');
  return { ...input, join: joinTarget(discovery, token) };
}
