import { compose } from '../../src/script/compose.ts';
import { decide } from '../../src/script/decide.ts';
import type { Script } from '../../src/script/types.ts';
import { exampleToken } from '../script/example-input.ts';
import { answersOf, factsOf, inputOf, pinA } from '../script/fixtures.ts';

/** A cluster as its control plane reports it. */
export interface Pair {
  readonly name: string;
  readonly version: string;
  readonly runtime: string;
}

const pair = (version: string, runtime: string): Pair => ({
  name: `${runtime.split('://')[0]}-${version.split('.').slice(0, 2).join('.')}`,
  version,
  runtime,
});

/** Runtime × Kubernetes where the two were ever together: containerd for CRI v1 is 1.6 and later, from 1.26 on. */
export const pairs: readonly Pair[] = [
  pair('1.14.10', 'docker://18.6.3'),
  pair('1.14.10', 'containerd://1.2.13'),
  pair('1.18.20', 'docker://19.3.15'),
  pair('1.18.20', 'containerd://1.3.9'),
  pair('1.21.14', 'docker://20.10.24'),
  pair('1.21.14', 'containerd://1.4.3'),
  pair('1.24.17', 'docker://23.0.6'),
  pair('1.24.17', 'containerd://1.6.28'),
  pair('1.28.2', 'docker://24.0.9'),
  pair('1.28.2', 'containerd://1.6.28'),
  pair('1.33.4', 'docker://28.3.3'),
  pair('1.33.4', 'containerd://1.7.27'),
  pair('1.36.0', 'docker://28.3.3'),
  pair('1.36.0', 'containerd://2.1.4'),
];

/** The script for a cluster of this pair, everything else as a run without flags has it. */
export function scriptOf({ version, runtime }: Pair): Script {
  const criDockerdUrl = 'https://files.example.com/cri-dockerd-0.3.20-3.el9.x86_64.rpm';
  const minor = Number(version.split('.')[1]);
  const answers = answersOf(runtime.startsWith('docker') && minor >= 24 ? { criDockerdUrl } : {});
  const facts = factsOf({
    version: `v${version}`,
    runtime,
    kubeletConfig: { cgroupDriver: minor >= 21 ? 'systemd' : undefined },
  });
  const input = inputOf(decide(facts, answers, '0.0.0-test'));
  return compose({
    ...input,
    join: { endpoint: '192.0.2.10:6443', token: exampleToken, pins: [pinA], extraWords: [] },
  });
}
