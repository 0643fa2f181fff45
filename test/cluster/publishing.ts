/** Every call that publishing makes to the cluster, each by itself. */
import { readAgentConfig } from '../../src/cluster/agent-config.ts';
import { readConfigMap } from '../../src/cluster/config-map.ts';
import type { Cluster } from '../../src/cluster/connect.ts';
import { readFacts } from '../../src/cluster/facts.ts';
import { readHistory } from '../../src/cluster/history.ts';
import { awaitSignature, drawToken, readToken, tokenSecret } from '../../src/cluster/token.ts';
import { switchScript } from '../../src/cluster/write/agent-config.ts';
import { writeHistory } from '../../src/cluster/write/history.ts';
import { createToken, deleteToken } from '../../src/cluster/write/token.ts';
import { Failure } from '../../src/errors.ts';
import { call } from '../support/raw-api.ts';
import type { TestCluster } from './on-control-plane.ts';
import { connectWith } from './users.ts';

const configMaps = '/api/v1/namespaces/kube-system/configmaps';
const groups = ['system:bootstrappers:kubeadm:default-node-token'];
const history = { schema: 'ackone-join/history/v1', entries: [] } as const;

/** @returns the names of the calls that `user` was refused. What a call finds there is prepared by the administrator. */
export async function refusedCalls(cluster: TestCluster, user: Cluster): Promise<string[]> {
  const admin = await connectWith(cluster.kubeconfig);
  const refused: string[] = [];
  const attempt = async (name: string, action: () => Promise<unknown>) => {
    try {
      await action();
    } catch (error) {
      const lacksRight = error instanceof Failure && ['ClusterForbidden', 'SwitchedButUnverified'].includes(error.code);
      if (!lacksRight) throw error;
      refused.push(name);
    }
  };
  await attempt('facts', async () => {
    const { unread } = await readFacts(user);
    if (unread.length > 0) refused.push(...unread.map(({ why }) => why));
  });
  // Where the kubeconfig leads to a proxy that refuses anonymous requests, this is the only way.
  await attempt('cluster-info', () => readConfigMap(user, 'kube-public', 'cluster-info'));

  const [token, prepared] = [drawToken(), drawToken()];
  const secret = (which: typeof token) =>
    tokenSecret(which, { style: 'kubeadm', ttlSeconds: 0, groups, now: new Date() });
  await createToken(admin, secret(prepared));
  await attempt('make the token', () => createToken(user, secret(token)));
  await attempt('wait for the signature', () => awaitSignature(user, prepared.id, { timeoutMs: 30_000 }));
  await attempt('read the token', () => readToken(user, prepared.id));
  await attempt('delete the token', () => deleteToken(user, prepared.id));
  await deleteToken(admin, token.id);
  await deleteToken(admin, prepared.id);

  await call(cluster.admin, 'DELETE', `${configMaps}/ackone-join`);
  await attempt('read the history', () => readHistory(user));
  await attempt('begin the history', () => writeHistory(user, history, undefined));
  const begun = (await readHistory(admin)).resourceVersion ?? (await writeHistory(admin, history, undefined));
  await attempt('continue the history', () => writeHistory(user, { ...history }, begun));
  await call(cluster.admin, 'DELETE', `${configMaps}/ackone-join`);

  const live = await readAgentConfig(admin);
  if (!live) throw new Error('no ack-agent-config');
  await attempt('read what is live', () => readAgentConfig(user));
  await attempt('switch', () => switchScript(user, live, `https://bucket.example.com/${token.id}.sh`));
  return refused;
}
