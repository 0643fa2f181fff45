/**
 * An HTTP proxy on the loopback that knows only CONNECT, so that an address no
 * test machine has (192.0.2.10, RFC 5737) leads to a server on 127.0.0.1.
 */
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface ConnectProxy {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  close(): Promise<void>;
}

/** @param routes `host:port` as clients ask for it → port on 127.0.0.1; anything else is refused with 502. */
export async function startConnectProxy(routes: Readonly<Record<string, number>>): Promise<ConnectProxy> {
  const open = new Set<Socket>();
  const track = (socket: Socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => socket.destroy());
    return socket;
  };
  const server = createServer((_request, response) => response.writeHead(405).end());
  server.on('connection', track);
  server.on('connect', (request, client: Socket, head: Buffer) => {
    const port = routes[request.url ?? ''];
    if (port === undefined) {
      client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      return;
    }
    const upstream = track(connect(port, '127.0.0.1'));
    upstream.on('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
