import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Effect, Traffic } from './faults.ts';

/** A request that has been read to its end. */
export interface Request {
  readonly method: string;
  /** As it was sent: not decoded, without the query. */
  readonly path: string;
  /** Decoded names and values, in the order they came. */
  readonly query: ReadonlyMap<string, string>;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Set on a TLS connection: who the client says that it is. */
  readonly socket: TLSSocket | undefined;
}

/** What a handler answers: a value, so that a fault can be put between it and the client. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** For the record of requests; never sent. */
  readonly user?: string;
}

export type Handler = (request: Request) => Answer;

/** @param server Name in the record of requests. */
export function listen(server: string, handler: Handler, traffic: Traffic): RequestListener {
  return (message, response) => {
    readRequest(message)
      .then((request) => answer(server, request, response, handler, traffic))
      .catch(() => message.socket.destroy());
  };
}

function answer(server: string, request: Request, response: ServerResponse, handler: Handler, traffic: Traffic) {
  const effect = traffic.meet(request);
  if (effect === 'hang' || effect === 'reset') {
    traffic.record(server, request);
    if (effect === 'reset') response.destroy();
    return;
  }
  const given = typeof effect === 'object' ? effect : handler(request);
  traffic.record(server, request, given);
  if (effect === 'reset after') response.destroy();
  else send(response, given, effect);
}

function send(response: ServerResponse, given: Answer, effect: Effect | undefined): void {
  const body = Buffer.from(given.body ?? '');
  const length = given.headers?.['content-length'] ?? String(body.length);
  response.writeHead(given.status, { ...given.headers, 'content-length': length });
  if (effect === 'truncate') {
    response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy());
    return;
  }
  response.end(body);
}

async function readRequest(message: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const [path = '/', query = ''] = (message.url ?? '/').split(/\?(.*)/s);
  return {
    method: message.method ?? 'GET',
    path,
    query: new Map(query.split('&').flatMap(parameter)),
    headers: message.headers,
    body: Buffer.concat(chunks),
    socket: 'encrypted' in message.socket ? (message.socket as TLSSocket) : undefined,
  };
}

function parameter(text: string): readonly (readonly [string, string])[] {
  const [name = '', value = ''] = text.split(/=(.*)/s);
  return name === '' ? [] : [[decoded(name), decoded(value.replaceAll('+', '%20'))]];
}

/** Percent-decoding that leaves alone what is not encoded as it should be. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
