/** ConfigMap kube-public/cluster-info: what a joining node finds and trusts the API server by. */
import { createHash, X509Certificate } from 'node:crypto';
import * as z from 'zod';
import { bundleOf, certificatesIn } from '../certificates.ts';
import type { FailureCode } from '../errors.ts';
import { Failure } from '../errors.ts';
import type { ConfigMap } from './config-map.ts';
import { configMapSource, readConfigMap, yamlMapping } from './config-map.ts';
import type { ClusterClient } from './connect.ts';
import type { DiscoveryFact } from './types.ts';

const clusterInfo = { namespace: 'kube-public', name: 'cluster-info' } as const;
export const clusterInfoSource = configMapSource(clusterInfo.namespace, clusterInfo.name);

/** Key prefix of the signatures (cluster-bootstrap token/api JWSSignatureKeyPrefix). */
const signaturePrefix = 'jws-kubeconfig-';

/**
 * kubeadm lets only anonymous users read cluster-info, so a narrow role may not; then it is read as a node reads it.
 * @returns undefined when there is none
 */
export async function readClusterInfo(
  cluster: ClusterClient & { anonymous: ClusterClient },
): Promise<ConfigMap | undefined> {
  try {
    return await readConfigMap(cluster, clusterInfo.namespace, clusterInfo.name);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'ClusterForbidden') throw error;
    return readConfigMap(cluster.anonymous, clusterInfo.namespace, clusterInfo.name).catch(() => {
      throw error;
    });
  }
}

/** Ids of the tokens that it is signed for, sorted. */
export const signedFor = ({ data }: ConfigMap): readonly string[] =>
  Object.entries(data)
    .filter(([key, signature]) => key.startsWith(signaturePrefix) && signature !== '')
    .map(([key]) => key.slice(signaturePrefix.length))
    .sort();

const optionalText = z.string().optional().catch(undefined);
const kubeconfig = z.object({
  clusters: z.array(
    z.object({
      cluster: z.object({
        server: optionalText,
        'certificate-authority': optionalText,
        'certificate-authority-data': optionalText,
      }),
    }),
  ),
});

/**
 * Takes it apart as kubeadm's discovery does (cmd/kubeadm/app/discovery/token/token.go): the CA must be inline, and
 * no CA of the operator's own kubeconfig stands in for it (cases.md E5).
 * @throws Failure DiscoveryInvalid, a sentence of its own for each way to be broken
 */
export function parseClusterInfo(configMap: ConfigMap): Omit<DiscoveryFact, 'anonymous'> {
  const text = configMap.data.kubeconfig;
  if (!text) throw invalid('has no key kubeconfig');
  const mapping = yamlMapping(text);
  if (!mapping) throw invalid('has a kubeconfig that is not YAML');
  const found = kubeconfig.safeParse(mapping);
  if (!found.success || found.data.clusters.length === 0) throw invalid('has a kubeconfig that names no cluster');
  const [first, ...others] = found.data.clusters;
  if (!first || others.length > 0)
    throw invalid(`has a kubeconfig with ${others.length + 1} clusters, and kubeadm takes any of them`);
  const { server, 'certificate-authority': path, 'certificate-authority-data': data } = first.cluster;
  checkServer(server);
  if (!data) {
    if (path) throw invalid(`names its CA as the file ${path}, and kubeadm reads only certificate-authority-data`);
    throw invalid('has no certificate-authority-data');
  }
  const certificates = pemCertificates(data);
  return {
    server: server.replace(/\/$/, ''),
    caPem: bundleOf(certificates),
    pins: certificates.map((certificate) => pinOf(publicKeyDer(certificate))),
    signedFor: signedFor(configMap),
  };
}

const invalid = (reason: string) => new Failure('DiscoveryInvalid', `${clusterInfoSource} ${reason}`);

/** Host and port are all that `kubeadm join` takes. */
function checkServer(server: string | undefined): asserts server is string {
  if (!server) throw invalid('has a kubeconfig without a server');
  if (!URL.canParse(server)) throw invalid(`has server ${server}, which is no URL`);
  const { protocol, pathname, search, hash, username } = new URL(server);
  if (protocol !== 'https:') throw invalid(`has server ${server}, which is not https`);
  if (pathname !== '/' || search || hash || username)
    throw invalid(`has server ${server}, which is more than a host and a port`);
}

function pemCertificates(base64: string): readonly string[] {
  if (!/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(base64)) throw invalid('has certificate-authority-data that is not base64');
  const found = certificatesIn(Buffer.from(base64, 'base64').toString('latin1'));
  if (found.length === 0) throw invalid('has certificate-authority-data that holds no PEM certificate');
  return found;
}

/** sha256 of nothing: what `openssl rsa` makes of an EC CA (cases.md E4). */
const hashOfNothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/**
 * `sha256:` and the hash of the DER SubjectPublicKeyInfo, as `kubeadm join --discovery-token-ca-cert-hash` wants it
 * (cmd/kubeadm/app/util/pubkeypin/pubkeypin.go). @throws Failure DiscoveryInvalid
 */
export function pinOf(publicKey: Uint8Array): string {
  const hex = createHash('sha256').update(publicKey).digest('hex');
  if (hex === hashOfNothing) throw invalid('has a CA certificate without a public key');
  return `sha256:${hex}`;
}

function publicKeyDer(pem: string): Buffer {
  try {
    return new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' });
  } catch {
    throw invalid('has a CA certificate that cannot be read');
  }
}

export interface AnonymousRead {
  readonly result: DiscoveryFact['anonymous'];
  /** Why, unless it is readable. */
  readonly why: string;
}

const refusals: Partial<Record<FailureCode, DiscoveryFact['anonymous']>> = {
  ClusterUnauthorized: 'unauthorized',
  ClusterForbidden: 'forbidden',
};

/** One GET as a joining node makes it: no credentials, cluster-info's own server and CA (cases.md E8). */
export async function readAnonymously(client: ClusterClient): Promise<AnonymousRead> {
  try {
    await client.core.readNamespacedConfigMap({ ...clusterInfo });
    return { result: 'readable', why: '' };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { result: refusals[error.code] ?? 'unreachable', why: error.message };
  }
}
