/**
 * The certificates of a sandbox cluster. What they say is what kubeadm puts into its own
 * (kubernetes cmd/kubeadm/app/phases/certs/certlist.go).
 */
import 'reflect-metadata';
import { createPrivateKey, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

/** A certificate and its private key, both PEM. */
export interface Pair {
  readonly cert: string;
  readonly key: string;
}

export type Algorithm = 'EC' | 'RSA';

const algorithms = {
  EC: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  RSA: { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
} as const;
const years = 10;

export async function createAuthority(algorithm: Algorithm): Promise<Pair> {
  const keys = await generateKeys(algorithm);
  const cert = await x509.X509CertificateGenerator.createSelfSigned(
    {
      ...common('CN=kubernetes'),
      keys,
      signingAlgorithm: algorithms[algorithm],
      extensions: [
        new x509.BasicConstraintsExtension(true, undefined, true),
        new x509.KeyUsagesExtension(
          x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyEncipherment | x509.KeyUsageFlags.keyCertSign,
          true,
        ),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey, false, webcrypto),
      ],
    },
    webcrypto,
  );
  return pair(cert, keys);
}

/** @param addresses IP addresses that clients reach the API server by. */
export function createServer(authority: Pair, addresses: readonly string[]): Promise<Pair> {
  const names = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'localhost'];
  return issue(authority, 'CN=kube-apiserver', x509.ExtendedKeyUsage.serverAuth, [
    new x509.SubjectAlternativeNameExtension([
      ...names.map((value) => ({ type: 'dns', value }) as const),
      ...addresses.map((value) => ({ type: 'ip', value }) as const),
    ]),
  ]);
}

/** The API server takes the common name for the user's name, and each organization for a group. */
export function createClient(authority: Pair, user: string, groups: readonly string[]): Promise<Pair> {
  const subject = [...groups.map((group) => `O=${group}`), `CN=${user}`].join(',');
  return issue(authority, subject, x509.ExtendedKeyUsage.clientAuth, []);
}

async function issue(authority: Pair, subject: string, usage: string, more: x509.Extension[]): Promise<Pair> {
  const keys = await generateKeys('EC');
  const signer = await importKey(authority.key);
  const cert = await x509.X509CertificateGenerator.create(
    {
      ...common(subject),
      issuer: 'CN=kubernetes',
      publicKey: keys.publicKey,
      signingKey: signer.key,
      signingAlgorithm: signer.algorithm,
      extensions: [
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([usage]),
        await x509.AuthorityKeyIdentifierExtension.create(new x509.X509Certificate(authority.cert), false, webcrypto),
        ...more,
      ],
    },
    webcrypto,
  );
  return pair(cert, keys);
}

function common(name: string) {
  const now = Date.now();
  return {
    serialNumber: Buffer.from(webcrypto.getRandomValues(new Uint8Array(8))).toString('hex'),
    name,
    subject: name,
    notBefore: new Date(now - 3_600_000),
    notAfter: new Date(now + years * 365 * 86_400_000),
  };
}

function generateKeys(algorithm: Algorithm): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithms[algorithm], true, [
    'sign',
    'verify',
  ]) as Promise<webcrypto.CryptoKeyPair>;
}

async function importKey(pem: string) {
  const key = createPrivateKey(pem);
  const algorithm = algorithms[key.asymmetricKeyType === 'rsa' ? 'RSA' : 'EC'];
  const der = key.export({ type: 'pkcs8', format: 'der' });
  return { algorithm, key: await webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']) };
}

async function pair(cert: x509.X509Certificate, keys: webcrypto.CryptoKeyPair): Promise<Pair> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return { cert: `${cert.toString('pem')}\n`, key: key.export({ type: 'pkcs8', format: 'pem' }).toString() };
}
