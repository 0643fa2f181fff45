/** What a URL says of itself that is signed with V4 (help.aliyun.com, OSS "Include a V4 signature in a URL"). Pure. */

export interface SignedUntil {
  /** RFC 3339: when it stops working. */
  readonly expires: string;
  /** Signed with temporary credentials: it dies with them, maybe before `expires`. */
  readonly temporary: boolean;
}

/** @returns undefined for a URL that is not signed with V4 */
export function signedUntil(url: string): SignedUntil | undefined {
  const { searchParams: query } = new URL(url);
  const [, day, time] = /^(\d{8})T(\d{6})Z$/.exec(query.get('x-oss-date') ?? '') ?? [];
  const seconds = Number(query.get('x-oss-expires') ?? Number.NaN);
  if (day === undefined || time === undefined || !Number.isFinite(seconds)) return undefined;
  const began = Date.parse(`${day.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`);
  if (Number.isNaN(began)) return undefined;
  return {
    expires: new Date(began + seconds * 1000).toISOString(),
    temporary: query.has('x-oss-security-token'),
  };
}
