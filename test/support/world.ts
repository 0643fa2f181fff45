/** Everything that a sandbox keeps, to compare before and after; and looks into it. */
import type { Sandbox } from '../../src/sandbox/index.ts';

const buckets = ['ackone-sandbox', 'ackone-plain', 'ackone-beijing'];

interface Stored {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly data?: Readonly<Record<string, string>>;
}

/** Every object of the API and of OSS, and every setting of a bucket, as one value. */
export const everything = (sandbox: Sandbox): unknown => ({
  clusters: [...sandbox.clusters].map(([name, cluster]) => [name, cluster.save().objects]),
  buckets: sandbox.oss.buckets.map((bucket) => ({ ...bucket })),
  objects: buckets.map((bucket) =>
    sandbox.oss.files.list(bucket).map((info) => [info, sandbox.oss.files.body(bucket, info.key).toString('base64')]),
  ),
});

const stored = (sandbox: Sandbox, context = 'containerd'): readonly Stored[] =>
  sandbox.clusters.get(context)!.save().objects.objects as unknown as readonly Stored[];

/** Data of a ConfigMap of kube-system. */
export function configMap(
  sandbox: Sandbox,
  name: string,
  context?: string,
): Readonly<Record<string, string>> | undefined {
  return stored(sandbox, context).find(
    ({ kind, metadata }) => kind === 'ConfigMap' && metadata.namespace === 'kube-system' && metadata.name === name,
  )?.data;
}

export const liveUrl = (sandbox: Sandbox, context?: string): string | undefined =>
  configMap(sandbox, 'ack-agent-config', context)?.addNodeScriptPath;

/** Ids of the bootstrap tokens there are. */
export const tokenIds = (sandbox: Sandbox, context?: string): readonly string[] =>
  stored(sandbox, context)
    .filter(({ kind, metadata }) => kind === 'Secret' && metadata.name.startsWith('bootstrap-token-'))
    .map(({ metadata }) => metadata.name.slice('bootstrap-token-'.length));

/** Names of Secrets of kube-system. */
export const secretNames = (sandbox: Sandbox, context?: string): readonly string[] =>
  stored(sandbox, context)
    .filter(({ kind }) => kind === 'Secret')
    .map(({ metadata }) => metadata.name);

export interface Entry {
  readonly number: number;
  readonly url: string;
  readonly state: string;
  readonly tokenId?: string;
  readonly key?: string;
  readonly time: string;
}

export const history = (sandbox: Sandbox, context?: string): readonly Entry[] => {
  const text = configMap(sandbox, 'ackone-join', context)?.['history.json'];
  return text === undefined ? [] : (JSON.parse(text) as { entries: Entry[] }).entries;
};

export const objectKeys = (sandbox: Sandbox, bucket = 'ackone-sandbox'): readonly string[] =>
  sandbox.oss.files.list(bucket).map(({ key }) => key);

/** Requests that were no reads: neither GET nor HEAD nor an access review. */
export const writes = (sandbox: Sandbox): readonly string[] =>
  sandbox.faults.seen
    .filter(({ method, path }) => method !== 'GET' && method !== 'HEAD' && !/\/(self)?subject\w*reviews$/.test(path))
    .map(({ method, path }) => `${method} ${path}`);
