import { expect, test } from 'vitest';
import { readAgentConfig } from '../../src/cluster/agent-config.ts';
import { readFacts } from '../../src/cluster/facts.ts';
import { readHistory } from '../../src/cluster/history.ts';
import { missingPermissions } from '../../src/cluster/permissions.ts';
import { drawToken, proveToken, readToken, tokenSecret } from '../../src/cluster/token.ts';
import { switchScript } from '../../src/cluster/write/agent-config.ts';
import { writeHistory } from '../../src/cluster/write/history.ts';
import { createToken, deleteToken } from '../../src/cluster/write/token.ts';
import { createToken as createTokenByHand, draw, removeToken } from '../support/bootstrap-token.ts';
import { call } from '../support/raw-api.ts';
import { foreignToken } from './kubeadm.ts';
import { onControlPlane } from './on-control-plane.ts';
import { settled, snapshot } from './store.ts';
import { connectWith } from './users.ts';

const groups = ['system:bootstrappers:kubeadm:default-node-token'];

onControlPlane('a run that may only read', (cluster) => {
  test('reads everything and leaves every object in the API server as it was', async () => {
    const before = await settled(cluster);
    const readOnly = await connectWith(cluster.kubeconfig, true);
    const { discovery } = await readFacts(readOnly);
    expect(await missingPermissions(readOnly)).toStrictEqual([]);
    await readAgentConfig(readOnly);
    await readHistory(readOnly);
    expect((await readToken(readOnly, foreignToken.id))?.usable).toBe(true);
    expect(discovery && (await proveToken(readOnly, discovery.value, foreignToken, 34)).result).toBe('proven');
    expect(await snapshot(cluster)).toStrictEqual(before);
  });

  test('every write stops at the gate, and every object is as it was', async () => {
    const token = draw();
    await createTokenByHand(cluster.admin, token);
    const path = `/api/v1/namespaces/kube-system/secrets/bootstrap-token-${token.id}`;
    const labels = { 'app.kubernetes.io/managed-by': 'ackone-join' };
    await call(cluster.admin, 'PATCH', path, { metadata: { labels } }, 'application/merge-patch+json');
    const before = await settled(cluster);
    const readOnly = await connectWith(cluster.kubeconfig, true);
    const agentConfig = await readAgentConfig(readOnly);
    const secret = tokenSecret(drawToken(), { style: 'kubeadm', ttlSeconds: 0, groups, now: new Date() });
    const history = { schema: 'ackone-join/history/v1', entries: [] } as const;
    const writes = [
      () => createToken(readOnly, secret),
      () => deleteToken(readOnly, token.id),
      () => switchScript(readOnly, agentConfig ?? { addNodeScriptPath: undefined, resourceVersion: '' }, 'http://a/b'),
      () => writeHistory(readOnly, history, undefined),
      () => writeHistory(readOnly, history, '1'),
    ];
    for (const write of writes) await expect(write()).rejects.toMatchObject({ code: 'Bug' });
    expect(await snapshot(cluster)).toStrictEqual(before);
    await removeToken(cluster.admin, token);
  });
});
