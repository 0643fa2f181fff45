/** PullImage of the Container Runtime Interface, as kubelet calls it: gRPC over a socket. */
import { connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2';
import { connect } from 'node:net';

/** A field of protobuf: number, length, bytes; all that is sent here is shorter than 128 bytes. */
const field = (number: number, data: Buffer) => Buffer.concat([Buffer.from([(number << 3) | 2, data.length]), data]);

/**
 * Has an image pulled.
 * @returns what the runtime says of a failure; undefined when it has pulled it
 */
export function pullImage(socket: string, image: string): Promise<string | undefined> {
  // PullImageRequest.image is field 1, and so is ImageSpec.image (k8s.io/cri-api, runtime/v1/api.proto).
  const message = field(1, field(1, Buffer.from(image)));
  const frame = Buffer.alloc(5);
  frame.writeUInt32BE(message.length, 1);
  return new Promise((resolve, reject) => {
    const session = connectHttp2('http://localhost', { createConnection: () => connect(socket) });
    session.on('error', reject);
    const call = session.request({
      ':method': 'POST',
      ':path': '/runtime.v1.ImageService/PullImage',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    const end = (headers: IncomingHttpHeaders) => {
      if (headers['grpc-status'] === undefined) return;
      session.close();
      const said = decodeURIComponent(String(headers['grpc-message'] ?? `status ${headers['grpc-status']}`));
      resolve(headers['grpc-status'] === '0' ? undefined : said);
    };
    call.on('response', end);
    call.on('trailers', end);
    call.on('error', reject);
    call.resume();
    call.end(Buffer.concat([frame, message]));
  });
}
