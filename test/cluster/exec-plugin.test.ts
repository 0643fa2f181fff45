import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { readFacts } from '../../src/cluster/facts.ts';
import { rbacManifest } from '../../src/cluster/permissions.ts';
import { onControlPlane } from './on-control-plane.ts';
import { connectWith, kubectl, newUser } from './users.ts';

const decoded = (base64 = '') => Buffer.from(base64, 'base64').toString();
const account = { kind: 'ServiceAccount', name: 'pipeline', namespace: 'default' } as const;

onControlPlane('a kubeconfig whose credentials come from a command', (cluster) => {
  /** A kubeconfig of nobody, but for `command`, which prints an ExecCredential. */
  async function kubeconfigWith(command: string): Promise<string> {
    const config = parse(await kubectl(cluster, ['config', 'view', '--raw'])) as { users: object[] };
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: 'sh',
      args: ['-c', command],
      interactiveMode: 'Never',
    };
    const users = [{ name: 'kubernetes-admin', user: { exec } }];
    const path = join(cluster.folder, 'exec.kubeconfig');
    await writeFile(path, stringify({ ...config, users }), { mode: 0o600 });
    return path;
  }

  const credential = (status: object) =>
    `printf %s '${JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status })}'`;

  test('H5 a token of a ServiceAccount lets in who may do what is needed', async () => {
    await kubectl(cluster, ['create', 'serviceaccount', account.name]);
    await kubectl(cluster, ['apply', '-f', '-'], rbacManifest(account));
    const token = (await kubectl(cluster, ['create', 'token', account.name])).trim();
    const facts = await readFacts(await connectWith(await kubeconfigWith(credential({ token }))));
    expect(facts.nodes).toHaveLength(5);
    expect(facts.unread).toStrictEqual([]);
    await kubectl(cluster, ['delete', '-f', '-'], rbacManifest(account));
    await kubectl(cluster, ['delete', 'serviceaccount', account.name]);
  });

  test('H5 a client certificate lets in its user, whose rights are not there', async () => {
    const user = parse(await readFile(await newUser(cluster, 'certified'), 'utf8')) as {
      users: [{ user: Record<string, string> }];
    };
    const [{ user: given }] = user.users;
    const status = {
      clientCertificateData: decoded(given['client-certificate-data']),
      clientKeyData: decoded(given['client-key-data']),
    };
    const connected = await connectWith(await kubeconfigWith(credential(status)));
    await expect(connected.core.listNode()).rejects.toMatchObject({ code: 'ClusterForbidden' });
  });

  test('H5 a token that nobody knows is named as such', async () => {
    const connected = await connectWith(await kubeconfigWith(credential({ token: 'nonsense' })));
    await expect(connected.core.listNode()).rejects.toMatchObject({ code: 'ClusterUnauthorized' });
  });
});
