/** kubeadm or binaries: what is there, missing or may not be read, and what --style says (case E7). */
import { expect, test } from 'vitest';
import { decideStyle } from '../../src/script/style.ts';
import { discoveryOf, factsOf } from './fixtures.ts';

const { kubeadm } = factsOf();
const discovery = { value: discoveryOf(), source: 'ConfigMap kube-public/cluster-info' };
const unread = (fact: 'kubeadm' | 'kubelet') => [{ fact, why: 'ConfigMap was not read: forbidden' }];
const clusters = {
  both: { discovery, kubeadm, unread: [] },
  'cluster-info alone': { discovery, kubeadm: undefined, unread: [] },
  'kubeadm-config alone': { discovery: undefined, kubeadm, unread: [] },
  'no cluster-info, and kubeadm-config unread': { discovery: undefined, kubeadm: undefined, unread: unread('kubeadm') },
  'cluster-info, and kubeadm-config unread': { discovery, kubeadm: undefined, unread: unread('kubeadm') },
  neither: { discovery: undefined, kubeadm: undefined, unread: [] },
  'neither, and something else unread': { discovery: undefined, kubeadm: undefined, unread: unread('kubelet') },
  'no cluster to look at': undefined,
} as const;

test.each<[keyof typeof clusters, 'kubeadm' | 'binary', string]>([
  ['both', 'kubeadm', 'what kubeadm left'],
  ['cluster-info alone', 'kubeadm', 'what kubeadm left'],
  ['kubeadm-config alone', 'kubeadm', 'what kubeadm left'],
  ['no cluster-info, and kubeadm-config unread', 'kubeadm', 'what kubeadm left'],
  ['cluster-info, and kubeadm-config unread', 'kubeadm', 'what kubeadm left'],
  ['neither', 'binary', 'no cluster-info and no kubeadm-config'],
  ['neither, and something else unread', 'binary', 'no cluster-info and no kubeadm-config'],
  ['no cluster to look at', 'kubeadm', 'default'],
])('%s: %s', (cluster, value, source) => {
  const found = decideStyle(clusters[cluster], { style: 'auto' });
  expect({ value: found.value, source: found.source }).toEqual({ value, source });
  expect(found.findings.map(({ code }) => code)).toEqual(value === 'binary' ? ['BinaryStyle'] : []);
});

test.each(['kubeadm', 'binary'] as const)('--style %s is the last word', (style) => {
  for (const facts of Object.values(clusters)) {
    expect(decideStyle(facts, { style })).toEqual({ value: style, source: '--style', findings: [] });
  }
});
