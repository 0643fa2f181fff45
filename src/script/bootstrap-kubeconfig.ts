/** The kubeconfig with which kubelet asks for its certificate (kubernetes.io, "TLS bootstrapping"). */
import { X509Certificate } from 'node:crypto';
import * as z from 'zod';
import { bundleIn, certificatesIn, isCertificate } from '../certificates.ts';
import type { BootstrapToken } from '../cluster/types.ts';
import { Failure } from '../errors.ts';
import { type ClusterEntry, kubeconfigShape, type UserEntry } from '../kubeconfig-shape.ts';
import type { Yaml } from '../yaml.ts';
import { parseServer } from './server.ts';
import type { Bootstrap } from './types.ts';

/** Whom it logs in. */
export type BootstrapUser =
  /** A bearer token, as it is sent. */
  | { readonly kind: 'token'; readonly token: string }
  /** PEM of a client certificate and of its key. */
  | { readonly kind: 'certificate'; readonly certificate: string; readonly key: string };

export interface OwnBootstrap {
  readonly user: BootstrapUser;
  /** `host:port`; undefined when the file names none. */
  readonly endpoint: string | undefined;
  /** PEM of its CAs; undefined when the file holds none. */
  readonly caPem: string | undefined;
  readonly expiry:
    | { readonly known: true /** RFC 3339; undefined for never. */; readonly at: string | undefined }
    /** Its Secret says it. */
    | { readonly known: false; readonly tokenId: string | undefined };
}

/** @param caPem PEM of one or more CAs. */
export function bootstrapOf(endpoint: string, caPem: string, user: BootstrapUser): Bootstrap {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const login =
    user.kind === 'token'
      ? [`token: ${JSON.stringify(user.token)}`]
      : [`client-certificate-data: ${base64(user.certificate)}`, `client-key-data: ${base64(user.key)}`];
  const kubeconfig = `apiVersion: v1
kind: Config
clusters:
- name: default
  cluster:
    server: https://${endpoint}
    certificate-authority-data: ${base64(caPem)}
users:
- name: kubelet-bootstrap
  user:
${login.map((line) => `    ${line}\n`).join('')}contexts:
- name: default
  context:
    cluster: default
    user: kubelet-bootstrap
current-context: default
`;
  return { kubeconfig, token: user.kind === 'token' ? user.token : '' };
}

export const tokenBootstrap = (endpoint: string, caPem: string, { id, secret }: BootstrapToken): Bootstrap =>
  bootstrapOf(endpoint, caPem, { kind: 'token', token: `${id}.${secret}` });

const refuse = (why: string): never => {
  throw new Failure('AnswerInvalid', `the file of --bootstrap-kubeconfig ${why}`);
};

/** @throws Failure AnswerInvalid; no message holds what stands in the file but names */
export function parseBootstrapKubeconfig(yaml: Yaml): OwnBootstrap {
  if ('wrongAt' in yaml)
    return refuse(yaml.wrongAt === undefined ? 'is no YAML' : `is no YAML at line ${yaml.wrongAt}`);
  const found = kubeconfigShape.safeParse(yaml.value);
  if (!found.success) {
    const at = found.error.issues[0]?.path.join('.');
    return refuse(`is no kubeconfig${at ? ` at ${at}` : ''}`);
  }
  const { clusters, users, contexts } = found.data;
  const context = found.data['current-context'] ?? refuse('has no current-context');
  const names = contexts.find(({ name }) => name === context)?.context ?? refuse(`has no context ${context}`);
  const user = users.find(({ name }) => name === names.user)?.user ?? refuse(`has no user for its context ${context}`);
  const cluster = clusters.find(({ name }) => name === names.cluster)?.cluster;
  const way = (['tls-server-name', 'proxy-url'] as const).find((name) => cluster?.[name] !== undefined);
  if (way) return refuse(`reaches its server by ${way}, and a node goes there by the address alone`);
  const login = userOf(user);
  return {
    user: login,
    endpoint: cluster?.server === undefined ? undefined : endpointOf(cluster.server),
    caPem: cluster && caOf(cluster),
    expiry: expiryOf(login),
  };
}

const endpointOf = (server: string): string =>
  parseServer(server)?.text ?? refuse('names a server that is not https://host:port');

function caOf(cluster: ClusterEntry): string | undefined {
  const data = cluster['certificate-authority-data'];
  const path = cluster['certificate-authority'];
  if (data === undefined) {
    if (path === undefined) return undefined;
    return refuse('names its CA as a file, and a node has only what is in it: use certificate-authority-data');
  }
  const bundle = bundleIn(Buffer.from(data, 'base64').toString('latin1'));
  return bundle ?? refuse('has certificate-authority-data that holds no certificate');
}

/** Ways to log in that a node could not follow, or that need a person. */
const elsewhere = [
  'client-certificate',
  'client-key',
  'tokenFile',
  'exec',
  'auth-provider',
  'username',
  'password',
  'as',
] as const;

function userOf(user: UserEntry): BootstrapUser {
  const other = elsewhere.find((name) => user[name] != null);
  if (other !== undefined) {
    return refuse(`logs in by ${other}, and a node can only use a token or a client certificate that stand in it`);
  }
  const { token, 'client-certificate-data': certificate, 'client-key-data': key } = user;
  if (token !== undefined) {
    if (!/^[\w.~+/=:-]+$/.test(token)) return refuse('has a token that could not be sent as one');
    return { kind: 'token', token };
  }
  if (certificate === undefined || key === undefined) {
    return refuse('holds neither a token nor a client certificate with its key');
  }
  const pem = (data: string) => Buffer.from(data, 'base64').toString('latin1');
  const [first] = certificatesIn(pem(certificate));
  if (first === undefined || !isCertificate(first)) return refuse('has client-certificate-data that is no certificate');
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem(key))) return refuse('has client-key-data that is no private key');
  return { kind: 'certificate', certificate: pem(certificate), key: pem(key) };
}

function expiryOf(user: BootstrapUser): OwnBootstrap['expiry'] {
  if (user.kind === 'certificate') {
    const { validTo } = new X509Certificate(user.certificate);
    return { known: true, at: new Date(validTo).toISOString() };
  }
  const [, tokenId] = /^([a-z0-9]{6})\.[a-z0-9]{16}$/.exec(user.token) ?? [];
  const claims = tokenId === undefined ? claimsOf(user.token) : undefined;
  if (!claims) return { known: false, tokenId };
  return { known: true, at: claims.exp === undefined ? undefined : new Date(claims.exp * 1000).toISOString() };
}

const jwtClaims = z.object({ exp: z.number().min(0).max(8e12).optional() });

/** Of a JWT, such as a ServiceAccount's; undefined for any other token. */
function claimsOf(token: string): z.output<typeof jwtClaims> | undefined {
  const [, payload] = /^[\w-]+\.([\w-]+)\.[\w-]+$/.exec(token) ?? [];
  if (payload === undefined) return undefined;
  try {
    return jwtClaims.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))).data;
  } catch {
    return undefined;
  }
}
