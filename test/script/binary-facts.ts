/** What a cluster installed from binaries says, for tests of what is decided by it. */

import { readFileSync } from 'node:fs';
import type { AnswerFiles } from '../../src/answer-files.ts';
import type { ClusterFacts } from '../../src/cluster/types.ts';
import type { Answers } from '../../src/questions.ts';
import { decide } from '../../src/script/decide.ts';
import type { BinaryInput, Decision } from '../../src/script/types.ts';
import { answersOf, factsOf, nodeOf, stopsOf } from './fixtures.ts';

/** A CA that is one. */
export const caPem = readFileSync(new URL('./ca.pem', import.meta.url), 'utf8');

/** Everything that such a cluster can say: one API server, its CA, a worker that lets itself be read, kube-proxy. */
export const binaryFacts = (given: Parameters<typeof factsOf>[0] = {}): ClusterFacts =>
  factsOf({
    discovery: null,
    kubeadm: undefined,
    kubelet: undefined,
    kubeProxyMode: undefined,
    nodes: [nodeOf(), nodeOf({ name: 'w-1', controlPlane: false })],
    endpoints: { value: ['192.0.2.10:6443'], source: 'Endpoints default/kubernetes' },
    rootCa: { value: caPem, source: 'ConfigMap kube-system/kube-root-ca.crt' },
    workerConfig: {
      value: {
        cgroupDriver: 'systemd',
        clusterDNS: ['10.96.0.10'],
        clusterDomain: 'cluster.local',
        address: '192.0.2.31',
      },
      source: 'configz of node w-1',
    },
    proxyDaemonSet: { value: 'kube-proxy', source: 'DaemonSet kube-system/kube-proxy' },
    ...given,
  });

export const decidedBinary = (
  facts: ClusterFacts | undefined,
  answers: Partial<Answers> = {},
  files: AnswerFiles = {},
): Decision => decide(facts, answersOf(answers), '0.1.0', files);

/** The input of a decision that must not have been stopped. */
export function binaryInputOf(decision: Decision): Omit<BinaryInput, 'bootstrap'> {
  if (decision.input?.style !== 'binary')
    throw new Error(`stopped: ${stopsOf(decision).map(({ code, what }) => `${code} ${what}`)}`);
  return decision.input;
}
