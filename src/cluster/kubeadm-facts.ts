/** What kubeadm keeps in kube-system, and kube-proxy's ConfigMap that it makes. */
import * as z from 'zod';
import { Failure } from '../errors.ts';
import { configMapSource, readConfigMap, yamlMapping } from './config-map.ts';
import type { ClusterClient } from './connect.ts';
import type { KubeadmFact, KubeletFact, Sourced } from './types.ts';

type Reader = Pick<ClusterClient, 'core'>;

/** A field that is not what it should be counts as unset: a newer version may have another shape. */
const text = z
  .string()
  .optional()
  .catch(undefined)
  .transform((value) => value || undefined);
const clusterConfiguration = z.object({
  kubernetesVersion: text,
  imageRepository: text,
  controlPlaneEndpoint: text,
  clusterName: text,
});
const kubeletConfiguration = z.object({
  cgroupDriver: text,
  resolvConf: text,
  failCgroupV1: z
    .boolean()
    .optional()
    .catch(undefined)
    .transform((value) => value),
  containerRuntimeEndpoint: text,
});
const proxyConfiguration = z.object({ mode: text });

export const readKubeadmConfig = (client: Reader): Promise<Sourced<KubeadmFact> | undefined> =>
  readKubeadmKey(client, 'kubeadm-config', 'ClusterConfiguration', clusterConfiguration);

/** Tries each name until one is there (cases.md C1). */
export async function readKubeletConfig(client: Reader, minor: number): Promise<Sourced<KubeletFact> | undefined> {
  for (const name of kubeletConfigNames(minor)) {
    const found = await readKubeadmKey(client, name, 'kubelet', kubeletConfiguration);
    if (found) return found;
  }
  return undefined;
}

/** One name for all versions from 1.24 on (kubeadm constants KubeletBaseConfigurationConfigMap), one a minor before. */
export function kubeletConfigNames(minor: number): readonly [string, string] {
  const versioned = `kubelet-config-1.${minor}`;
  return minor >= 24 ? ['kubelet-config', versioned] : [versioned, 'kubelet-config'];
}

/** An unset mode is iptables (kube-proxy on Linux); undefined where kube-proxy is missing or set up in another way. */
export async function readKubeProxyMode(client: Reader): Promise<Sourced<string> | undefined> {
  const found = await readKey(client, 'kube-proxy', 'config.conf');
  const mode = found?.value && proxyConfiguration.parse(found.value).mode;
  return found?.value && { value: mode ?? 'iptables', source: found.source };
}

/** @throws Failure KubeadmObjectMissing when the key is no YAML: kubeadm join stops there */
async function readKubeadmKey<T>(client: Reader, name: string, key: string, schema: z.ZodType<T>) {
  const found = await readKey(client, name, key);
  if (!found) return undefined;
  if (!found.value) throw new Failure('KubeadmObjectMissing', `${found.source} has no YAML in its key ${key}`);
  return { value: schema.parse(found.value), source: found.source };
}

/** @returns undefined when the ConfigMap is missing, a value of undefined when its key is no YAML mapping */
async function readKey(client: Reader, name: string, key: string) {
  const configMap = await readConfigMap(client, 'kube-system', name);
  return configMap && { value: yamlMapping(configMap.data[key] ?? ''), source: configMapSource('kube-system', name) };
}
