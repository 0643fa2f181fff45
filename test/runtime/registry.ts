/** A registry with TLS: the pull half of the OCI distribution API, with one image under every name. */
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { blobs, digestOf, manifest } from './image.ts';

export interface Registry {
  readonly port: number;
  /** Paths with their queries, in the order in which they were asked. */
  readonly asked: readonly string[];
}

/** @param pem key and certificate */
export async function startRegistry(pem: string): Promise<Registry> {
  const asked: string[] = [];
  const server = createServer({ key: pem, cert: pem }, (request, response) => {
    asked.push(request.url ?? '');
    const { pathname } = new URL(request.url ?? '', 'https://registry');
    if (pathname === '/v2/') return void response.end('{}');
    const [, kind, name = ''] = /\/(manifests|blobs)\/([^/]+)$/.exec(pathname) ?? [];
    const blob = blobs.get(name) ?? (kind === 'manifests' ? manifest : undefined);
    if (!blob) return void response.writeHead(404).end();
    response.writeHead(200, {
      'Content-Type': blob.type,
      'Content-Length': blob.data.length,
      'Docker-Content-Digest': digestOf(blob.data),
    });
    response.end(request.method === 'HEAD' ? undefined : blob.data);
  });
  // A client that trusts another CA only hangs up.
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, asked };
}
