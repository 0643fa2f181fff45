/** What the script leaves on a booted host, run twice. */
import { vi } from 'vitest';
import { newCluster } from './cluster.ts';
import { test } from './fixtures.ts';
import { scriptFor } from './scripts.ts';
import { whole } from './serve.ts';

// The packages of the hosts' mirror are signed by keys of its own.
vi.mock('../../src/script/keys.ts', async () => (await import('./keys.ts')).keys());

test('containerd 1.6.28 and Kubernetes 1.28.3 on CentOS 7', async ({ boot, publish, expect }) => {
  const cluster = await newCluster('v1.28.3');
  const host = await boot({ os: 'centos-7', cluster });
  const url = await publish(whole(scriptFor(cluster, 'containerd://1.6.28')));
  const run = await host.run(url);
  console.log(run);
  console.log(JSON.stringify(await host.outcome(), null, 1));
  console.log(await host.calls('kubelet'), await host.runtime());
});
