/** Bootstrap tokens as kubeadm makes and reads them (kubernetes cmd/kubeadm/app/apis/bootstraptoken/v1/utils.go). */
import { randomInt } from 'node:crypto';
import type { V1Secret } from '@kubernetes/client-node';
import { Failure, type FailureCode } from '../errors.ts';
import type { ScriptInput } from '../script/types.ts';
import { ourLabels, unlessMissing } from './config-map.ts';
import type { Cluster, ClusterClient } from './connect.ts';
import { clusterInfoSource, readClusterInfo, signedFor } from './discovery.ts';
import type { BootstrapToken } from './types.ts';
import { wait } from './wait.ts';

export { proveBootstrapToken, proveToken } from './token-proof.ts';

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
const draw = (length: number): string => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** From the operating system's random source. */
export const drawToken = (): BootstrapToken => ({ id: draw(6), secret: draw(16) });

export const tokenSecretName = (id: string): string => `bootstrap-token-${id}`;
const secretType = 'bootstrap.kubernetes.io/token';
/** Where there is no cluster-info, there is nothing to sign. */
const usages: Readonly<Record<ScriptInput['style'], readonly string[]>> = {
  kubeadm: ['usage-bootstrap-authentication', 'usage-bootstrap-signing'],
  binary: ['usage-bootstrap-authentication'],
};

export interface TokenTerms {
  readonly style: ScriptInput['style'];
  /** 0: never expires, so the Secret has no expiration at all (cases.md E1). */
  readonly ttlSeconds: number;
  readonly groups: readonly string[];
  readonly now: Date;
}

/** The Secret that `kubeadm token create` would make, with our label. */
export function tokenSecret(token: BootstrapToken, { style, ttlSeconds, groups, now }: TokenTerms): V1Secret {
  const values = {
    'token-id': token.id,
    'token-secret': token.secret,
    description: 'In the bootstrap script that ackone-join published.',
    ...Object.fromEntries(usages[style].map((usage) => [usage, 'true'])),
    'auth-extra-groups': groups.join(','),
    ...(ttlSeconds > 0 && { expiration: rfc3339(new Date(now.getTime() + ttlSeconds * 1000)) }),
  };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: tokenSecretName(token.id), namespace: 'kube-system', labels: { ...ourLabels } },
    type: secretType,
    data: Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
    ),
  };
}

/** UTC to the second, as Go's time.RFC3339 writes it. */
const rfc3339 = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`;

export interface FoundToken {
  readonly token: BootstrapToken;
  /** As it stands there; undefined: never expires. */
  readonly expiration: string | undefined;
  readonly groups: readonly string[];
  /** Whether the API server takes it now, and for kubeadm the signer as well. */
  readonly usable: boolean;
}

/** @param style What it is to be used by. @returns undefined when there is no such Secret */
export async function readToken(
  client: Pick<ClusterClient, 'core'>,
  id: string,
  style: ScriptInput['style'] = 'kubeadm',
  now: Date = new Date(),
): Promise<FoundToken | undefined> {
  const request = client.core.readNamespacedSecret({ namespace: 'kube-system', name: tokenSecretName(id) });
  const secret = await unlessMissing(request);
  return secret && foundToken(id, secret, style, now);
}

/** By the rules of the authenticator and of the signer (cluster-bootstrap util/secrets, plugin token/bootstrap). */
function foundToken(id: string, secret: V1Secret, style: ScriptInput['style'], now: Date): FoundToken {
  const text = (key: string) => Buffer.from(secret.data?.[key] ?? '', 'base64').toString('utf8');
  const token = { id: text('token-id'), secret: text('token-secret') };
  const expiration = text('expiration') || undefined;
  const groups = text('auth-extra-groups')
    .split(',')
    .filter((group) => group !== '');
  const usable =
    secret.type === secretType &&
    secret.metadata?.deletionTimestamp === undefined &&
    token.id === id &&
    /^[a-z0-9]{16}$/.test(token.secret) &&
    usages[style].every((usage) => text(usage) === 'true') &&
    groups.every((group) => /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/.test(group)) &&
    !expired(expiration, now);
  return { token, expiration, groups, usable };
}

/** What does not parse counts as expired. */
function expired(expiration: string | undefined, now: Date): boolean {
  if (expiration === undefined) return false;
  const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
  const time = form.test(expiration) ? Date.parse(expiration) : Number.NaN;
  return Number.isNaN(time) || time <= now.getTime();
}

/** A hiccup while waiting is no verdict. */
const passing: readonly FailureCode[] = ['ClusterBusy', 'ClusterServerError', 'ClusterTimeout', 'ClusterUnreachable'];
const firstPauseMs = 200;
const longestPauseMs = 2000;

/**
 * Waits until the bootstrapsigner has signed cluster-info for the token (cases.md E2).
 * @throws Failure TokenNotSigned at the end of the time, or what the last request failed with
 */
export async function awaitSignature(
  cluster: Cluster,
  id: string,
  { timeoutMs }: { timeoutMs: number },
): Promise<void> {
  const end = Date.now() + timeoutMs;
  let pause = firstPauseMs;
  for (;;) {
    const outcome = await isSigned(cluster, id).catch((error: unknown) => {
      if (error instanceof Failure && passing.includes(error.code)) return error;
      throw error;
    });
    if (outcome === true) return;
    if (Date.now() + pause > end) {
      if (outcome !== false) throw outcome;
      const what = `${clusterInfoSource} has no signature for token ${id} after ${timeoutMs / 1000} s`;
      throw new Failure('TokenNotSigned', what);
    }
    await wait(pause, cluster.signal);
    pause = Math.min(pause * 2, longestPauseMs);
  }
}

async function isSigned(cluster: Cluster, id: string): Promise<boolean> {
  const found = await readClusterInfo(cluster);
  return found !== undefined && signedFor(found).includes(id);
}
