/** Objects written and removed. */
import { Failure } from '../../errors.ts';
import type { Store } from '../store.ts';
import type { Acl } from '../types.ts';

export interface PutOptions {
  /** User metadata: name → value. */
  readonly metadata: Readonly<Record<string, string>>;
  /** False: an object of this key that holds something else is left alone (on a bucket without versioning). */
  readonly overwrite: boolean;
  /** Undefined: the bucket's. */
  readonly acl?: Acl;
}

/**
 * Storage class Standard and AES256, whatever the bucket's defaults: an anonymous node can read neither an archived object
 * nor one under a KMS key.
 * @throws Failure ObjectExists, PublicAccessBlocked, and the others of OSS
 */
export async function putObject(store: Store, key: string, body: Buffer, options: PutOptions): Promise<void> {
  const headers = {
    'Content-Type': 'text/x-shellscript; charset=utf-8',
    'x-oss-storage-class': 'Standard',
    'x-oss-server-side-encryption': 'AES256',
    ...(options.overwrite ? {} : { 'x-oss-forbid-overwrite': 'true' }),
    ...(options.acl === undefined ? {} : { 'x-oss-object-acl': options.acl }),
    ...metadataHeaders(options.metadata),
  };
  try {
    await store.call('PutObject', (client) => client.put(key, body, { headers }), { key });
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'ObjectExists') throw error;
    // A retry after a lost answer meets what the first attempt wrote.
    const present = await store.get(key);
    if (!present?.equals(body)) throw error;
  }
}

function metadataHeaders(metadata: PutOptions['metadata']): Record<string, string> {
  return Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`x-oss-meta-${name}`, headerText(value)]));
}

/** A header holds printable ASCII. */
const headerText = (value: string): string => (/^[\x20-\x7e]*$/.test(value) ? value : encodeURIComponent(value));

/** @param acl `default`: the bucket's */
export async function setAcl(store: Store, key: string, acl: Acl | 'default'): Promise<void> {
  await store.call('PutObjectAcl', (client) => client.putACL(key, acl as Acl), { key });
}

/** No failure when there is none. */
export async function deleteObject(store: Store, key: string): Promise<void> {
  await store.call('DeleteObject', (client) => client.delete(key), { key, absent: 'NoSuchKey' });
}
