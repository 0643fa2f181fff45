/** Bootstrap tokens written by hand, independent of the program under test. */
import { createHmac, randomBytes } from 'node:crypto';
import { bearer, type Connection, call } from './raw-api.ts';

const secrets = '/api/v1/namespaces/kube-system/secrets';

export interface Token {
  readonly id: string;
  readonly secret: string;
}

/** A token that no other test uses. */
export function draw(): Token {
  const hex = randomBytes(11).toString('hex');
  return { id: hex.slice(0, 6), secret: hex.slice(6) };
}

/** Creates its Secret as kubeadm does, but for `data`, where an undefined value leaves a key out. */
export async function createToken(
  admin: Connection,
  { id, secret }: Token,
  data: Record<string, string | undefined> = {},
): Promise<void> {
  const answer = await call(admin, 'POST', secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `bootstrap-token-${id}` },
    type: 'bootstrap.kubernetes.io/token',
    stringData: {
      'token-id': id,
      'token-secret': secret,
      'usage-bootstrap-authentication': 'true',
      'usage-bootstrap-signing': 'true',
      'auth-extra-groups': 'system:bootstrappers:kubeadm:default-node-token',
      ...data,
    },
  });
  if (answer.status !== 201) throw new Error(`the token was not created: ${JSON.stringify(answer.body)}`);
}

export async function removeToken(admin: Connection, { id }: Token): Promise<void> {
  await call(admin, 'DELETE', `${secrets}/bootstrap-token-${id}`);
}

/** The same server, asked by who holds the token. */
export const presenting = (admin: Connection, { id, secret }: Token): Connection => bearer(admin, `${id}.${secret}`);

/** The signature in cluster-info: a detached JWS (RFC 7515, appendix F), HS256 with the token's second half. */
export function signature(kubeconfig: string, { id, secret }: Token): string {
  const encode = (text: string) => Buffer.from(text).toString('base64url');
  const header = encode(JSON.stringify({ alg: 'HS256', kid: id }));
  const mac = createHmac('sha256', secret)
    .update(`${header}.${encode(kubeconfig)}`)
    .digest('base64url');
  return `${header}..${mac}`;
}
