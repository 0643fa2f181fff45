/**
 * An HTTP proxy that knows only CONNECT, so that the documentation addresses of the sandbox's clusters lead to servers
 * in this process. It never connects to anything else.
 */
import { createServer, type Server } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';

/** @param routes `192.0.2.10:6443` → the server that answers there. */
export function createProxy(routes: ReadonlyMap<string, TlsServer>): Server {
  const proxy = createServer((_request, response) => response.writeHead(405).end());
  proxy.on('connect', (request, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const server = routes.get(request.url ?? '');
    if (!server) {
      socket.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) socket.unshift(head);
    server.emit('connection', socket);
  });
  return proxy;
}
