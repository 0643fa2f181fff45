import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { missingPermissions, rbacManifest } from '../../src/cluster/permissions.ts';
import { type Connection, call, connectionOf } from '../support/raw-api.ts';
import { agentConfig } from './objects.ts';
import { onControlPlane } from './on-control-plane.ts';
import { refusedCalls } from './publishing.ts';
import { manifestWithout, type Right, rightsIn } from './rights.ts';
import { connectWith, kubectl, newUser } from './users.ts';

const publisher = { kind: 'User', name: 'publisher' } as const;
const configMaps = '/api/v1/namespaces/kube-system/configmaps';
const secrets = '/api/v1/namespaces/kube-system/secrets';

/** Written by hand from what publishing does, not taken from the table that the manifest comes from. */
const needed: readonly Right[] = [
  { namespace: undefined, verb: 'list', resource: 'nodes', name: undefined },
  { namespace: 'kube-public', verb: 'get', resource: 'configmaps', name: 'cluster-info' },
  { namespace: 'kube-system', verb: 'get', resource: 'configmaps', name: 'kubeadm-config' },
  { namespace: 'kube-system', verb: 'get', resource: 'configmaps', name: 'kubelet-config' },
  { namespace: 'kube-system', verb: 'get', resource: 'configmaps', name: 'kube-proxy' },
  { namespace: 'kube-system', verb: 'get', resource: 'configmaps', name: 'ack-agent-config' },
  { namespace: 'kube-system', verb: 'patch', resource: 'configmaps', name: 'ack-agent-config' },
  { namespace: 'kube-system', verb: 'get', resource: 'configmaps', name: 'ackone-join' },
  { namespace: 'kube-system', verb: 'patch', resource: 'configmaps', name: 'ackone-join' },
  { namespace: 'kube-system', verb: 'create', resource: 'configmaps', name: undefined },
  { namespace: 'kube-system', verb: 'create', resource: 'secrets', name: undefined },
  { namespace: 'kube-system', verb: 'get', resource: 'secrets', name: undefined },
  { namespace: 'kube-system', verb: 'delete', resource: 'secrets', name: undefined },
];

/** Where kubeadm kept the kubelet's configuration before 1.24. */
const forOldClusters: readonly Right[] = Array.from({ length: 12 }, (_, index) => ({
  namespace: 'kube-system',
  verb: 'get',
  resource: 'configmaps',
  name: `kubelet-config-1.${12 + index}`,
}));

onControlPlane('the role that docs/permissions.md prints', (cluster) => {
  let kubeconfig: string;
  let user: Connection;

  beforeAll(async () => {
    kubeconfig = await newUser(cluster, publisher.name);
    user = connectionOf(readFileSync(kubeconfig, 'utf8'));
    await kubectl(cluster, ['apply', '-f', '-'], rbacManifest(publisher));
    await onlyMissing([]);
  });
  afterAll(async () => {
    await kubectl(cluster, ['delete', '-f', '-'], rbacManifest(publisher));
    await call(cluster.admin, 'DELETE', `${configMaps}/ack-agent-config`);
    await call(cluster.admin, 'POST', configMaps, agentConfig);
  });

  const missingFor = async (path: string) =>
    (await missingPermissions(await connectWith(path))).map(({ namespace, verb, resource, name }) => ({
      namespace,
      verb,
      resource,
      name,
    }));

  /** Waits until the API server knows of the change, which takes it a moment. */
  const onlyMissing = (rights: readonly Right[]) =>
    vi.waitFor(async () => expect(await missingFor(kubeconfig)).toStrictEqual(rights), {
      timeout: 10_000,
      interval: 100,
    });

  test('is what the preflight finds missing for a user who has no right at all', async () => {
    expect(await missingFor(await newUser(cluster, 'nobody'))).toStrictEqual(needed);
  });

  test('lets every call of publishing pass', async () => {
    expect(await refusedCalls(cluster, await connectWith(kubeconfig))).toStrictEqual([]);
  });

  test('grants what is needed and nothing more', async () => {
    const nobody = connectionOf(readFileSync(await newUser(cluster, 'nobody'), 'utf8'));
    for (const namespace of ['kube-system', 'kube-public', 'default']) {
      const everybodys = await rightsIn(nobody, namespace);
      const granted = (await rightsIn(user, namespace)).filter((right) => !everybodys.includes(right));
      const expected = [...needed, ...forOldClusters]
        .filter((right) => right.namespace === undefined || right.namespace === namespace)
        .map(({ verb, resource, name }) => [verb, resource, name].filter(Boolean).join(' '));
      expect(granted).toStrictEqual(expected.sort());
    }
  });

  test.each([
    ['DELETE', `${configMaps}/ack-agent-config`],
    ['PUT', `${configMaps}/ack-agent-config`],
    ['PATCH', `${configMaps}/kubeadm-config`],
    ['PATCH', `${configMaps}/kubelet-config`],
    ['GET', configMaps],
    ['GET', secrets],
    ['PATCH', `${secrets}/bootstrap-token-abcdef`],
    ['GET', '/api/v1/namespaces/default/secrets/any'],
    ['POST', '/api/v1/namespaces/default/configmaps'],
    ['PATCH', '/api/v1/namespaces/kube-public/configmaps/cluster-info'],
    ['GET', '/api/v1/nodes/cp-1'],
    ['DELETE', '/api/v1/nodes/cp-1'],
    ['POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings'],
  ])('refuses %s %s', async (method, path) => {
    const body = method === 'GET' || method === 'DELETE' ? undefined : {};
    const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    expect(await call(user, method, path, body, contentType)).toMatchObject({
      status: 403,
      body: { reason: 'Forbidden' },
    });
  });

  describe('with one right taken away', () => {
    test.each(needed.map((right) => [Object.values(right).filter(Boolean).join(' '), right] as const))(
      '%s: the preflight names it, and publishing fails',
      async (_text, right) => {
        await kubectl(cluster, ['apply', '-f', '-'], manifestWithout(rbacManifest(publisher), right));
        await onlyMissing([right]);
        expect(await refusedCalls(cluster, await connectWith(kubeconfig))).not.toStrictEqual([]);
      },
    );
  });
});
