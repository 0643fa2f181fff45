import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { readFacts } from '../../src/cluster/facts.ts';
import { configMap, type FakeApi, forbidden, ok, raw, refused, startFakeApi } from './fake-api.ts';
import { open } from './open.ts';
import { rejection } from './rejection.ts';

const pin = 'sha256:0b8a018aa38a47b99a964e8715d1b706adb5f155e16c7a5ae81cc55ab9f9a96b';
const otherCa = readFileSync(new URL('fixtures/ca-ec.pem', import.meta.url), 'utf8');
const inKubeSystem = (name: string) => `GET /api/v1/namespaces/kube-system/configmaps/${name}`;
const clusterInfo = 'GET /api/v1/namespaces/kube-public/configmaps/cluster-info';

let api: FakeApi;
beforeAll(async () => {
  api = await startFakeApi();
});
afterEach(() => api.reset());
afterAll(() => api.close());

const node = (name: string, labels: Record<string, string>, providerID?: string) => ({
  metadata: { name, labels },
  spec: { providerID },
  status: { nodeInfo: { kubeletVersion: 'v1.28.3', containerRuntimeVersion: 'containerd://1.6.28' } },
});
const clusterInfoOf = (server: string, ca: string) =>
  configMap('cluster-info', {
    kubeconfig: stringify({
      clusters: [{ name: '', cluster: { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') } }],
    }),
    'jws-kubeconfig-abcdef': 'x..y',
  });

/** A healthy kubeadm cluster of 1.28. */
function script(version = 'v1.28.3'): void {
  api.on('GET /version', ok({ major: '1', minor: '28', gitVersion: version }));
  api.on(
    'GET /api/v1/nodes',
    ok({
      kind: 'NodeList',
      items: [
        node('cp-1', { 'node-role.kubernetes.io/control-plane': '' }),
        node('cn-hangzhou.192.0.2.21', {}, 'cn-hangzhou.i-bp1'),
      ],
    }),
  );
  api.on(
    inKubeSystem('kubeadm-config'),
    ok(
      configMap('kubeadm-config', {
        ClusterConfiguration: stringify({
          kubernetesVersion: 'v1.28.3',
          imageRepository: 'registry.example.com/k8s',
          controlPlaneEndpoint: '192.0.2.10:6443',
          clusterName: 'prod-hz',
        }),
      }),
    ),
  );
  api.on(
    inKubeSystem('kubelet-config'),
    ok(
      configMap('kubelet-config', {
        kubelet: stringify({
          cgroupDriver: 'systemd',
          resolvConf: '/run/systemd/resolve/resolv.conf',
          failCgroupV1: false,
        }),
      }),
    ),
  );
  api.on(inKubeSystem('kube-proxy'), ok(configMap('kube-proxy', { 'config.conf': stringify({ mode: 'ipvs' }) })));
  api.on(clusterInfo, ok(clusterInfoOf(api.url, api.ca)));
  api.on(
    inKubeSystem('ack-agent-config'),
    ok(
      configMap('ack-agent-config', { addNodeScriptPath: ' https://old.example.com/join.sh\n', isInit: 'true' }, '42'),
    ),
  );
}
const facts = async () => readFacts(await open(api));

test('a healthy cluster is read whole, each fact with its source', async () => {
  script();
  const found = await facts();
  expect(found).toMatchObject({
    context: 'lab',
    clusterName: 'prod-hz',
    kubeconfigServer: api.url,
    serverVersion: { value: 'v1.28.3', source: 'GET /version' },
    kubeadm: {
      value: {
        kubernetesVersion: 'v1.28.3',
        imageRepository: 'registry.example.com/k8s',
        controlPlaneEndpoint: '192.0.2.10:6443',
        clusterName: 'prod-hz',
      },
      source: 'ConfigMap kube-system/kubeadm-config',
    },
    kubelet: {
      value: { cgroupDriver: 'systemd', resolvConf: '/run/systemd/resolve/resolv.conf', failCgroupV1: false },
      source: 'ConfigMap kube-system/kubelet-config',
    },
    kubeProxyMode: { value: 'ipvs', source: 'ConfigMap kube-system/kube-proxy' },
    discovery: { source: 'ConfigMap kube-public/cluster-info' },
    agentConfig: { addNodeScriptPath: 'https://old.example.com/join.sh', resourceVersion: '42' },
    nodeRegions: ['cn-hangzhou'],
    unread: [],
  });
  expect(found.nodes?.map(({ name, controlPlane }) => [name, controlPlane])).toEqual([
    ['cp-1', true],
    ['cn-hangzhou.192.0.2.21', false],
  ]);
  expect(found.discovery?.value).toMatchObject({ server: api.url, signedFor: ['abcdef'], anonymous: 'readable' });
  expect(new Set(api.seen.map(({ method }) => method))).toEqual(new Set(['GET']));
});

describe('nodes', () => {
  test('of several pages are all read', async () => {
    script();
    api.on(
      'GET /api/v1/nodes',
      ok({ kind: 'NodeList', metadata: { continue: 'next/page=' }, items: [node('a', {})] }),
      ok({ kind: 'NodeList', metadata: {}, items: [node('b', {})] }),
    );
    expect((await facts()).nodes?.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(api.seen.filter(({ path }) => path.includes('/nodes')).map(({ path }) => path)).toEqual([
      '/api/v1/nodes?limit=200',
      '/api/v1/nodes?continue=next%2Fpage%3D&limit=200',
    ]);
  });

  test('J2 that may not be listed are undefined, and the missing right is named', async () => {
    script();
    api.on('GET /api/v1/nodes', forbidden('list', 'nodes'));
    const found = await facts();
    expect(found.nodes).toBeUndefined();
    expect(found.unread.map(({ why }) => why)).toEqual([
      'the list of nodes was not read: could not list nodes: context lab lacks the right to do so (403)',
    ]);
  });

  test.each([
    { kind: 'NodeList', items: [] },
    { kind: 'NodeList', items: null },
  ])('J2 of an empty cluster are an empty list', async (list) => {
    script();
    api.on('GET /api/v1/nodes', ok(list));
    expect((await facts()).nodes).toEqual([]);
  });

  test('J2 that are only workers are told from none', async () => {
    script();
    api.on('GET /api/v1/nodes', ok({ kind: 'NodeList', items: [node('worker', {})] }));
    expect((await facts()).nodes?.map(({ controlPlane }) => controlPlane)).toEqual([false]);
  });
});

describe('C1 the configuration of kubelet', () => {
  const kubelet = (cgroupDriver: string) => ok(configMap('x', { kubelet: stringify({ cgroupDriver }) }));

  test('is kubelet-config-1.19 on 1.19, without a driver where it states none', async () => {
    script('v1.19.16');
    api.on(inKubeSystem('kubelet-config'), refused(404, 'NotFound'));
    api.on(inKubeSystem('kubelet-config-1.19'), ok(configMap('x', { kubelet: 'kind: KubeletConfiguration\n' })));
    expect((await facts()).kubelet).toEqual({
      value: {
        cgroupDriver: undefined,
        resolvConf: undefined,
        failCgroupV1: undefined,
        containerRuntimeEndpoint: undefined,
      },
      source: 'ConfigMap kube-system/kubelet-config-1.19',
    });
  });

  test('is kubelet-config-1.23 on 1.23, before kubelet-config', async () => {
    script('v1.23.17');
    api.on(inKubeSystem('kubelet-config-1.23'), kubelet('cgroupfs'));
    const found = await facts();
    expect(found.kubelet?.value.cgroupDriver).toBe('cgroupfs');
    expect(found.kubelet?.source).toBe('ConfigMap kube-system/kubelet-config-1.23');
  });

  test('is kubelet-config from 1.24 on, and kubelet-config-1.24 where that is missing', async () => {
    script('v1.24.0-aliyun.1');
    api.on(inKubeSystem('kubelet-config-1.24'), kubelet('cgroupfs'));
    expect((await facts()).kubelet?.source).toBe('ConfigMap kube-system/kubelet-config');
    api.on(inKubeSystem('kubelet-config'), refused(404, 'NotFound'));
    expect((await facts()).kubelet?.source).toBe('ConfigMap kube-system/kubelet-config-1.24');
  });

  test('that is no YAML stops: kubeadm join could not read it either', async () => {
    script();
    api.on(inKubeSystem('kubelet-config'), ok(configMap('x', { kubelet: 'a: [' })));
    const failure = await rejection(facts());
    expect(failure.code).toBe('KubeadmObjectMissing');
    expect(failure.message).toBe('ConfigMap kube-system/kubelet-config has no YAML in its key kubelet');
  });
});

describe('E7 what is missing', () => {
  test('everything of kubeadm: a cluster installed from binaries', async () => {
    script();
    for (const name of ['kubeadm-config', 'kubelet-config', 'kube-proxy', 'ack-agent-config']) {
      api.on(inKubeSystem(name), refused(404, 'NotFound'));
    }
    api.on(clusterInfo, refused(404, 'NotFound'));
    expect(await facts()).toMatchObject({
      clusterName: 'lab',
      kubeadm: undefined,
      kubelet: undefined,
      kubeProxyMode: undefined,
      discovery: undefined,
      agentConfig: undefined,
      endpoints: undefined,
      rootCa: undefined,
      workerConfig: undefined,
      proxyDaemonSet: undefined,
      unread: [{ fact: 'workerConfig' }],
    });
  });

  test('rights on ConfigMaps: each is undefined, with a sentence', async () => {
    script();
    api.on(inKubeSystem('kubeadm-config'), forbidden('get', 'configmaps'));
    api.on(inKubeSystem('ack-agent-config'), forbidden('get', 'configmaps'));
    const found = await facts();
    expect(found.kubeadm).toBeUndefined();
    expect(found.agentConfig).toBeUndefined();
    expect(found.unread.map(({ fact }) => fact)).toEqual(['agentConfig', 'kubeadm']);
    expect(found.unread.map(({ why }) => why)).toEqual([
      'ConfigMap kube-system/ack-agent-config was not read: could not get configmaps kube-system/ack-agent-config: context lab lacks the right to do so (403)',
      'ConfigMap kube-system/kubeadm-config was not read: could not get configmaps kube-system/kubeadm-config: context lab lacks the right to do so (403)',
    ]);
  });
});

describe('cluster-info', () => {
  test('that only anonymous users may read, as kubeadm has it, is read as one', async () => {
    script();
    api.on(clusterInfo, (response, seen) => {
      const reply = seen.headers.authorization ? forbidden('get', 'configmaps') : ok(clusterInfoOf(api.url, api.ca));
      reply(response, seen);
    });
    expect((await facts()).discovery?.value.anonymous).toBe('readable');
  });

  test('that nobody may read is ClusterForbidden, not a cluster of binaries', async () => {
    script();
    api.on(clusterInfo, forbidden('get', 'configmaps'));
    expect((await rejection(facts())).code).toBe('ClusterForbidden');
  });

  test('E8 without anonymous access says which refusal it is', async () => {
    for (const [reply, anonymous] of [
      [refused(401, 'Unauthorized'), 'unauthorized'],
      [forbidden('get', 'configmaps'), 'forbidden'],
    ] as const) {
      script();
      api.on(clusterInfo, (response, seen) => {
        (seen.headers.authorization ? ok(clusterInfoOf(api.url, api.ca)) : reply)(response, seen);
      });
      expect((await facts()).discovery?.value.anonymous).toBe(anonymous);
    }
  });

  test("E8 is asked of its own server by its own CA, and not the kubeconfig's", async () => {
    script();
    api.on(clusterInfo, ok(clusterInfoOf(api.url, otherCa)));
    const found = await facts();
    expect(found.discovery?.value).toMatchObject({ anonymous: 'unreachable', pins: [pin] });
    expect(found.unread).toHaveLength(1);
    expect(found.unread[0]?.why).toMatch(
      /^whether a node can read ConfigMap kube-public\/cluster-info is not known: .*not trusted/,
    );
  });

  test('E5 that is broken is DiscoveryInvalid', async () => {
    script();
    api.on(clusterInfo, ok(configMap('cluster-info', { kubeconfig: 'clusters: []' })));
    expect((await rejection(facts())).code).toBe('DiscoveryInvalid');
  });
});

describe('kube-proxy', () => {
  test.each([
    ['mode: ""\n', 'iptables'],
    ['kind: KubeProxyConfiguration\n', 'iptables'],
    ['mode: nftables\n', 'nftables'],
  ])('with %j has mode %s', async (config, mode) => {
    script();
    api.on(inKubeSystem('kube-proxy'), ok(configMap('kube-proxy', { 'config.conf': config })));
    expect((await facts()).kubeProxyMode?.value).toBe(mode);
  });

  test('with a configuration of another form has none', async () => {
    script();
    api.on(inKubeSystem('kube-proxy'), ok(configMap('kube-proxy', { other: 'x' })));
    expect((await facts()).kubeProxyMode).toBeUndefined();
  });
});

describe('the agent', () => {
  test.each([
    [null, undefined],
    [{ isInit: 'true' }, undefined],
    [{ addNodeScriptPath: '' }, undefined],
    [{ addNodeScriptPath: 'https://x.example.com/a\n' }, 'https://x.example.com/a'],
  ])('G6 with data %j has the script %s', async (data, path) => {
    script();
    api.on(inKubeSystem('ack-agent-config'), ok(configMap('ack-agent-config', data)));
    expect((await facts()).agentConfig).toEqual({ addNodeScriptPath: path, resourceVersion: '7' });
  });
});

test('a cluster that does not answer as one is a Failure, not a list of gaps', async () => {
  script();
  api.on('GET /version', raw(200, '<html>Please log in</html>'));
  expect((await rejection(facts())).code).toBe('ClusterAnswerInvalid');
  script();
  api.on('GET /api/v1/nodes', raw(200, '{"kind":"NodeList","items":[{', 'application/json'));
  expect((await rejection(facts())).code).toBe('ClusterAnswerInvalid');
  script();
  api.on('GET /version', refused(401, 'Unauthorized'));
  expect((await rejection(facts())).code).toBe('ClusterUnauthorized');
});

test('hostile values are kept as they are: whoever uses them quotes them', async () => {
  script();
  const hostile = 'v1.28.3"; $(touch /tmp/x)\u001b[31m\n';
  api.on(
    'GET /api/v1/nodes',
    ok({
      kind: 'NodeList',
      items: [{ metadata: { name: hostile }, status: { nodeInfo: { kubeletVersion: hostile } } }],
    }),
  );
  api.on(
    inKubeSystem('kubeadm-config'),
    ok(configMap('x', { ClusterConfiguration: stringify({ clusterName: '../../etc', imageRepository: 17 }) })),
  );
  const found = await facts();
  expect(found.nodes?.[0]).toMatchObject({ name: hostile, kubeletVersion: hostile });
  expect(found.kubeadm?.value.imageRepository).toBeUndefined();
  expect(found.clusterName).toMatch(/^etc-[0-9a-f]{8}$/);
});
