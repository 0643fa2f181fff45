import { afterEach, expect, test, vi } from 'vitest';
import { readFacts } from '../../src/cluster/facts.ts';
import { awaitSignature, drawToken, proveToken, readToken, tokenSecret } from '../../src/cluster/token.ts';
import type { BootstrapToken, DiscoveryFact, TokenProof } from '../../src/cluster/types.ts';
import { createToken, deleteToken } from '../../src/cluster/write/token.ts';
import { createToken as createTokenByHand, draw, removeToken, signature } from '../support/bootstrap-token.ts';
import { call, type KubernetesObject } from '../support/raw-api.ts';
import { foreignToken } from './kubeadm.ts';
import { onControlPlane } from './on-control-plane.ts';
import { connectWith } from './users.ts';

const nodeGroup = 'system:bootstrappers:kubeadm:default-node-token';
const clusterInfo = '/api/v1/namespaces/kube-public/configmaps/cluster-info';
const secretName = (id: string) => `bootstrap-token-${id}`;
const secretPath = (id: string) => `/api/v1/namespaces/kube-system/secrets/${secretName(id)}`;

onControlPlane('a bootstrap token', (cluster) => {
  const undo: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step();
  });

  async function made(groups = [nodeGroup]): Promise<BootstrapToken> {
    const connected = await connectWith(cluster.kubeconfig);
    const token = drawToken();
    await createToken(connected, tokenSecret(token, { style: 'kubeadm', ttlSeconds: 0, groups, now: new Date() }));
    undo.push(() => removeToken(cluster.admin, token));
    return token;
  }

  async function discovery(): Promise<DiscoveryFact> {
    const facts = await readFacts(await connectWith(cluster.kubeconfig));
    if (!facts.discovery) throw new Error('no cluster-info');
    return facts.discovery.value;
  }

  async function proof(token: BootstrapToken): Promise<TokenProof> {
    return proveToken(await connectWith(cluster.kubeconfig), await discovery(), token, 34);
  }

  /** Takes one of kubeadm's objects away until the end of the test. */
  async function without(path: string): Promise<void> {
    const { body } = await call(cluster.admin, 'GET', path);
    const { metadata, ...rest } = body as KubernetesObject;
    const collection = path.slice(0, path.lastIndexOf('/'));
    const object = { ...rest, metadata: { name: metadata.name } };
    undo.push(() => call(cluster.admin, 'POST', collection, object));
    expect(await call(cluster.admin, 'DELETE', path)).toMatchObject({ status: 200 });
  }

  test('E1 E2 is signed by the real controller manager, and proven by use', async () => {
    const token = await made();
    await awaitSignature(await connectWith(cluster.kubeconfig), token.id, { timeoutMs: 30_000 });
    const { body } = await call(cluster.admin, 'GET', clusterInfo);
    const { kubeconfig = '', ...signatures } = (body as KubernetesObject).data ?? {};
    expect(signatures[`jws-kubeconfig-${token.id}`]).toBe(signature(kubeconfig, token));
    expect(await proof(token)).toMatchObject({ result: 'proven' });
    const stored = (await call(cluster.admin, 'GET', secretPath(token.id))).body as KubernetesObject;
    expect(stored.data).not.toHaveProperty('expiration');
    expect(await readToken(await connectWith(cluster.kubeconfig), token.id)).toStrictEqual({
      token,
      expiration: undefined,
      groups: [nodeGroup],
      usable: true,
    });
  });

  test('E2 that is not for signing is never signed, and the wait ends', async () => {
    const token = draw();
    await createTokenByHand(cluster.admin, token, { 'usage-bootstrap-signing': undefined });
    undo.push(() => removeToken(cluster.admin, token));
    const wait = awaitSignature(await connectWith(cluster.kubeconfig), token.id, { timeoutMs: 1_000 });
    await expect(wait).rejects.toMatchObject({ code: 'TokenNotSigned' });
  });

  const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
  const systemBindings = '/apis/rbac.authorization.k8s.io/v1/namespaces/kube-system/rolebindings';
  const publicBindings = '/apis/rbac.authorization.k8s.io/v1/namespaces/kube-public/rolebindings';

  test.each([
    [`${bindings}/kubeadm:kubelet-bootstrap`, /create certificatesigningrequests$/],
    [`${bindings}/kubeadm:node-autoapprove-bootstrap`, /create certificatesigningrequests\/nodeclient/],
    [`${bindings}/kubeadm:get-nodes`, /get nodes/],
    [`${systemBindings}/kubeadm:nodes-kubeadm-config`, /kube-system\/kubeadm-config/],
    [`${systemBindings}/kubeadm:kubelet-config`, /kube-system\/kubelet-config/],
    [`${publicBindings}/kubeadm:bootstrap-signer-clusterinfo`, /cluster-info/],
  ])('E7 E8 is refuted without %s, and only because of it', async (path, missing) => {
    const token = await made();
    const { server, caPem } = await discovery();
    await without(path);
    await vi.waitFor(
      async () => {
        const connected = await connectWith(cluster.kubeconfig);
        const known: DiscoveryFact = { server, caPem, pins: [], signedFor: [], anonymous: 'readable' };
        const result = await proveToken(connected, known, token, 34);
        expect(result).toStrictEqual({ result: 'refuted', missing: [expect.stringMatching(missing)] });
      },
      { timeout: 10_000, interval: 100 },
    );
  });

  test('of a group that nothing is granted to is refuted, with all that it lacks', async () => {
    const token = await made(['system:bootstrappers:elsewhere']);
    const result = await proof(token);
    expect(result).toMatchObject({ result: 'refuted' });
    expect(result.result === 'refuted' && result.missing).toHaveLength(5);
  });

  test('that the API server does not let in is refuted', async () => {
    expect(await proof(draw())).toMatchObject({ result: 'refuted', missing: [expect.stringContaining('log-in')] });
  });

  test('cannot be proven at a server that nobody reaches: neither proven nor refuted', async () => {
    const elsewhere = { ...(await discovery()), server: 'https://192.0.2.99:6443' };
    const connected = await connectWith(cluster.kubeconfig);
    expect(await proveToken(connected, elsewhere, foreignToken, 34)).toMatchObject({ result: 'unreachable' });
  });

  test('whose id is taken is a conflict, and the other one stays', async () => {
    const connected = await connectWith(cluster.kubeconfig);
    const before = (await call(cluster.admin, 'GET', secretPath(foreignToken.id))).body;
    const rival = { id: foreignToken.id, secret: 'zzzzzzzzzzzzzzzz' };
    const secret = tokenSecret(rival, { style: 'kubeadm', ttlSeconds: 0, groups: [nodeGroup], now: new Date() });
    await expect(createToken(connected, secret)).rejects.toMatchObject({ code: 'ClusterConflict' });
    expect((await call(cluster.admin, 'GET', secretPath(foreignToken.id))).body).toStrictEqual(before);
  });

  test('E9 of ours is deleted, one of others is not', async () => {
    const connected = await connectWith(cluster.kubeconfig);
    const ours = await made();
    await deleteToken(connected, ours.id);
    await deleteToken(connected, foreignToken.id);
    expect(await call(cluster.admin, 'GET', secretPath(ours.id))).toMatchObject({ status: 404 });
    expect(await call(cluster.admin, 'GET', secretPath(foreignToken.id))).toMatchObject({ status: 200 });
  });

  test('E9 that was made anew in between is not deleted', async () => {
    const connected = await connectWith(cluster.kubeconfig);
    const token = await made();
    const stale = await connected.core.readNamespacedSecret({ namespace: 'kube-system', name: secretName(token.id) });
    await removeToken(cluster.admin, token);
    await createToken(
      connected,
      tokenSecret(token, { style: 'kubeadm', ttlSeconds: 0, groups: [nodeGroup], now: new Date() }),
    );
    const core = Object.create(connected.core, { readNamespacedSecret: { value: async () => stale } });
    await expect(deleteToken({ core }, token.id)).rejects.toMatchObject({ code: 'ClusterConflict' });
    expect(await call(cluster.admin, 'GET', secretPath(token.id))).toMatchObject({ status: 200 });
  });

  test('with a time to live is taken away by the real token cleaner when that is over', async () => {
    const connected = await connectWith(cluster.kubeconfig);
    const token = drawToken();
    await createToken(
      connected,
      tokenSecret(token, { style: 'kubeadm', ttlSeconds: 3, groups: [nodeGroup], now: new Date() }),
    );
    undo.push(() => removeToken(cluster.admin, token));
    expect((await readToken(connected, token.id))?.usable).toBe(true);
    await vi.waitFor(async () => expect(await readToken(connected, token.id)).toBeUndefined(), {
      timeout: 20_000,
      interval: 200,
    });
  });
});
