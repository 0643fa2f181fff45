import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Answered } from '../../src/cluster/binary-facts.ts';
import { readFacts } from '../../src/cluster/facts.ts';
import { configMap, type FakeApi, forbidden, json, ok, raw, refused, silent, startFakeApi } from './fake-api.ts';
import { open } from './open.ts';

const ca = readFileSync(new URL('fixtures/ca-ec.pem', import.meta.url), 'utf8');
const otherCa = readFileSync(new URL('fixtures/ca-rsa.pem', import.meta.url), 'utf8');
const endpoints = 'GET /api/v1/namespaces/default/endpoints/kubernetes';
const slice = 'GET /apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes';
const rootCa = 'GET /api/v1/namespaces/kube-system/configmaps/kube-root-ca.crt';
const daemonSets = 'GET /apis/apps/v1/namespaces/kube-system/daemonsets';
const configz = (name: string) => `GET /api/v1/nodes/${name}/proxy/configz`;
const everything = [endpoints, slice, rootCa, daemonSets];

let api: FakeApi;
beforeAll(async () => {
  api = await startFakeApi();
});
afterAll(() => api.close());

interface Given {
  readonly labels?: Record<string, string>;
  readonly providerID?: string;
  readonly version?: string;
  readonly ready?: boolean;
}
const node = (name: string, { labels = {}, providerID, version = 'v1.28.3', ready = true }: Given = {}) => ({
  metadata: { name, labels },
  spec: { providerID },
  status: {
    conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
    nodeInfo: { kubeletVersion: version, containerRuntimeVersion: 'containerd://1.6.28' },
  },
});
const nodes = (...items: object[]) => api.on('GET /api/v1/nodes', ok({ kind: 'NodeList', items }));
const version = (gitVersion: string) => api.on('GET /version', ok({ gitVersion }));

/** A cluster of 1.28 without anything of kubeadm. */
beforeEach(() => {
  api.reset();
  version('v1.28.3');
  nodes(node('worker-1'));
  api.on(
    endpoints,
    ok({
      kind: 'Endpoints',
      subsets: [{ addresses: [{ ip: '192.0.2.11' }, { ip: '192.0.2.10' }], ports: [{ name: 'https', port: 6443 }] }],
    }),
  );
  api.on(
    slice,
    ok({
      kind: 'EndpointSlice',
      endpoints: [
        { addresses: ['192.0.2.12'], conditions: { ready: true } },
        { addresses: ['192.0.2.13'], conditions: { ready: false } },
        { addresses: ['192.0.2.11'] },
      ],
      ports: [{ name: 'https', port: 6443 }],
    }),
  );
  api.on(rootCa, ok(configMap('kube-root-ca.crt', { 'ca.crt': `${ca}\n${otherCa}` })));
  api.on(daemonSets, ok({ kind: 'DaemonSetList', items: [{ metadata: { name: 'kube-proxy' } }] }));
  api.on(configz('worker-1'), ok({ kubeletconfig: { cgroupDriver: 'systemd', clusterDNS: ['10.96.0.10'] } }));
});

const facts = async (answered: Answered = {}) => readFacts(await open(api, { timeoutMs: 500 }), answered);
const whyUnread = async (fact: string) => (await facts()).unread.find((unread) => unread.fact === fact)?.why;

test('a cluster without cluster-info and kubeadm-config is read for what a binary script needs', async () => {
  expect(await facts()).toMatchObject({
    discovery: undefined,
    kubeadm: undefined,
    endpoints: { value: ['192.0.2.10:6443', '192.0.2.11:6443'], source: 'Endpoints default/kubernetes' },
    rootCa: { value: `${ca.trim()}\n${otherCa.trim()}\n`, source: 'ConfigMap kube-system/kube-root-ca.crt' },
    workerConfig: {
      value: { cgroupDriver: 'systemd', clusterDNS: ['10.96.0.10'] },
      source: 'configz of node worker-1',
    },
    proxyDaemonSet: { value: 'kube-proxy', source: 'DaemonSet kube-system/kube-proxy' },
    unread: [],
  });
  expect(new Set(api.seen.map(({ method }) => method))).toEqual(new Set(['GET']));
});

describe('nothing of it is asked for', () => {
  const askedFor = () => [...everything, configz('worker-1')].filter((request) => api.count(request) > 0);

  test.each([
    ['where kubeadm-config is there', {}],
    ['where --style says kubeadm', { style: 'kubeadm' }],
  ] as const)('%s', async (_, answered) => {
    if (!('style' in answered)) {
      api.on(
        'GET /api/v1/namespaces/kube-system/configmaps/kubeadm-config',
        ok(configMap('kubeadm-config', { ClusterConfiguration: 'kubernetesVersion: v1.28.3' })),
      );
    }
    expect((await facts(answered)).endpoints).toBeUndefined();
    expect(askedFor()).toEqual([]);
  });

  test('where kubeadm-config may only not be read', async () => {
    api.on('GET /api/v1/namespaces/kube-system/configmaps/kubeadm-config', forbidden('get', 'configmaps'));
    await facts();
    expect(askedFor()).toEqual([]);
  });

  test.each([
    [{ server: 'https://192.0.2.10:6443' }, [rootCa, daemonSets, configz('worker-1')]],
    [{ caFile: 'ca.pem' }, [endpoints, daemonSets, configz('worker-1')]],
    [{ kubeletConfig: 'config.yaml' }, [endpoints, rootCa, daemonSets]],
    [{ kubeProxy: 'on-image' }, [endpoints, rootCa, configz('worker-1')]],
  ] as const)('that an answer says: %j', async (answered, expected) => {
    await facts(answered);
    expect(askedFor()).toEqual(expected);
  });
});

test('--style binary asks for it although kubeadm-config is there', async () => {
  api.on(
    'GET /api/v1/namespaces/kube-system/configmaps/kubeadm-config',
    ok(configMap('kubeadm-config', { ClusterConfiguration: 'kubernetesVersion: v1.28.3' })),
  );
  expect((await facts({ style: 'binary' })).rootCa).toBeDefined();
});

describe('addresses of the API servers', () => {
  test('come from EndpointSlices from 1.33 on, without those that are not ready', async () => {
    version('v1.33.1');
    expect((await facts()).endpoints).toEqual({
      value: ['192.0.2.11:6443', '192.0.2.12:6443'],
      source: 'EndpointSlice default/kubernetes',
    });
    expect(api.count(endpoints)).toBe(0);
  });

  test('come from the other one where one is missing', async () => {
    api.on(endpoints, refused(404, 'NotFound'));
    expect((await facts()).endpoints?.source).toBe('EndpointSlice default/kubernetes');
    version('v1.33.1');
    api.on(slice, refused(404, 'NotFound'));
    expect((await facts()).endpoints).toBeUndefined();
    api.on(
      endpoints,
      ok({ kind: 'Endpoints', subsets: [{ addresses: [{ ip: '2001:db8::1' }], ports: [{ port: 443 }] }] }),
    );
    expect((await facts()).endpoints).toEqual({ value: ['[2001:db8::1]:443'], source: 'Endpoints default/kubernetes' });
  });

  test('are not looked for in EndpointSlices that the server does not know yet', async () => {
    version('v1.20.1');
    api.on(endpoints, refused(404, 'NotFound'));
    api.on(slice, raw(404, '404 page not found'));
    expect((await facts()).endpoints).toBeUndefined();
    expect(api.count(slice)).toBe(0);
  });

  test('are only addresses with a port', async () => {
    const subsets = [
      { addresses: [{ ip: '$(reboot)' }, { ip: '192.0.2.10' }], ports: [{ port: 6443 }] },
      { addresses: [{ ip: '192.0.2.10' }], ports: [{ port: 6443 }] },
      { addresses: [{ ip: '192.0.2.11' }], ports: [{ port: 70_000 }] },
      { addresses: [{ ip: '192.0.2.12' }] },
    ];
    api.on(endpoints, ok({ kind: 'Endpoints', subsets }));
    expect((await facts()).endpoints?.value).toEqual(['192.0.2.10:6443']);
    api.on(endpoints, ok({ kind: 'Endpoints', subsets: 'none' }));
    api.on(slice, refused(404, 'NotFound'));
    expect((await facts()).endpoints).toBeUndefined();
  });
});

test.each([
  ['nothing', {}],
  ['no certificate', { 'ca.crt': 'hello' }],
  ['half a certificate', { 'ca.crt': `${ca}\n-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n` }],
])('kube-root-ca.crt with %s is said to hold none', async (_, data) => {
  api.on(rootCa, ok(configMap('kube-root-ca.crt', data)));
  expect((await facts()).rootCa).toBeUndefined();
  expect(await whyUnread('rootCa')).toBe(
    'ConfigMap kube-system/kube-root-ca.crt holds no PEM certificates in its key ca.crt',
  );
});

describe("kubelet's configuration", () => {
  const answersOf = (name: string) => api.on(configz(name), ok({ kubeletconfig: { clusterDomain: name } }));
  const asked = () => api.seen.flatMap(({ path }) => /nodes\/(.*)\/proxy/.exec(path)?.[1] ?? []);

  test('comes from a worker that was installed by hand and has the minor of the cluster', async () => {
    nodes(
      node('cp-1', { labels: { 'node-role.kubernetes.io/control-plane': '' } }),
      node('cn-hangzhou.192.0.2.21', { providerID: 'cn-hangzhou.i-bp1' }),
      node('old', { version: 'v1.27.1' }),
      node('down', { ready: false }),
      node('good'),
    );
    answersOf('good');
    expect((await facts()).workerConfig?.source).toBe('configz of node good');
    expect(asked()).toEqual(['good']);
  });

  test('comes from ECS where there is no other worker', async () => {
    nodes(node('cn-hangzhou.192.0.2.21', { providerID: 'cn-hangzhou.i-bp1' }));
    answersOf('cn-hangzhou.192.0.2.21');
    expect((await facts()).workerConfig?.value).toEqual({ clusterDomain: 'cn-hangzhou.192.0.2.21' });
  });

  test.each([
    ['does not answer', silent],
    ['cannot be reached by the API server', refused(503, 'ServiceUnavailable')],
    ['refuses the API server', raw(403, 'Forbidden (user=kube-apiserver)')],
    ['says something else', ok({ kind: 'Pod' })],
    ['says no configuration', json(200, { kubeletconfig: ['a'] })],
    ['says a page', raw(200, '<html>')],
  ])('comes from the second worker where the first %s', async (_, reply) => {
    nodes(node('first'), node('second'), node('third'));
    api.on(configz('first'), reply);
    answersOf('second');
    const found = await facts();
    expect([found.workerConfig?.source, found.unread]).toEqual(['configz of node second', []]);
  });

  test('is not asked of a third one, and both reasons are said', async () => {
    nodes(node('first'), node('second'), node('third'));
    for (const name of ['first', 'second']) api.on(configz(name), refused(503, 'ServiceUnavailable'));
    answersOf('third');
    expect((await facts()).workerConfig).toBeUndefined();
    expect(await whyUnread('workerConfig')).toMatch(
      /^kubelet's configuration was not read from a worker: could not get nodes\/proxy first: .*\(503\); could not get nodes\/proxy second: /,
    );
  });

  test('that may not be read is asked for once, and the right is named', async () => {
    nodes(node('first'), node('second'));
    api.on(configz('first'), forbidden('get', 'nodes'));
    expect((await facts()).workerConfig).toBeUndefined();
    expect(asked()).toEqual(['first']);
    expect(await whyUnread('workerConfig')).toContain('could not get nodes/proxy first: context lab lacks the right');
  });

  test('of nobody, where no worker is Ready', async () => {
    nodes(node('cp-1', { labels: { 'node-role.kubernetes.io/control-plane': '' } }));
    expect(await whyUnread('workerConfig')).toBe(
      "kubelet's configuration was not read from a worker: there is none that is Ready",
    );
  });

  test('is asked for by a name that cannot leave its place in the path', async () => {
    nodes(node('../../secrets?x'));
    await facts();
    expect(asked()).toEqual(['..%2F..%2Fsecrets%3Fx']);
  });
});

test.each([
  [['cilium', 'kube-proxy'], 'kube-proxy'],
  [['node-exporter', 'cilium'], 'cilium'],
  [['kube-router'], 'kube-router'],
])('of DaemonSets %j it is %s that brings services to nodes', async (names, expected) => {
  api.on(daemonSets, ok({ kind: 'DaemonSetList', items: names.map((name) => ({ metadata: { name } })) }));
  expect((await facts()).proxyDaemonSet).toEqual({ value: expected, source: `DaemonSet kube-system/${expected}` });
});

test('other DaemonSets, and none, bring no services', async () => {
  api.on(daemonSets, ok({ kind: 'DaemonSetList', items: [{ metadata: { name: 'flannel' } }] }));
  expect((await facts()).proxyDaemonSet).toBeUndefined();
  api.on(daemonSets, ok({ kind: 'DaemonSetList', items: null }));
  expect((await facts()).proxyDaemonSet).toBeUndefined();
});

test('that a ConfigMap of kubeadm may not be read is nothing to say where it does not matter', async () => {
  api.on('GET /api/v1/namespaces/kube-system/configmaps/kubelet-config', forbidden('get', 'configmaps'));
  expect((await facts()).unread).toEqual([]);
});

test('what may not be read is said, and all else is read', async () => {
  for (const request of [endpoints, rootCa, daemonSets, configz('worker-1')]) {
    api.on(request, forbidden('get', 'anything'));
  }
  const found = await facts();
  expect(found.unread.map(({ fact }) => fact).sort()).toEqual([
    'endpoints',
    'proxyDaemonSet',
    'rootCa',
    'workerConfig',
  ]);
  expect(found.nodes).toHaveLength(1);
});
