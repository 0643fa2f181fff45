import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { gateway } from './machine.ts';

const hosts = gateway.replace(/\d+$/, '');

/** A server on this machine that hosts reach at the gateway's address. */
export interface Served {
  /** `http://198.51.100.1:PORT` */
  readonly url: string;
  close(): void;
}

/** A plain web server with a script. */
export const whole =
  (text: string): RequestListener =>
  (_, response) =>
    response.end(text);

/** As OSS refuses a reader: 403 and XML. */
export const refusal: RequestListener = (_, response) => {
  response.writeHead(403, { 'Content-Type': 'application/xml' });
  response.end('<?xml version="1.0" encoding="UTF-8"?>\n<Error>\n  <Code>AccessDenied</Code>\n</Error>\n');
};

/** Breaks the connection after so many bytes of the text. */
export const half =
  (text: string, bytes: number): RequestListener =>
  (_, response) => {
    response.writeHead(200, { 'Content-Length': Buffer.byteLength(text) });
    response.write(text.slice(0, bytes), () => response.destroy());
  };

export const serve = (listener: RequestListener): Promise<Served> => listen(createHttpServer(listener));

/** Makes a server that listens on this machine's loopback reachable for hosts. */
export function relay(port: number): Promise<Served> {
  const forward = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    client.pipe(upstream).pipe(client);
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
  });
  return listen(forward);
}

async function listen(server: Server): Promise<Served> {
  // The gateway's address comes with the first host only, so it cannot be listened on before; others are turned away.
  server.on('connection', (socket) => {
    if (!socket.remoteAddress?.startsWith(hosts)) socket.destroy();
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '0.0.0.0', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://${gateway}:${port}`, close: () => void server.close() };
}
