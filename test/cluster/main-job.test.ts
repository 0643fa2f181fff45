/** The whole job against a real API server, by a user who has the printed role and nothing more. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rbacManifest } from '../../src/cluster/permissions.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { parseJoinCommand } from '../../src/script/join-command.ts';
import { run, sandboxEnv } from '../support/program.ts';
import { call } from '../support/raw-api.ts';
import { preflight } from './join.ts';
import { agentConfig } from './objects.ts';
import { onControlPlane } from './on-control-plane.ts';
import { snapshot } from './store.ts';
import { kubectl, newUser } from './users.ts';

const configMaps = '/api/v1/namespaces/kube-system/configmaps';

onControlPlane('init on a real control plane', (cluster) => {
  const publisher = { kind: 'User', name: 'whole-job' } as const;
  let sandbox: Sandbox;
  let kubeconfig: string;

  beforeAll(async () => {
    sandbox = await startSandbox();
    kubeconfig = await newUser(cluster, publisher.name);
    await kubectl(cluster, ['apply', '-f', '-'], rbacManifest(publisher));
  });
  afterAll(async () => {
    await sandbox.close();
    await kubectl(cluster, ['delete', '-f', '-'], rbacManifest(publisher));
    await kubectl(cluster, ['-n', 'kube-system', 'delete', 'configmap', 'ackone-join']);
    await call(cluster.admin, 'DELETE', `${configMaps}/ack-agent-config`);
    await call(cluster.admin, 'POST', configMaps, agentConfig);
  });

  // The sandbox gives the OSS; the cluster is the real one.
  const init = (...words: string[]) => run(['init', ...words], sandboxEnv(sandbox, { KUBECONFIG: kubeconfig }));
  const liveData = async () =>
    JSON.parse(await kubectl(cluster, ['-n', 'kube-system', 'get', 'configmap', 'ack-agent-config', '-o', 'json']))
      .data;

  test('a dry run prints the plan and leaves every object in etcd as it was', async () => {
    const before = await snapshot(cluster);
    const { exit, stdout } = await init('--yes', '--dry-run', '-o', 'json');
    expect([exit, JSON.parse(stdout).changes]).toEqual([0, true]);
    expect(await snapshot(cluster)).toStrictEqual(before);
  });

  test('publishes: kubeadm passes discovery with the join command of the script that nodes fetch', async () => {
    const others = await liveData();
    const { exit, stdout } = await init('--yes', '-o', 'json');
    const result = JSON.parse(stdout);
    expect([exit, result.proof.result]).toEqual([0, 'proven']);
    expect(await liveData()).toEqual({ ...others, addNodeScriptPath: result.url });

    const script = await (await fetch(result.url)).text();
    const words = [.../^JOIN_WORDS=\((.*)\)$/m.exec(script)![1]!.matchAll(/'([^']*)'/g)].map(([, word]) => word);
    const joined = parseJoinCommand(`kubeadm join ${words.join(' ')}`);
    expect((await preflight(cluster, joined)).passed).toBe(true);
  });

  test('says "No changes" the second time, and writes nothing', async () => {
    const before = await snapshot(cluster);
    const { exit, stdout } = await init('--yes');
    expect([exit, stdout.split('  ')[0]]).toEqual([0, 'No changes']);
    expect(await snapshot(cluster)).toStrictEqual(before);
  });

  test('publishes anew with another token, and the old one stays alive', async () => {
    const { exit, stdout } = await init('--yes', '--new-token', '-o', 'json');
    expect(exit).toBe(0);
    const tokens = await kubectl(cluster, [
      '-n',
      'kube-system',
      'get',
      'secrets',
      '-l',
      'app.kubernetes.io/managed-by=ackone-join',
      '-o',
      'name',
    ]);
    expect(tokens.trim().split('\n')).toHaveLength(2);
    expect((await liveData()).addNodeScriptPath).toBe(JSON.parse(stdout).url);
    await kubectl(cluster, [
      '-n',
      'kube-system',
      'delete',
      'secrets',
      '-l',
      'app.kubernetes.io/managed-by=ackone-join',
    ]);
  });
});
