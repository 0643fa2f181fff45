declare module 'proxy-from-env' {
  /** URL of the proxy that the environment names for `url`, honouring NO_PROXY; empty when there is none. */
  export function getProxyForUrl(url: string | URL): string;
}
