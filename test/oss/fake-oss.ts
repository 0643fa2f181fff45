/** An HTTP server that answers what a test tells it to, in order, and keeps what it was asked. It checks no signature. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Credentials } from '../../src/oss/credentials.ts';
import { openStore, type Store } from '../../src/oss/store.ts';
import type { Target } from '../../src/oss/types.ts';

export interface Asked {
  readonly method: string;
  /** Path and query as they came. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A status with a body and headers, or whatever the function does with the response. */
export type Reply =
  | {
      readonly status: number;
      readonly body?: string | Buffer;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | ((response: ServerResponse, socket: Socket) => void);

export interface FakeOss {
  readonly port: number;
  readonly url: string;
  readonly asked: readonly Asked[];
  /** Replies for the next requests; the last one stands for all that follow. */
  answer(...replies: readonly Reply[]): void;
  target(overrides?: Partial<Target>): Target;
  store(overrides?: { readonly mayWrite?: boolean; readonly timeoutMs?: number; readonly signal?: AbortSignal }): Store;
  close(): Promise<void>;
}

export const credentials: Credentials = {
  accessKeyId: 'LTAI-test-id',
  accessKeySecret: 'test-secret-key',
  securityToken: undefined,
  expiration: undefined,
  source: 'test',
};

export async function startFakeOss(): Promise<FakeOss> {
  const asked: Asked[] = [];
  let replies: readonly Reply[] = [{ status: 200 }];
  let next = 0;
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      asked.push({
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks),
      });
      const reply = replies[Math.min(next++, replies.length - 1)]!;
      if (typeof reply === 'function') reply(response, request.socket);
      else response.writeHead(reply.status, { 'content-type': 'application/xml', ...reply.headers }).end(reply.body);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const target = (overrides: Partial<Target> = {}): Target => ({
    bucket: 'example-bucket',
    region: 'cn-hangzhou',
    endpoint: url,
    nodeBaseUrl: 'https://example-bucket.oss-cn-hangzhou-internal.aliyuncs.com',
    addressing: 'path',
    ...overrides,
  });
  return {
    port,
    url,
    asked,
    answer: (...given) => {
      replies = given;
      next = 0;
      asked.length = 0;
    },
    target,
    store: (overrides = {}) => openStore(target(), credentials, { timeoutMs: 2_000, mayWrite: true, ...overrides }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** OSS's error document. */
export const ossError = (
  status: number,
  code: string,
  message = '',
  more: Readonly<Record<string, string>> = {},
): Reply => ({
  status,
  body: [
    '<?xml version="1.0" encoding="UTF-8"?>\n<Error>',
    `<Code>${code}</Code><Message>${message}</Message><RequestId>5C3D9175B6FC201293AD0001</RequestId>`,
    '<HostId>example-bucket.oss-cn-hangzhou.aliyuncs.com</HostId>',
    ...Object.entries(more).map(([name, value]) => `<${name}>${value}</${name}>`),
    '</Error>',
  ].join(''),
});

/** Cuts the connection without a word. */
export const reset: Reply = (_response, socket) => socket.destroy();

/** Never answers. */
export const silence: Reply = () => {};
