/** Host names as `URL.hostname` gives them: an IPv6 address is in brackets. Pure. */
import { isIP } from 'node:net';

export const isAddress = (hostname: string): boolean => isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;

export const isLoopback = (hostname: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
