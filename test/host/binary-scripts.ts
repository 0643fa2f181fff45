import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { tokenBootstrap } from '../../src/script/bootstrap-kubeconfig.ts';
import { compose } from '../../src/script/compose.ts';
import type { BinaryInput } from '../../src/script/types.ts';
import { parseVersion } from '../../src/script/versions.ts';
import { exampleBinary, exampleKubeletConfig } from '../script/example-binary.ts';
import type { PlayedCluster } from './cluster.ts';

/** The kubelet that the packages of this version bring, as a program alone. */
export function kubeletProgram(version: string): { readonly text: string; readonly sha256: string } {
  const stub = readFileSync(new URL('stubs/bin/kubelet', import.meta.url), 'utf8');
  const text = stub.replaceAll('@VERSION@', version.replace(/^v/, ''));
  return { text, sha256: createHash('sha256').update(text).digest('hex') };
}

/** What a runtime `containerd://1.6.28` needs to be installed with. */
export function runtimeOf(reported: string): Partial<BinaryInput> {
  const [name = '', raw = ''] = reported.split('://');
  const runtimeVersion = parseVersion(raw)!;
  if (name === 'containerd')
    return { runtime: 'containerd', runtimeVersion, runtimePackages: [`containerd.io-${raw}`] };
  const runtimePackages = [`docker-ce-${raw}`, `docker-ce-cli-${raw}`, 'containerd.io'];
  return { runtime: 'docker', runtimeVersion, runtimePackages, criSocket: '/var/run/dockershim.sock' };
}

/** A script for a cluster that was installed from binaries, with kubelet from a program unless `given` says otherwise. */
export function binaryScript(cluster: PlayedCluster, given: Partial<BinaryInput>): string {
  const { endpoint, authority, version } = cluster;
  const [id = '', secret = ''] = cluster.token.split('.');
  const kubeVersion = parseVersion(version)!;
  const input = exampleBinary({
    kubeVersion,
    kubeRepository: kubeVersion.minor < 24 ? 'legacy' : 'minor',
    endpoint,
    caPem: authority.cert,
    bootstrap: tokenBootstrap(endpoint, authority.cert, { id, secret }),
    ...(kubeVersion.minor < 27 && { kubeletConfig: exampleKubeletConfig() }),
    ...given,
  });
  return compose(input).text;
}
