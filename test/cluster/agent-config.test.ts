import { afterEach, expect, test } from 'vitest';
import { readAgentConfig } from '../../src/cluster/agent-config.ts';
import { readHistory } from '../../src/cluster/history.ts';
import { switchScript } from '../../src/cluster/write/agent-config.ts';
import { writeHistory } from '../../src/cluster/write/history.ts';
import { call, type KubernetesObject } from '../support/raw-api.ts';
import { agentConfig } from './objects.ts';
import { onControlPlane } from './on-control-plane.ts';
import { connectWith } from './users.ts';

const configMaps = '/api/v1/namespaces/kube-system/configmaps';
const path = `${configMaps}/ack-agent-config`;
const url = (name: string) => `https://bucket.oss-cn-hangzhou-internal.aliyuncs.com/${name}.sh`;

onControlPlane('ack-agent-config and the history', (cluster) => {
  const patch = (data: Record<string, string | null>) =>
    call(cluster.admin, 'PATCH', path, { data }, 'application/merge-patch+json');
  const stored = async () => ((await call(cluster.admin, 'GET', path)).body as KubernetesObject).data;
  const read = async () => {
    const found = await readAgentConfig(await connectWith(cluster.kubeconfig));
    if (!found) throw new Error('no ack-agent-config');
    return found;
  };

  afterEach(async () => {
    await call(cluster.admin, 'DELETE', path);
    await call(cluster.admin, 'POST', configMaps, agentConfig);
    await call(cluster.admin, 'DELETE', `${configMaps}/ackone-join`);
  });

  test('G6 H1 one key is set, the others survive, and the new state comes back', async () => {
    const connected = await connectWith(cluster.kubeconfig);
    const after = await switchScript(connected, await read(), url('one'));
    expect(await stored()).toStrictEqual({ addNodeScriptPath: url('one'), enableNodepool: 'true', isInit: 'true' });
    expect(after).toStrictEqual(await read());
    const again = await switchScript(connected, after, url('two'));
    expect(again.addNodeScriptPath).toBe(url('two'));
    expect(await stored()).toStrictEqual({ addNodeScriptPath: url('two'), enableNodepool: 'true', isInit: 'true' });
  });

  test('G6 a ConfigMap without any data takes the key', async () => {
    await call(cluster.admin, 'PATCH', path, { data: null }, 'application/merge-patch+json');
    await switchScript(await connectWith(cluster.kubeconfig), await read(), url('one'));
    expect(await stored()).toStrictEqual({ addNodeScriptPath: url('one') });
  });

  test('another key that changed in between is no reason to stop, and its change survives', async () => {
    const from = await read();
    await patch({ isInit: 'false' });
    await switchScript(await connectWith(cluster.kubeconfig), from, url('one'));
    expect(await stored()).toStrictEqual({ addNodeScriptPath: url('one'), enableNodepool: 'true', isInit: 'false' });
  });

  test('a script that somebody else set in between stays', async () => {
    const from = await read();
    await patch({ addNodeScriptPath: url('theirs') });
    const switching = switchScript(await connectWith(cluster.kubeconfig), from, url('ours'));
    await expect(switching).rejects.toMatchObject({ code: 'LiveScriptChanged' });
    expect((await stored())?.addNodeScriptPath).toBe(url('theirs'));
  });

  test('G6 a ConfigMap that is missing is not made', async () => {
    const from = await read();
    await call(cluster.admin, 'DELETE', path);
    const connected = await connectWith(cluster.kubeconfig);
    expect(await readAgentConfig(connected)).toBeUndefined();
    await expect(switchScript(connected, from, url('one'))).rejects.toMatchObject({ code: 'AgentConfigMissing' });
    expect(await call(cluster.admin, 'GET', path)).toMatchObject({ status: 404 });
  });

  const entry = (number: number) => ({
    number,
    url: url(`${number}`),
    toolVersion: '0.1.0',
    time: '2026-01-02T03:04:05Z',
    user: 'engineer@laptop',
    state: 'pending' as const,
  });
  const history = (...numbers: number[]) => ({
    schema: 'ackone-join/history/v1' as const,
    entries: numbers.map(entry),
  });

  test('the history is made once: of two first runs one loses', async () => {
    const connected = await connectWith(cluster.kubeconfig);
    expect(await readHistory(connected)).toStrictEqual({ history: history(), resourceVersion: undefined });
    const resourceVersion = await writeHistory(connected, history(1), undefined);
    await expect(writeHistory(connected, history(9), undefined)).rejects.toMatchObject({ code: 'AnotherRun' });
    expect(await readHistory(connected)).toStrictEqual({ history: history(1), resourceVersion });
  });

  test('the history is continued from what was read: of two runs one loses', async () => {
    const connected = await connectWith(cluster.kubeconfig);
    const first = await writeHistory(connected, history(1), undefined);
    const second = await writeHistory(connected, history(1, 2), first);
    await expect(writeHistory(connected, history(1, 9), first)).rejects.toMatchObject({ code: 'AnotherRun' });
    expect(await readHistory(connected)).toStrictEqual({ history: history(1, 2), resourceVersion: second });
  });
});
