/** Bootstrap tokens: who signs cluster-info, who is let in, as whom. */
import { expect, test, vi } from 'vitest';
import { createToken, draw, presenting, removeToken, signature } from '../support/bootstrap-token.ts';
import { anonymous, type Connection, call, type KubernetesObject } from '../support/raw-api.ts';
import { type Admin, clusterInfo, configMaps, failure } from './expectations.ts';

const unauthorized = failure(401, 'Unauthorized', 'Unauthorized');

/** What cluster-info holds, to anybody. */
async function readClusterInfo(admin: Connection): Promise<Record<string, string>> {
  const { body } = await call(anonymous(admin), 'GET', clusterInfo);
  return (body as KubernetesObject).data ?? {};
}

/** An API server and its controllers learn of a change a moment later, and remember a token for ten seconds. */
const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 20_000, interval: 100 });

export function tokens(admin: Admin): void {
  test('E2 cluster-info gets a signature for a new token, and loses it with the token', async () => {
    const token = draw();
    await createToken(admin(), token);
    await eventually(async () => {
      const { kubeconfig = '', ...signatures } = await readClusterInfo(admin());
      expect(signatures[`jws-kubeconfig-${token.id}`]).toBe(signature(kubeconfig, token));
    });
    await removeToken(admin(), token);
    await eventually(async () => {
      expect(await readClusterInfo(admin())).not.toHaveProperty(`jws-kubeconfig-${token.id}`);
    });
  });

  test('E2 a token without usage-bootstrap-signing, and one past its time, get no signature', async () => {
    const [unsigned, expired, signed] = [draw(), draw(), draw()];
    await createToken(admin(), unsigned, { 'usage-bootstrap-signing': undefined });
    await createToken(admin(), expired, { expiration: '2020-01-01T00:00:00Z' });
    await createToken(admin(), signed);
    await eventually(async () => {
      expect(await readClusterInfo(admin())).toHaveProperty(`jws-kubeconfig-${signed.id}`);
    });
    const held = await readClusterInfo(admin());
    expect(held).not.toHaveProperty(`jws-kubeconfig-${unsigned.id}`);
    expect(held).not.toHaveProperty(`jws-kubeconfig-${expired.id}`);
    for (const token of [unsigned, expired, signed]) await removeToken(admin(), token);
  });

  test('E1 a token without expiration is let in, and reads what a joining node reads', async () => {
    const token = draw();
    await createToken(admin(), token);
    await eventually(async () => {
      for (const name of ['kubeadm-config', 'kubelet-config'])
        expect(await call(presenting(admin(), token), 'GET', `${configMaps}/${name}`)).toMatchObject({ status: 200 });
    });
    await removeToken(admin(), token);
    await eventually(async () => {
      expect(await call(presenting(admin(), token), 'GET', `${configMaps}/kubeadm-config`)).toMatchObject(unauthorized);
    });
  });

  test.each([
    ['E1 past its expiration', { expiration: '2020-01-01T00:00:00Z' }],
    ['E1 whose expiration is no time', { expiration: 'never' }],
    ['E1 whose expiration is 0', { expiration: '0' }],
    ['without usage-bootstrap-authentication', { 'usage-bootstrap-authentication': undefined }],
    ['whose usage is not the word true', { 'usage-bootstrap-authentication': 'yes' }],
    ['whose id is not the one in its name', { 'token-id': 'zzzzzz' }],
    ['with a group that is none of the bootstrappers', { 'auth-extra-groups': 'system:masters' }],
  ])('a token %s is 401', async (_what, data) => {
    const [token, good] = [draw(), draw()];
    await createToken(admin(), token, data);
    await createToken(admin(), good);
    // Once the later one is let in, the server knows of the earlier one too.
    await eventually(async () => {
      expect(await call(presenting(admin(), good), 'GET', `${configMaps}/kubeadm-config`)).toMatchObject({
        status: 200,
      });
    });
    expect(await call(presenting(admin(), token), 'GET', `${configMaps}/kubeadm-config`)).toMatchObject(unauthorized);
    await removeToken(admin(), token);
    await removeToken(admin(), good);
  });

  test('a token of another group is let in as a bootstrapper and may read nothing', async () => {
    const token = draw();
    await createToken(admin(), token, { 'auth-extra-groups': 'system:bootstrappers:elsewhere' });
    const user = `system:bootstrap:${token.id}`;
    await eventually(async () => {
      expect(await call(presenting(admin(), token), 'GET', `${configMaps}/kubeadm-config`)).toMatchObject(
        failure(
          403,
          'Forbidden',
          `configmaps "kubeadm-config" is forbidden: User "${user}" cannot get resource "configmaps" in API group "" in the namespace "kube-system"`,
          { name: 'kubeadm-config', kind: 'configmaps' },
        ),
      );
    });
    await removeToken(admin(), token);
  });
}
