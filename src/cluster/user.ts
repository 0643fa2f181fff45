/** A kubeconfig's user as client-node takes it: plugin run, files read, everything inline. */
import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { User as ClientUser } from '@kubernetes/client-node';
import { Failure } from '../errors.ts';
import type { PluginRun } from './exec-plugin.ts';
import { runPlugin } from './exec-plugin.ts';
import { base64, beside, pem } from './inline.ts';
import type { UserEntry } from './kubeconfig.ts';

type UserRun = Omit<PluginRun, 'exec'>;

/** @throws Failure KubeconfigInvalid, ClusterCertificateExpired and those of runPlugin */
export async function clientUser(entry: UserEntry, run: UserRun): Promise<ClientUser> {
  const { folder, userName } = run;
  const read = (path: string, key: string) => beside(path, folder, `${key} of user ${userName}`);
  const plugin = entry.exec ? await runPlugin({ ...run, exec: entry.exec }) : undefined;
  const half = async (key: 'client-certificate' | 'client-key') => {
    const data = entry[`${key}-data`];
    if (data !== undefined) return pem(data, `${key}-data of user ${userName}`);
    const path = entry[key];
    return path === undefined ? undefined : read(path, key);
  };
  const certificate = plugin?.certificate ?? (await half('client-certificate'));
  const key = plugin?.key ?? (await half('client-key'));
  if (certificate !== undefined) checkPair(certificate, key, userName);
  const file = entry.tokenFile === undefined ? undefined : (await read(entry.tokenFile, 'tokenFile')).trim();
  const token = plugin?.token ?? file ?? entry.token ?? providerToken(entry, userName);
  if (entry['as-groups'].length > 0) {
    const what = `user ${userName} in the kubeconfig has as-groups, which cannot be sent from here`;
    throw new Failure('KubeconfigInvalid', what, { next: ['Use a context that does not impersonate groups.'] });
  }
  return {
    name: userName,
    ...(certificate !== undefined && { certData: base64(certificate) }),
    ...(key !== undefined && { keyData: base64(key) }),
    ...(token !== undefined && { token }),
    ...(entry.username !== undefined && { username: entry.username, password: entry.password ?? '' }),
    ...(entry.as !== undefined && { impersonateUser: entry.as }),
  };
}

/** kubeadm's client certificates live for a year: say that before the API server says only 401. */
function checkPair(certificate: string, key: string | undefined, userName: string): void {
  const owner = `user ${userName} in the kubeconfig`;
  try {
    if (key === undefined) throw new Error('no key');
    createSecureContext({ cert: certificate, key });
  } catch {
    throw new Failure(
      'KubeconfigInvalid',
      `the client certificate and key of ${owner} are no pair that belongs together`,
    );
  }
  const end = new Date(new X509Certificate(certificate).validTo);
  if (end.getTime() < Date.now()) {
    const what = `the client certificate of ${owner} expired on ${end.toISOString()}`;
    throw new Failure('ClusterCertificateExpired', what);
  }
}

/** kubectl keeps the token of its oidc provider in the kubeconfig, and renews it there. */
function providerToken(entry: UserEntry, userName: string): string | undefined {
  const provider = entry['auth-provider'];
  if (!provider) return undefined;
  const token = provider.config?.['id-token'];
  if (typeof token === 'string') return token;
  const what = `user ${userName} in the kubeconfig logs in by auth-provider ${provider.name}, which is no longer in use`;
  throw new Failure('KubeconfigInvalid', what, { next: ['Use a credential plugin (exec) instead, as kubectl does.'] });
}
