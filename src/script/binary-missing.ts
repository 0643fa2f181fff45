/** What only the owner of a cluster installed from binaries knows, asked for by name. */
import type { ClusterFacts, Unread } from '../cluster/types.ts';
import type { Finding } from '../errors.ts';
import { type Answers, flagsInWords } from '../questions.ts';
import { stop } from './findings.ts';

interface Remedy {
  /** The fact that would have made the answer needless. */
  readonly fact?: Unread['fact'];
  /** A sentence. */
  readonly next: (facts: ClusterFacts | undefined) => string;
}

const remedies = {
  server: { fact: 'endpoints', next: (facts) => whichServer(facts?.endpoints?.value ?? []) },
  caFile: { fact: 'rootCa', next: () => "Give --ca-file with the CA of the API server's certificate." },
  kubeletSource: {
    next: () =>
      'Give --kubelet-source: a URL together with --kubelet-sha256, the path of kubelet on the image, or rpm.',
  },
  kubeletConfig: {
    fact: 'workerConfig',
    next: () => 'Give --kubelet-config with the KubeletConfiguration of a worker.',
  },
  kubeProxy: {
    fact: 'proxyDaemonSet',
    next: () =>
      'Give --kube-proxy, since no DaemonSet brings services to nodes: on-image, or post-script with --post-script.',
  },
} satisfies Record<string, Remedy>;

/** Answers that a script cannot do without, where no fact takes their place. */
export type Missing = keyof typeof remedies;

const whichServer = (endpoints: readonly string[]): string =>
  endpoints.length > 1
    ? `Give --server with a load balancer in front of the API servers, or with one of them: ${endpoints.map((endpoint) => `https://${endpoint}`).join(', ')}.`
    : 'Give --server with the API server as nodes reach it, https://host:port.';

/** What to give, and why it was not found where it could have been. */
function nextOf(key: Missing, facts: ClusterFacts | undefined): string {
  const { fact, next }: Remedy = remedies[key];
  const why = facts?.unread.find((unread) => unread.fact === fact)?.why;
  return why === undefined ? next(facts) : `${next(facts).replace(/\.$/, '')}; ${why}.`;
}

/** Nothing is guessed in silence: everything that only the owner knows, at once. */
export function needed(
  missing: readonly Missing[],
  facts: ClusterFacts | undefined,
  { style }: Pick<Answers, 'style'>,
): Finding {
  const what = `a script for a cluster installed from binaries needs ${flagsInWords(missing)}`;
  const next = missing.map((key) => nextOf(key, facts));
  if (style === 'binary') return stop('AnswerMissing', what, ...next);
  const why =
    'ConfigMaps kube-public/cluster-info and kube-system/kubeadm-config are missing: kubeadm did not install this cluster, and';
  return stop(
    'BinaryCluster',
    `${why} ${what}`,
    ...next,
    'Our own kubelet.service is used unless --kubelet-service gives yours.',
    'Or keep a script of your own, with the ALIBABA_CLOUD_* block in it (ackone-join inject, in a later version).',
  );
}
