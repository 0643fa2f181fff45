/** What kubelet does with a bootstrap kubeconfig (kubernetes pkg/kubelet/certificate/bootstrap), by hand. */
import 'reflect-metadata';
import { createPrivateKey, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { parse } from 'yaml';
import { type Connection, call, type KubernetesObject } from '../support/raw-api.ts';

const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** The connection that a bootstrap kubeconfig describes, by the test's own proxy. */
export function bootstrapConnection(kubeconfig: string, proxyUrl: string): Connection {
  const { clusters, users } = parse(kubeconfig) as {
    clusters: [{ cluster: Record<string, string> }];
    users: [{ user: Record<string, string> }];
  };
  const decoded = (base64: string | undefined) => Buffer.from(base64 ?? '', 'base64').toString();
  const { server = '', 'certificate-authority-data': ca } = clusters[0].cluster;
  const { token, 'client-certificate-data': cert, 'client-key-data': key } = users[0].user;
  return {
    server,
    proxyUrl,
    ca: decoded(ca),
    ...(token !== undefined && { token }),
    ...(cert !== undefined && { cert: decoded(cert), key: decoded(key) }),
  };
}

export interface Requested {
  /** Name of the request. */
  readonly name: string;
  /** PEM of the key that it is for. */
  readonly key: string;
}

/** Asks as `who` for the client certificate of node `nodeName`. */
export async function requestCertificate(who: Connection, nodeName: string): Promise<Requested> {
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const csr = await x509.Pkcs10CertificateRequestGenerator.create(
    { name: `O=system:nodes, CN=system:node:${nodeName}`, keys, signingAlgorithm: algorithm },
    webcrypto,
  );
  const spec = {
    request: Buffer.from(csr.toString('pem')).toString('base64'),
    signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
    usages: ['digital signature', 'client auth'],
  };
  const { status, body } = await call(who, 'POST', requests, { metadata: { generateName: 'csr-' }, spec });
  if (status !== 201) throw new Error(`the request was refused: ${status} ${JSON.stringify(body)}`);
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({ type: 'pkcs8', format: 'pem' });
  return { name: (body as KubernetesObject).metadata.name, key: key.toString() };
}

/** @returns the connection with the certificate; undefined while nobody has approved and signed it */
export async function signedCertificate(who: Connection, { name, key }: Requested): Promise<Connection | undefined> {
  const { body } = await call(who, 'GET', `${requests}/${name}`);
  const { certificate } = (body as { status?: { certificate?: string } }).status ?? {};
  if (certificate === undefined) return undefined;
  const { server, proxyUrl, ca } = who;
  return { server, proxyUrl, ca, cert: Buffer.from(certificate, 'base64').toString(), key };
}
