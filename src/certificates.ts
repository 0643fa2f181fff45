/** CA certificates in a text, as a bundle holds them. */
import { X509Certificate } from 'node:crypto';

/** @returns the PEM texts in their order; empty when there is none. Whether each can be read is not looked at. */
export const certificatesIn = (text: string): readonly string[] =>
  text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];

export function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

/** One certificate after the other, each ending with a newline. */
export const bundleOf = (certificates: readonly string[]): string => certificates.map((pem) => `${pem}\n`).join('');

/** @returns the certificates of a text as a bundle; undefined when there is none, or one that cannot be read */
export function bundleIn(text: string): string | undefined {
  const certificates = certificatesIn(text);
  return certificates.length > 0 && certificates.every(isCertificate) ? bundleOf(certificates) : undefined;
}

/** @returns the first that has expired, counted from 1, and the end of its life; undefined when none has */
export function expiredIn(text: string, now: Date): { readonly number: number; readonly ended: Date } | undefined {
  const ends = certificatesIn(text).map((pem) =>
    isCertificate(pem) ? new Date(new X509Certificate(pem).validTo) : now,
  );
  const at = ends.findIndex((end) => end < now);
  return at < 0 ? undefined : { number: at + 1, ended: ends[at]! };
}
