import { BlockList, isIP, isIPv6 } from 'node:net';
import { Failure } from './errors.ts';

/**
 * The proxy that HTTPS_PROXY (HTTP_PROXY for http) and NO_PROXY name for a server, by Go's rules as kubectl has them (golang.org/x/net
 * http/httpproxy): the loopback never goes by a proxy; NO_PROXY takes `*`, addresses, CIDR ranges and domains, each
 * with an optional port. (proxy-from-env knows no ranges, and its domains do not cover their subdomains.)
 * @returns a URL, or undefined for a direct connection. @throws Failure AnswerInvalid for a proxy that is no URL
 */
export function proxyFor(server: URL, env: NodeJS.ProcessEnv): string | undefined {
  const variable = server.protocol === 'http:' ? 'HTTP_PROXY' : 'HTTPS_PROXY';
  const proxy = env[variable] || env[variable.toLowerCase()];
  if (!proxy) return undefined;
  const host = server.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = server.port || (server.protocol === 'http:' ? '80' : '443');
  const exceptions = (env.NO_PROXY || env.no_proxy || '').toLowerCase().split(',');
  if (isLoopback(host) || exceptions.some((entry) => excludes(entry.trim(), host, port))) return undefined;
  const url = proxy.includes('://') ? proxy : `http://${proxy}`;
  if (!URL.canParse(url)) throw new Failure('AnswerInvalid', `the variable ${variable} holds no URL`);
  return url;
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127\.[\d.]+$/.test(host);

function excludes(entry: string, host: string, port: string): boolean {
  if (entry === '') return false;
  if (entry === '*') return true;
  if (entry.includes('/')) return inRange(entry, host);
  const { name, port: onlyPort } = splitPort(entry);
  if (onlyPort !== undefined && onlyPort !== port) return false;
  if (isIP(name)) return name === host;
  const domain = name.replace(/^\*\./, '.');
  return domain.startsWith('.') ? host.endsWith(domain) : host === domain || host.endsWith(`.${domain}`);
}

function splitPort(entry: string): { name: string; port: string | undefined } {
  const found = isIPv6(entry) ? null : /^\[?([^\]]*?)\]?(?::(\d+))?$/.exec(entry);
  return { name: found?.[1] ?? entry, port: found?.[2] };
}

function inRange(range: string, host: string): boolean {
  const [network = '', length = ''] = range.split('/');
  const family = isIP(network);
  if (family === 0 || isIP(host) !== family || !/^\d{1,3}$/.test(length)) return false;
  if (Number(length) > (family === 4 ? 32 : 128)) return false;
  const name = family === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(network, Number(length), name);
  return list.check(host, name);
}
