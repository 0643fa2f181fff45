import { describe, expect, test } from 'vitest';
import { nodeFact, regionsOf } from '../../src/cluster/nodes.ts';

const labelled = (labels: Record<string, string>) => nodeFact({ metadata: { name: 'n', labels } }).controlPlane;
const provider = (providerID: string) => nodeFact({ spec: { providerID } });

describe('J1 a control-plane node', () => {
  test.each([
    ['v1.18 with master only', { 'node-role.kubernetes.io/master': '' }],
    ['v1.22 with both', { 'node-role.kubernetes.io/master': '', 'node-role.kubernetes.io/control-plane': '' }],
    ['v1.26 with control-plane only', { 'node-role.kubernetes.io/control-plane': '' }],
    ['a label with the value true', { 'node-role.kubernetes.io/control-plane': 'true' }],
  ])('of %s is found', (_, labels) => {
    expect(labelled(labels)).toBe(true);
  });

  test('is none by another label', () => {
    expect(labelled({ 'node-role.kubernetes.io/etcd': 'true', 'node-role.kubernetes.io/worker': '' })).toBe(false);
  });
});

test('a node is taken apart', () => {
  const found = nodeFact({
    metadata: {
      name: 'cp-1',
      labels: { 'node-role.kubernetes.io/control-plane': '' },
      annotations: { 'kubeadm.alpha.kubernetes.io/cri-socket': 'unix:///run/containerd/containerd.sock' },
    },
    spec: { providerID: 'cn-hangzhou.i-bp1example' },
    status: {
      conditions: [
        { type: 'MemoryPressure', status: 'False' },
        { type: 'Ready', status: 'True' },
      ],
      addresses: [
        { type: 'InternalIP', address: '192.0.2.11' },
        { type: 'Hostname', address: 'cp-1' },
      ],
      nodeInfo: {
        architecture: 'amd64',
        bootID: '',
        containerRuntimeVersion: 'containerd://1.6.28',
        kernelVersion: '5.15.0',
        kubeProxyVersion: '',
        kubeletVersion: 'v1.28.3',
        machineID: '',
        operatingSystem: 'linux',
        osImage: 'Ubuntu 22.04.4 LTS',
        systemUUID: '',
      },
    },
  });
  expect(found).toEqual({
    name: 'cp-1',
    controlPlane: true,
    ready: true,
    kubeletVersion: 'v1.28.3',
    runtime: 'containerd://1.6.28',
    providerId: 'cn-hangzhou.i-bp1example',
    region: 'cn-hangzhou',
    criSocket: 'unix:///run/containerd/containerd.sock',
    osImage: 'Ubuntu 22.04.4 LTS',
    architecture: 'amd64',
    addresses: ['192.0.2.11', 'cp-1'],
  });
});

test('a node that says nothing is no crash', () => {
  const found = nodeFact({});
  expect(found).toMatchObject({ name: '', controlPlane: false, ready: false, runtime: '', providerId: undefined });
});

test.each([
  ['False', false],
  ['Unknown', false],
  ['True', true],
])('a Ready condition of %s is %s', (status, ready) => {
  expect(nodeFact({ status: { conditions: [{ type: 'Ready', status }] } }).ready).toBe(ready);
});

test.each([
  ['cn-hangzhou.i-bp1example', 'cn-hangzhou'],
  ['ap-southeast-1.i-t4nexample', 'ap-southeast-1'],
  ['cn-beijing-finance-1.i-x1', 'cn-beijing-finance-1'],
  ['alicloud://cn-shenzhen.i-wz9example', 'cn-shenzhen'],
  ['aws:///us-east-1a/i-0example', undefined],
  ['kind://docker/kind/kind-worker', undefined],
  ['', undefined],
])('the region of provider id "%s" is %s', (id, region) => {
  expect(provider(id).region).toBe(region);
});

test('regions are each there once, sorted', () => {
  const nodes = ['cn-shenzhen.i-2', 'cn-hangzhou.i-1', 'cn-shenzhen.i-3', ''].map(provider);
  expect(regionsOf(nodes)).toEqual(['cn-hangzhou', 'cn-shenzhen']);
});
