/**
 * Bootstrap tokens: the authenticator (kubernetes plugin/pkg/auth/authenticator/token/bootstrap), and the controllers
 * bootstrapsigner and tokencleaner (kubernetes pkg/controller/bootstrap).
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { KubeObject, Objects } from './objects.ts';
import { configMaps, secrets } from './resources.ts';

const prefix = 'bootstrap-token-';
const signaturePrefix = 'jws-kubeconfig-';
const groupName = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

/** @returns undefined for a token that the API server would answer 401. */
export function findToken(objects: Objects, bearer: string, now: Date) {
  const [, id = '', given = ''] = /^([a-z0-9]{6})\.([a-z0-9]{16})$/.exec(bearer) ?? [];
  const secret = objects.find(secrets, 'kube-system', `${prefix}${id}`);
  if (!secret || !isToken(secret) || expired(secret, now)) return undefined;
  const groups = extraGroups(secret);
  const valid =
    equal(value(secret, 'token-secret'), given) &&
    value(secret, 'token-id') === id &&
    value(secret, 'usage-bootstrap-authentication') === 'true' &&
    groups.every((group) => groupName.test(group));
  return valid ? { id, groups: [...new Set(['system:bootstrappers', ...groups])].sort() } : undefined;
}

/** Signs cluster-info for every token that may sign, and takes away the signatures of all others. */
export function signClusterInfo(objects: Objects, now: Date): void {
  const clusterInfo = objects.find(configMaps, 'kube-public', 'cluster-info');
  const data = (clusterInfo?.data ?? {}) as Readonly<Record<string, string>>;
  const content = data.kubeconfig;
  if (!clusterInfo || content === undefined) return;
  const unsigned = Object.entries(data).filter(([key]) => !key.startsWith(signaturePrefix));
  const signatures = objects
    .list(secrets, 'kube-system')
    .filter((secret) => isToken(secret) && maySign(secret, now))
    .map((secret) => [
      `${signaturePrefix}${value(secret, 'token-id')}`,
      detachedSignature(content, value(secret, 'token-id'), value(secret, 'token-secret')),
    ]);
  objects.replace(configMaps, { ...clusterInfo, data: Object.fromEntries([...unsigned, ...signatures]) });
}

/** Deletes the tokens that have expired. */
export function cleanTokens(objects: Objects, now: Date): void {
  for (const secret of objects.list(secrets)) {
    if (isToken(secret) && expired(secret, now)) {
      objects.delete(secrets, secret.metadata.namespace, secret.metadata.name);
    }
  }
}

/** A JWS whose payload is left out; kubeadm makes the same and compares (k8s.io/cluster-bootstrap/token/jws). */
function detachedSignature(content: string, id: string, secret: string): string {
  const header = Buffer.from(JSON.stringify({ alg: 'HS256', kid: id })).toString('base64url');
  const payload = Buffer.from(content).toString('base64url');
  const signature = createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url');
  return `${header}..${signature}`;
}

const isToken = (secret: KubeObject) => secret.type === 'bootstrap.kubernetes.io/token';

function maySign(secret: KubeObject, now: Date): boolean {
  const id = value(secret, 'token-id');
  return (
    /^[a-z0-9]{6}$/.test(id) &&
    secret.metadata.name === `${prefix}${id}` &&
    value(secret, 'token-secret') !== '' &&
    value(secret, 'usage-bootstrap-signing') === 'true' &&
    !expired(secret, now)
  );
}

/** A time that is none counts as past (k8s.io/cluster-bootstrap/util/secrets). */
function expired(secret: KubeObject, now: Date): boolean {
  const text = value(secret, 'expiration');
  if (text === '') return false;
  const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
  return !rfc3339.test(text) || !(Date.parse(text) > now.getTime());
}

function extraGroups(secret: KubeObject): readonly string[] {
  const text = value(secret, 'auth-extra-groups');
  return text === '' ? [] : text.split(',');
}

function value(secret: KubeObject, key: string): string {
  const data = (secret.data ?? {}) as Readonly<Record<string, string>>;
  return Buffer.from(data[key] ?? '', 'base64').toString('utf8');
}

function equal(a: string, b: string): boolean {
  const [one, two] = [Buffer.from(a), Buffer.from(b)];
  return one.length === two.length && timingSafeEqual(one, two);
}
