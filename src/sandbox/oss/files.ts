/** The objects of all buckets, on disk: for each one its bytes, and beside them what is known of it. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Acl } from '../../oss/types.ts';

export interface ObjectInfo {
  readonly key: string;
  /** What comes back with a GET: Content-Type, x-oss-meta-…, x-oss-server-side-encryption, … */
  readonly headers: Readonly<Record<string, string>>;
  /** `default`: as the bucket's. */
  readonly acl: Acl | 'default';
  readonly size: number;
  /** MD5, upper-case hex. */
  readonly etag: string;
  /** ISO 8601 */
  readonly lastModified: string;
}

export class ObjectFiles {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  info(bucket: string, key: string): ObjectInfo | undefined {
    const file = this.#file(bucket, key, 'json');
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ObjectInfo) : undefined;
  }

  body(bucket: string, key: string): Buffer {
    return readFileSync(this.#file(bucket, key, 'body'));
  }

  put(bucket: string, given: Pick<ObjectInfo, 'key' | 'headers' | 'acl'>, body: Buffer): ObjectInfo {
    const etag = createHash('md5').update(body).digest('hex').toUpperCase();
    const info = { ...given, size: body.length, etag, lastModified: new Date().toISOString() };
    mkdirSync(join(this.#dir, bucket), { recursive: true, mode: 0o700 });
    replaceFile(this.#file(bucket, given.key, 'body'), body);
    replaceFile(this.#file(bucket, given.key, 'json'), JSON.stringify(info, null, 2));
    return info;
  }

  setAcl(bucket: string, info: ObjectInfo, acl: ObjectInfo['acl']): void {
    replaceFile(this.#file(bucket, info.key, 'json'), JSON.stringify({ ...info, acl }, null, 2));
  }

  delete(bucket: string, key: string): void {
    rmSync(this.#file(bucket, key, 'json'), { force: true });
    rmSync(this.#file(bucket, key, 'body'), { force: true });
  }

  /** Sorted by key. */
  list(bucket: string): readonly ObjectInfo[] {
    const folder = join(this.#dir, bucket);
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as ObjectInfo)
      .sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** A key may be longer than a file name, and hold anything: it stands in the file, not in its name. */
  #file(bucket: string, key: string, kind: 'body' | 'json'): string {
    return join(this.#dir, bucket, `${createHash('sha256').update(key).digest('hex')}.${kind}`);
  }
}

/** Whoever reads it sees the old content or the new one, never a part. */
export function replaceFile(file: string, content: string | Buffer): void {
  const next = `${file}.next`;
  writeFileSync(next, content, { mode: 0o600 });
  renameSync(next, file);
}
