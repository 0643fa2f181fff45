import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { anonymous } from '../support/raw-api.ts';
import { admin, clusterInfo, dataOf, get, system } from './support.ts';

// A start makes an RSA key, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

interface Node {
  readonly metadata: { readonly name: string; readonly labels: Record<string, string> };
  readonly spec: { readonly providerID?: string };
  readonly status: { readonly nodeInfo: { readonly kubeletVersion: string; readonly containerRuntimeVersion: string } };
}
const nodesOf = async (context: string) =>
  ((await get(admin(sandbox, context), '/api/v1/nodes')).body as { items: Node[] }).items;
const roleOf = ({ metadata: { labels } }: Node) =>
  Object.keys(labels)
    .filter((label) => label.startsWith('node-role.kubernetes.io/'))
    .map((label) => label.slice('node-role.kubernetes.io/'.length))
    .join('+');
const summary = ({ status: { nodeInfo }, ...node }: Node) =>
  [roleOf(node as Node), nodeInfo.kubeletVersion, nodeInfo.containerRuntimeVersion].join(' ');

const old = 'v1.14.10 docker://18.6.3';
test.each([
  [
    'containerd',
    'v1.28.3',
    [
      ' v1.28.3 containerd://1.6.28',
      ' v1.28.3 containerd://1.6.28',
      ...Array.from({ length: 3 }, () => 'control-plane v1.28.3 containerd://1.6.28'),
    ],
  ],
  ['docker-18.06', 'v1.14.10', [`master ${old}`, `master ${old}`, `master ${old}`, ` ${old}`, ` ${old}`]],
  [
    'mid-upgrade',
    'v1.31.4',
    [
      'control-plane+master v1.31.4 containerd://1.7.24',
      'control-plane+master v1.31.4 containerd://1.7.24',
      'control-plane+master v1.30.8 containerd://1.7.24',
      'control-plane+master v1.30.8 containerd://1.7.24',
      ' v1.29.12 containerd://1.7.20',
      ' v1.29.12 containerd://1.7.20',
    ],
  ],
  ['no-control-plane', 'v1.28.3', [' v1.28.3 containerd://1.6.28', ' v1.28.3 containerd://1.6.28']],
])('J1 J2 the nodes of %s', async (context, version, expected) => {
  expect((await nodesOf(context)).map(summary)).toEqual(expected);
  expect(await get(anonymous(admin(sandbox, context)), '/version')).toMatchObject({ body: { gitVersion: version } });
});

test('the nodes on ECS have provider ids of cn-hangzhou', async () => {
  const ids = (await nodesOf('containerd')).map(({ spec }) => spec.providerID);
  expect(ids.filter((id) => id?.startsWith('cn-hangzhou.i-'))).toHaveLength(2);
});

test('kubeadm leaves its configuration, named as in its time', async () => {
  const usual = await dataOf(admin(sandbox), `${system}/configmaps/kubelet-config`);
  expect(parse(usual.kubelet ?? '')).toMatchObject({ cgroupDriver: 'systemd' });
  const kubeadm = await dataOf(admin(sandbox), `${system}/configmaps/kubeadm-config`);
  expect(parse(kubeadm.ClusterConfiguration ?? '')).toMatchObject({
    kubernetesVersion: 'v1.28.3',
    imageRepository: 'registry.aliyuncs.com/google_containers',
  });
  const docker = admin(sandbox, 'docker-18.06');
  expect(await dataOf(docker, `${system}/configmaps/kubelet-config-1.14`)).toHaveProperty('kubelet');
  expect((await get(docker, `${system}/configmaps/kubelet-config`)).status).toBe(404);
  const upgrading = await dataOf(admin(sandbox, 'mid-upgrade'), `${system}/configmaps/kube-proxy`);
  expect(parse(upgrading['config.conf'] ?? '')).toMatchObject({ mode: 'ipvs' });
});

test("the agent's ConfigMap has other keys and no script yet", async () => {
  expect(await dataOf(admin(sandbox), `${system}/configmaps/ack-agent-config`)).toEqual({
    enableNodepool: 'true',
    isInit: 'true',
  });
});

describe('cluster-info', () => {
  test.each([
    ['containerd', 'https://192.0.2.10:6443', 'ec'],
    ['docker-18.06', 'https://192.0.2.20:6443', 'rsa'],
  ])('E4 of %s names the server of the kubeconfig and its CA', async (context, server, keyType) => {
    const connection = admin(sandbox, context);
    const { kubeconfig = '' } = await dataOf(anonymous(connection), clusterInfo);
    const { cluster } = (parse(kubeconfig) as { clusters: { cluster: Record<string, string> }[] }).clusters[0]!;
    expect([cluster.server, connection.server]).toEqual([server, server]);
    const pem = Buffer.from(cluster['certificate-authority-data'] ?? '', 'base64').toString();
    expect(pem).toBe(connection.ca);
    const certificate = new X509Certificate(pem);
    expect(certificate.ca).toBe(true);
    expect(certificate.publicKey.asymmetricKeyType).toBe(keyType);
  });
});

test('H4 the proxy leads to the clusters and nowhere else', async () => {
  const connection = admin(sandbox);
  await expect(get({ ...connection, server: 'https://192.0.2.99:6443' }, '/version')).rejects.toThrow();
  const response = await fetch(`${connection.proxyUrl}/version`);
  expect(response.status).toBe(405);
});

test('another context can be the current one, and one that is not there cannot', async () => {
  const other = await startSandbox({ context: 'docker-18.06' });
  expect(await get(admin(other), '/version')).toMatchObject({ body: { gitVersion: 'v1.14.10' } });
  await other.close();
  await expect(startSandbox({ context: 'k3s' })).rejects.toMatchObject({ code: 'ContextUnknown' });
});
