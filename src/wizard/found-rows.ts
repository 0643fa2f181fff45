/** What was found, as rows of a panel. Pure. */
import type { ClusterFacts } from '../cluster/types.ts';
import type { Finding } from '../errors.ts';
import { needsNoScript } from '../script/custom-script.ts';
import type { PanelRow } from './components/Panel.tsx';
import type { Found } from './engine.ts';
import type { Given } from './model.ts';
import * as words from './words.ts';

export function foundRows(found: Found, given: Given): readonly PanelRow[] {
  const { facts, decision, live } = found;
  const { input, sources } = decision;
  const model = facts.nodes?.find(({ controlPlane }) => controlPlane);
  const rows = [
    row(
      'Kubernetes',
      input?.kubeVersion.base ?? facts.serverVersion.value,
      sources.kubeVersion ?? facts.serverVersion.source,
    ),
    input
      ? row('Runtime', `${input.runtime} ${input.runtimeVersion.base}`, sources.runtime)
      : row('Runtime', model?.runtime, model && `Node ${model.name}`),
    row(
      'cgroup driver',
      input?.cgroupDriver ?? facts.kubelet?.value.cgroupDriver ?? textOf(facts.workerConfig?.value.cgroupDriver),
      sources.cgroupDriver ?? facts.kubelet?.source,
    ),
    ...installedBy(facts),
    apiServer(found),
    row("Nodes' region", facts.nodeRegions.join(', '), `${count(ecsNodes(facts), 'existing ECS node')}`),
    live.url === undefined
      ? row('Live script', 'none yet', undefined)
      : row('Live script', live.url, live.ours ? 'published by ackone-join' : undefined),
  ];
  return [...rows, ...numbered(shown(decision.findings, given).map(findingRow)), ...optional(facts)];
}

const row = (name: string, value: string | undefined, source: string | undefined): PanelRow => ({
  name,
  value: value || 'not known',
  ...(source && { source }),
});

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Without cluster-info it is decided, or one of those that the cluster names. */
function apiServer({ facts: { discovery, endpoints }, decision: { input, sources } }: Found): PanelRow {
  if (input?.style === 'binary') return row('API server', input.endpoint, sources.server);
  return discovery
    ? row('API server', discovery.value.server.replace(/^https:\/\//, ''), discovery.source)
    : row('API server', endpoints?.value.join(', '), endpoints?.source);
}

const ecsNodes = ({ nodes = [] }: ClusterFacts) => nodes.filter(({ region }) => region !== undefined).length;
const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

function installedBy({ discovery, kubeadm }: ClusterFacts): readonly PanelRow[] {
  if (!discovery)
    return [{ name: 'Installed by', value: kubeadm ? 'kubeadm' : 'not kubeadm', source: 'no cluster-info' }];
  const { pins, signedFor } = discovery.value;
  const source = `discovery signed for ${count(signedFor.length, 'token')}, ${count(pins.length, 'CA')}`;
  return [{ name: 'Installed by', value: 'kubeadm', source }];
}

/** A join command that was pasted here was on no command line. */
export const shown = (findings: readonly Finding[], given: Given): readonly Finding[] =>
  findings.filter(({ code }) => code !== 'JoinCommandOnCommandLine' || given.joinCommand === undefined);

const findingRow = ({ severity, what, next }: Finding): PanelRow =>
  severity === 'stop'
    ? { name: 'Needs an answer', value: what, tone: 'question' }
    : { name: severity === 'note' ? 'Note' : 'Unusual', value: [what, ...next].join('. '), tone: 'odd' };

/** Names of rows are unique. */
const numbered = (rows: readonly PanelRow[]): readonly PanelRow[] =>
  rows.map((row, index) => {
    const before = rows.slice(0, index).filter(({ name }) => name === row.name).length;
    return before === 0 ? row : { ...row, name: `${row.name} ${before + 1}` };
  });

const optional = (facts: ClusterFacts): readonly PanelRow[] =>
  needsNoScript(facts) ? [{ name: 'By the way', value: words.noScriptNeeded }] : [];
