import { stringify } from 'yaml';
import type { Cluster } from './cluster.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

/**
 * One kubeconfig with all clusters, each under the name of its context.
 * @param proxyUrl Leads to the clusters' addresses, which no machine has.
 */
export function kubeconfig(clusters: ReadonlyMap<string, Cluster>, current: string, proxyUrl: string): string {
  const named = [...clusters];
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': current,
    clusters: named.map(([name, { authority, endpoint }]) => ({
      name,
      cluster: {
        'certificate-authority-data': base64(authority.cert),
        server: `https://${endpoint}`,
        'proxy-url': proxyUrl,
      },
    })),
    contexts: named.map(([name]) => ({ name, context: { cluster: name, user: name } })),
    users: named.map(([name, { client }]) => ({
      name,
      user: { 'client-certificate-data': base64(client.cert), 'client-key-data': base64(client.key) },
    })),
  };
  return stringify(config, { lineWidth: 0 });
}
