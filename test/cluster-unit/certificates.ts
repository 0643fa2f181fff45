/** Certificates of the fake API, made anew for every test file. */
import 'reflect-metadata';
import { createPrivateKey, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

/** PEM texts. */
export interface Pair {
  readonly cert: string;
  readonly key: string;
}

export interface Authority extends Pair {
  /** Names are DNS names or addresses; `hours` from now is where it ends. */
  issue(names: readonly string[], hours?: number): Promise<Pair>;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

export async function createAuthority(name: string): Promise<Authority> {
  const keys = await newKeys();
  const subject = `CN=${name}`;
  const cert = await x509.X509CertificateGenerator.createSelfSigned(
    {
      ...period(24),
      name: subject,
      keys,
      signingAlgorithm: algorithm,
      extensions: [
        new x509.BasicConstraintsExtension(true, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      ],
    },
    webcrypto,
  );
  const issue = async (names: readonly string[], hours = 24) => {
    const own = await newKeys();
    const alternatives = names.map((value) => ({ type: /^[\d.]+$/.test(value) ? 'ip' : 'dns', value }) as const);
    const issued = await x509.X509CertificateGenerator.create(
      {
        ...period(hours),
        subject: `CN=${names[0]}`,
        issuer: subject,
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: algorithm,
        extensions: [new x509.SubjectAlternativeNameExtension([...alternatives])],
      },
      webcrypto,
    );
    return pem(issued, own);
  };
  return { ...(await pem(cert, keys)), issue };
}

/** From a week ago on. */
const period = (hours: number) => ({
  serialNumber: Buffer.from(webcrypto.getRandomValues(new Uint8Array(8))).toString('hex'),
  notBefore: new Date(Date.now() - 7 * 86_400_000),
  notAfter: new Date(Date.now() + hours * 3_600_000),
});

const newKeys = () =>
  webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']) as Promise<webcrypto.CryptoKeyPair>;

async function pem(cert: x509.X509Certificate, keys: webcrypto.CryptoKeyPair): Promise<Pair> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return { cert: cert.toString('pem'), key: key.export({ type: 'pkcs8', format: 'pem' }).toString() };
}
