/** How OSS answers: XML, with a request id, and errors with a code. */
import { randomBytes } from 'node:crypto';
import type { Answer } from '../http.ts';

/** A tree of XML: text, or elements by name; an array repeats its element, undefined leaves it out. */
export type Xml = string | { readonly [element: string]: Xml | readonly Xml[] | undefined };

/** What OSS refuses with (help.aliyun.com, OSS "Error responses"). */
export class OssError extends Error {
  readonly status: number;
  readonly code: string;
  /** More elements of the body. */
  readonly more: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, more: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.more = more;
  }
}

export const accessDenied = (message: string, more?: Readonly<Record<string, string>>) =>
  new OssError(403, 'AccessDenied', message, more);

export const ok = (headers: Readonly<Record<string, string>> = {}, body: string | Buffer = ''): Answer => ({
  status: 200,
  headers: { ...common(), ...headers },
  body,
});
export const noContent = (): Answer => ({ status: 204, headers: common() });
export const xml = (root: string, content: Xml): Answer =>
  ok({ 'content-type': 'application/xml' }, document(root, content));

/** @param host Of the request, for HostId. The answer to a HEAD has no body, so a header carries it. */
export function errorAnswer({ status, code, message, more }: OssError, host: string, method: string): Answer {
  const headers = common();
  const id = headers['x-oss-request-id'];
  const body = document('Error', { Code: code, Message: message, RequestId: id, HostId: host, ...more });
  const encoded = Buffer.from(body).toString('base64');
  return {
    status,
    headers: { ...headers, 'content-type': 'application/xml', ...(method === 'HEAD' && { 'x-oss-err': encoded }) },
    body: method === 'HEAD' ? '' : body,
  };
}

const common = () => ({ server: 'AliyunOSS', 'x-oss-request-id': randomBytes(12).toString('hex').toUpperCase() });

const document = (root: string, content: Xml) => `<?xml version="1.0" encoding="UTF-8"?>\n${element(root, content)}\n`;

function element(name: string, content: Xml): string {
  if (typeof content === 'string') return `<${name}>${escaped(content)}</${name}>`;
  const children = Object.entries(content).flatMap(([child, value]) =>
    value === undefined ? [] : [value].flat().map((one) => element(child, one as Xml)),
  );
  return `<${name}>${children.join('')}</${name}>`;
}

const escaped = (text: string) =>
  text.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;' })[character] ?? '&gt;');
