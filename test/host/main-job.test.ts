/** The script on a booted host: what it leaves there, and that a second run changes nothing. */
import { createHash, X509Certificate } from 'node:crypto';
import { describe } from 'vitest';
import { compose } from '../../src/script/compose.ts';
import type { ScriptInput } from '../../src/script/types.ts';
import { exampleInput } from '../script/example-input.ts';
import { test } from './fixtures.ts';
import { mirrorKeys, stubCluster, variables } from './host.ts';
import { whole } from './serve.ts';

/** A script for the API stub of a host, whose packages come from the mirror of a host. */
function scriptFor(overrides: Partial<ScriptInput>): string {
  const { endpoint, token, ca } = stubCluster();
  const key = new X509Certificate(ca).publicKey.export({ type: 'spki', format: 'der' });
  const pins = [`sha256:${createHash('sha256').update(key).digest('hex')}`];
  const keys = mirrorKeys();
  const input = exampleInput({
    join: { endpoint, token, pins, extraWords: [] },
    extraKeyFingerprints: [keys.docker, keys.kubernetes],
    ...overrides,
  });
  return compose(input).text;
}

describe('containerd', () => {
  test('containerd 1.6.28 and Kubernetes 1.28.2 on CentOS 7', async ({ boot, publish, expect }) => {
    const host = await boot({ os: 'centos-7', kubeVersion: 'v1.28.2' });
    const url = await publish(whole(scriptFor({ kubeRepository: 'legacy' })));
    const run = await host.run(url);
    expect(run.output).toBe('');
    expect(await host.outcome()).toEqual({});
    expect(variables).toBe({});
  });
});
