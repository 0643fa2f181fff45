/** Which bucket and object a request means, and which region's endpoint it was sent to. */
import { decoded, type Request } from '../http.ts';

export interface Address {
  /** Undefined: the service itself. */
  readonly bucket: string | undefined;
  /** Empty: the bucket itself. */
  readonly key: string;
  /** Of the endpoint; undefined on a loopback address, which stands for every region. */
  readonly region: string | undefined;
}

export function addressOf({ headers: { host = '' }, path }: Request): Address {
  const [, name, region] =
    /^(?:([a-z0-9-]*)\.)?oss-([a-z0-9-]+?)(?:-internal)?\.aliyuncs\.com(?::\d+)?$/.exec(host) ?? [];
  const segments = path.slice(1);
  const inPath = pathStyle(segments);
  // ali-oss puts the bucket into both where the endpoint is an IP address and the bucket belongs in the path.
  if (!name || name === inPath.bucket) return { ...inPath, region };
  return { bucket: name, key: decoded(segments), region };
}

function pathStyle(segments: string) {
  const [bucket = '', key = ''] = segments.split(/\/(.*)/s);
  return { bucket: bucket === '' ? undefined : bucket, key: decoded(key) };
}
