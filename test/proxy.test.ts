import { expect, test } from 'vitest';
import { proxyFor } from '../src/proxy.ts';

const proxy = 'http://proxy.example.com:3128';

/** Server, NO_PROXY, whether the proxy is used. */
const rows: readonly [string, string, boolean][] = [
  ['https://192.0.2.10:6443', '', true],
  ['https://192.0.2.10:6443', '192.0.2.0/24', false],
  ['https://192.0.3.10:6443', '192.0.2.0/24', true],
  ['https://192.0.2.10:6443', '192.0.2.10', false],
  ['https://192.0.2.10:6443', '198.51.100.1, 192.0.2.10', false],
  ['https://192.0.2.10:6443', '192.0.2.0/99', true],
  ['https://[2001:db8::1]:6443', '2001:db8::/32', false],
  ['https://[2001:db8::1]:6443', '2001:db8::1', false],
  ['https://[2001:db8::1]:6443', '192.0.2.0/24', true],
  ['https://api.example.com:6443', 'api.example.com', false],
  ['https://API.example.com:6443', 'Example.com', false],
  ['https://api.example.com:6443', '.example.com', false],
  ['https://example.com:6443', '.example.com', true],
  ['https://api.example.com:6443', '*.example.com', false],
  ['https://apiexample.com:6443', 'example.com', true],
  ['https://api.example.com:6443', 'api.example.com:6443', false],
  ['https://api.example.com:6443', 'api.example.com:443', true],
  ['https://api.example.com', 'api.example.com:443', false],
  ['https://api.example.com:6443', '*', false],
  ['https://localhost:6443', '', false],
  ['https://127.0.0.1:6443', '', false],
  ['https://[::1]:6443', '', false],
];

test.each(rows)('H4 %s with NO_PROXY=%s: by proxy %s', (server, noProxy, used) => {
  expect(proxyFor(new URL(server), { HTTPS_PROXY: proxy, NO_PROXY: noProxy })).toBe(used ? proxy : undefined);
});

test('H4 no_proxy in small letters counts; without HTTPS_PROXY there is none', () => {
  const server = new URL('https://192.0.2.10:6443');
  expect(proxyFor(server, { HTTPS_PROXY: proxy, no_proxy: '192.0.2.0/24' })).toBeUndefined();
  expect(proxyFor(server, { HTTP_PROXY: proxy })).toBeUndefined();
});

test('H4 an HTTPS_PROXY that is no URL is AnswerInvalid, and its value is not shown', () => {
  const find = () => proxyFor(new URL('https://192.0.2.10:6443'), { HTTPS_PROXY: 'http://jane:geheim@pro xy' });
  expect(find).toThrow(
    expect.objectContaining({ code: 'AnswerInvalid', message: 'the variable HTTPS_PROXY holds no URL' }),
  );
});
