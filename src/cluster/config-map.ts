/** ConfigMaps as they are read here: a missing one is an answer, a forbidden one is not. */
import { Failure } from '../errors.ts';
import { readYaml } from '../yaml.ts';
import type { ClusterClient } from './connect.ts';

export interface ConfigMap {
  readonly data: Readonly<Record<string, string>>;
  readonly resourceVersion: string;
}

/** What everything that we make in a cluster is known by. */
export const ourLabels = { 'app.kubernetes.io/managed-by': 'ackone-join' } as const;

/** `ConfigMap kube-system/kubeadm-config`: how sources are written. */
export const configMapSource = (namespace: string, name: string): string => `ConfigMap ${namespace}/${name}`;

/** @returns undefined when there is none. @throws Failure of every other kind */
export async function readConfigMap(
  client: Pick<ClusterClient, 'core'>,
  namespace: string,
  name: string,
): Promise<ConfigMap | undefined> {
  return unlessMissing(client.core.readNamespacedConfigMap({ namespace, name }).then(toConfigMap));
}

/** The types of client-node are promises of the server: what is no text is left out. */
export function toConfigMap(answer: { data?: unknown; metadata?: { resourceVersion?: unknown } }): ConfigMap {
  const data = Object.entries(answer.data ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { data: Object.fromEntries(data), resourceVersion: String(answer.metadata?.resourceVersion ?? '') };
}

/** undefined instead of Failure ClusterNotFound. */
export async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Failure && error.code === 'ClusterNotFound') return undefined;
    throw error;
  }
}

/** A YAML mapping; undefined when the text is none. */
export function yamlMapping(text: string): Readonly<Record<string, unknown>> | undefined {
  const yaml = readYaml(text);
  const value = 'value' in yaml ? yaml.value : undefined;
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
