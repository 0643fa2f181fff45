import { expect, test } from 'vitest';
import { readFacts } from '../../src/cluster/facts.ts';
import { awaitSignature, drawToken, tokenSecret } from '../../src/cluster/token.ts';
import type { BootstrapToken } from '../../src/cluster/types.ts';
import { createToken, deleteToken } from '../../src/cluster/write/token.ts';
import { joinTarget, parseJoinCommand } from '../../src/script/join-command.ts';
import type { JoinTarget } from '../../src/script/types.ts';
import { createToken as createTokenByHand, draw, removeToken } from '../support/bootstrap-token.ts';
import { preflight, printedJoinCommand } from './join.ts';
import { onControlPlane } from './on-control-plane.ts';
import { connectWith } from './users.ts';

const groups = ['system:bootstrappers:kubeadm:default-node-token'];

onControlPlane('kubeadm itself, with our join command', (cluster) => {
  async function target(token: BootstrapToken): Promise<JoinTarget> {
    const { discovery } = await readFacts(await connectWith(cluster.kubeconfig, true));
    if (!discovery) throw new Error('no cluster-info');
    return joinTarget(discovery.value, token);
  }

  test('our token and the pin of the CA pass discovery, and the cluster is read with the token', async () => {
    const connected = await connectWith(cluster.kubeconfig);
    const token = drawToken();
    await createToken(connected, tokenSecret(token, { style: 'kubeadm', ttlSeconds: 0, groups, now: new Date() }));
    await awaitSignature(connected, token.id, { timeoutMs: 30_000 });
    const { passed, output } = await preflight(cluster, await target(token));
    expect(output).toContain('Cluster info signature and contents are valid and TLS certificate validates');
    expect(output).toContain('Reading configuration from the "kubeadm-config" ConfigMap');
    expect(passed).toBe(true);
    await deleteToken(connected, token.id);
  });

  test('the join command is the one that kubeadm prints', async () => {
    const token = draw();
    const printed = await printedJoinCommand(cluster, `${token.id}.${token.secret}`);
    expect(parseJoinCommand(printed)).toStrictEqual(await target(token));
    await removeToken(cluster.admin, token);
  });

  test('E4 another pin is refused', async () => {
    const token = draw();
    await createTokenByHand(cluster.admin, token);
    await awaitSignature(await connectWith(cluster.kubeconfig), token.id, { timeoutMs: 30_000 });
    const { passed, output } = await preflight(cluster, {
      ...(await target(token)),
      pins: [`sha256:${'0'.repeat(64)}`],
    });
    expect(output).toContain('none of the public keys');
    expect(passed).toBe(false);
    await removeToken(cluster.admin, token);
  });

  test('E1 a token past its expiration finds no signature', async () => {
    const token = draw();
    await createTokenByHand(cluster.admin, token, { expiration: '2020-01-01T00:00:00Z' });
    const { passed, output } = await preflight(cluster, await target(token));
    expect(output).toContain(`could not find a JWS signature in the cluster-info ConfigMap for token ID "${token.id}"`);
    expect(passed).toBe(false);
  });

  test('the second half of another token does not verify the signature', async () => {
    const token = draw();
    await createTokenByHand(cluster.admin, token);
    await awaitSignature(await connectWith(cluster.kubeconfig), token.id, { timeoutMs: 30_000 });
    const { passed, output } = await preflight(cluster, await target({ ...token, secret: '0123456789abcdef' }));
    expect(output).toContain('failed to verify JWS signature');
    expect(passed).toBe(false);
    await removeToken(cluster.admin, token);
  });
});
