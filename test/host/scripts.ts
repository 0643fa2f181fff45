import { createHash, X509Certificate } from 'node:crypto';
import type { Answers } from '../../src/questions.ts';
import { compose } from '../../src/script/compose.ts';
import { decide } from '../../src/script/decide.ts';
import { answersOf, factsOf, inputOf } from '../script/fixtures.ts';
import { kubeletConfig, type PlayedCluster } from './cluster.ts';

/** The script for a cluster whose control-plane nodes report this runtime: `docker://18.6.3`. */
export function scriptFor(cluster: PlayedCluster, runtime: string, answers: Partial<Answers> = {}): string {
  const { version, endpoint, token } = cluster;
  const { cgroupDriver, resolvConf } = kubeletConfig(cluster);
  const facts = factsOf({ version, runtime, kubeletConfig: { cgroupDriver, resolvConf } });
  const input = inputOf(decide(facts, answersOf(answers), '0.0.0-test'));
  return compose({ ...input, join: { endpoint, token, pins: [pinOf(cluster)], extraWords: [] } }).text;
}

export function pinOf({ authority }: PlayedCluster): string {
  const key = new X509Certificate(authority.cert).publicKey.export({ type: 'spki', format: 'der' });
  return `sha256:${createHash('sha256').update(key).digest('hex')}`;
}
