/** A container image of one empty layer, as a registry keeps it. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

export interface Blob {
  readonly type: string;
  readonly data: Buffer;
}

export const digestOf = (data: Buffer): string => `sha256:${createHash('sha256').update(data).digest('hex')}`;

const docker = 'application/vnd.docker.distribution.manifest.v2+json';
/** An empty tar archive is two blocks of zeros. */
const tar = Buffer.alloc(1024);

const layer: Blob = { type: 'application/vnd.docker.image.rootfs.diff.tar.gzip', data: gzipSync(tar) };
const config: Blob = {
  type: 'application/vnd.docker.container.image.v1+json',
  data: Buffer.from(
    JSON.stringify({
      architecture: process.arch === 'arm64' ? 'arm64' : 'amd64',
      os: 'linux',
      config: { Entrypoint: ['/pause'] },
      rootfs: { type: 'layers', diff_ids: [digestOf(tar)] },
    }),
  ),
};
const described = ({ type, data }: Blob) => ({ mediaType: type, size: data.length, digest: digestOf(data) });

export const manifest: Blob = {
  type: docker,
  data: Buffer.from(
    JSON.stringify({ schemaVersion: 2, mediaType: docker, config: described(config), layers: [described(layer)] }),
  ),
};

/** By digest. */
export const blobs: ReadonlyMap<string, Blob> = new Map(
  [layer, config, manifest].map((blob) => [digestOf(blob.data), blob]),
);
