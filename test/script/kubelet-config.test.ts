/** The KubeletConfiguration of new nodes, from a worker's configz or a file. */
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Fields, kubeletConfiguration, kubeletFactOf, withoutLocal } from '../../src/script/kubelet-config.ts';

/** Of a kubelet 1.28 with containerd, whole: what every field holds of itself, and what its owner changed. */
const configz: Fields = {
  enableServer: true,
  staticPodPath: '/etc/kubernetes/manifests',
  syncFrequency: '1m0s',
  fileCheckFrequency: '20s',
  httpCheckFrequency: '20s',
  address: '192.0.2.31',
  port: 10250,
  tlsCertFile: '/var/lib/kubelet/pki/kubelet.crt',
  tlsPrivateKeyFile: '/var/lib/kubelet/pki/kubelet.key',
  rotateCertificates: true,
  serverTLSBootstrap: true,
  authentication: {
    x509: { clientCAFile: '/opt/kubernetes/ssl/ca.pem' },
    webhook: { enabled: true, cacheTTL: '2m0s' },
    anonymous: { enabled: false },
  },
  authorization: { mode: 'Webhook', webhook: { cacheAuthorizedTTL: '5m0s', cacheUnauthorizedTTL: '30s' } },
  registryPullQPS: 5,
  registryBurst: 10,
  eventRecordQPS: 50,
  eventBurst: 100,
  enableDebuggingHandlers: true,
  healthzPort: 10248,
  healthzBindAddress: '127.0.0.1',
  oomScoreAdj: -999,
  clusterDomain: 'cluster.local',
  clusterDNS: ['10.0.0.2'],
  streamingConnectionIdleTimeout: '4h0m0s',
  nodeStatusUpdateFrequency: '10s',
  nodeStatusReportFrequency: '5m0s',
  nodeLeaseDurationSeconds: 40,
  imageMinimumGCAge: '2m0s',
  imageGCHighThresholdPercent: 85,
  imageGCLowThresholdPercent: 80,
  volumeStatsAggPeriod: '1m0s',
  cgroupsPerQOS: true,
  cgroupDriver: 'systemd',
  cpuManagerPolicy: 'none',
  cpuManagerReconcilePeriod: '10s',
  memoryManagerPolicy: 'None',
  topologyManagerPolicy: 'none',
  topologyManagerScope: 'container',
  runtimeRequestTimeout: '15m0s',
  hairpinMode: 'promiscuous-bridge',
  maxPods: 110,
  podPidsLimit: -1,
  resolvConf: '/run/systemd/resolve/resolv.conf',
  cpuCFSQuota: true,
  cpuCFSQuotaPeriod: '100ms',
  nodeStatusMaxImages: 50,
  maxOpenFiles: 1000000,
  contentType: 'application/vnd.kubernetes.protobuf',
  kubeAPIQPS: 50,
  kubeAPIBurst: 100,
  serializeImagePulls: true,
  evictionHard: { 'imagefs.available': '15%', 'memory.available': '100Mi', 'nodefs.available': '10%' },
  evictionPressureTransitionPeriod: '5m0s',
  enableControllerAttachDetach: true,
  makeIPTablesUtilChains: true,
  iptablesMasqueradeBit: 14,
  iptablesDropBit: 15,
  featureGates: { RotateKubeletServerCertificate: true },
  failSwapOn: true,
  memorySwap: {},
  containerLogMaxSize: '10Mi',
  containerLogMaxFiles: 5,
  configMapAndSecretChangeDetectionStrategy: 'Watch',
  kubeReserved: { cpu: '100m', memory: '1_024' },
  kubeReservedCgroup: '/kube.slice',
  enforceNodeAllocatable: ['pods', 'kube-reserved'],
  volumePluginDir: '/usr/libexec/kubernetes/kubelet-plugins/volume/exec/',
  logging: { format: 'text', flushFrequency: '5s', verbosity: 0, options: { json: { infoBufferSize: '0' } } },
  enableSystemLogHandler: true,
  enableSystemLogQuery: false,
  shutdownGracePeriod: '0s',
  shutdownGracePeriodCriticalPods: '0s',
  enableProfilingHandler: true,
  enableDebugFlagsHandler: true,
  seccompDefault: false,
  memoryThrottlingFactor: 0.9,
  registerWithTaints: [{ key: 'dedicated', value: 'db', effect: 'NoSchedule' }],
  registerNode: true,
  localStorageCapacityIsolation: true,
  containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
};

const wanted = {
  cgroupDriver: 'systemd',
  containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
  swap: 'disable',
} as const;

test('a whole configz of 1.28 becomes this file', () => {
  expect(kubeletConfiguration(withoutLocal(configz), wanted)).toBe(`{
  "apiVersion": "kubelet.config.k8s.io/v1beta1",
  "kind": "KubeletConfiguration",
  "enableServer": true,
  "syncFrequency": "1m0s",
  "fileCheckFrequency": "20s",
  "httpCheckFrequency": "20s",
  "port": 10250,
  "rotateCertificates": true,
  "serverTLSBootstrap": true,
  "authentication": {
    "anonymous": {
      "enabled": false
    },
    "webhook": {
      "enabled": true,
      "cacheTTL": "2m0s"
    },
    "x509": {
      "clientCAFile": "/etc/kubernetes/pki/ca.crt"
    }
  },
  "authorization": {
    "mode": "Webhook",
    "webhook": {
      "cacheAuthorizedTTL": "5m0s",
      "cacheUnauthorizedTTL": "30s"
    }
  },
  "registryPullQPS": 5,
  "registryBurst": 10,
  "eventRecordQPS": 50,
  "eventBurst": 100,
  "enableDebuggingHandlers": true,
  "healthzPort": 10248,
  "oomScoreAdj": -999,
  "clusterDomain": "cluster.local",
  "clusterDNS": [
    "10.0.0.2"
  ],
  "streamingConnectionIdleTimeout": "4h0m0s",
  "nodeStatusUpdateFrequency": "10s",
  "nodeStatusReportFrequency": "5m0s",
  "nodeLeaseDurationSeconds": 40,
  "imageMinimumGCAge": "2m0s",
  "imageGCHighThresholdPercent": 85,
  "imageGCLowThresholdPercent": 80,
  "volumeStatsAggPeriod": "1m0s",
  "cgroupsPerQOS": true,
  "cgroupDriver": "systemd",
  "cpuManagerPolicy": "none",
  "cpuManagerReconcilePeriod": "10s",
  "memoryManagerPolicy": "None",
  "topologyManagerPolicy": "none",
  "topologyManagerScope": "container",
  "runtimeRequestTimeout": "15m0s",
  "hairpinMode": "promiscuous-bridge",
  "maxPods": 110,
  "podPidsLimit": -1,
  "cpuCFSQuota": true,
  "cpuCFSQuotaPeriod": "100ms",
  "nodeStatusMaxImages": 50,
  "maxOpenFiles": 1000000,
  "contentType": "application/vnd.kubernetes.protobuf",
  "kubeAPIQPS": 50,
  "kubeAPIBurst": 100,
  "serializeImagePulls": true,
  "evictionHard": {
    "imagefs.available": "15%",
    "memory.available": "100Mi",
    "nodefs.available": "10%"
  },
  "evictionPressureTransitionPeriod": "5m0s",
  "enableControllerAttachDetach": true,
  "makeIPTablesUtilChains": true,
  "iptablesMasqueradeBit": 14,
  "iptablesDropBit": 15,
  "featureGates": {
    "RotateKubeletServerCertificate": true
  },
  "failSwapOn": true,
  "memorySwap": {},
  "containerLogMaxSize": "10Mi",
  "containerLogMaxFiles": 5,
  "configMapAndSecretChangeDetectionStrategy": "Watch",
  "kubeReserved": {
    "cpu": "100m",
    "memory": "1_024"
  },
  "enforceNodeAllocatable": [
    "pods"
  ],
  "logging": {
    "format": "text",
    "flushFrequency": "5s",
    "verbosity": 0,
    "options": {
      "json": {
        "infoBufferSize": "0"
      }
    }
  },
  "enableSystemLogHandler": true,
  "enableSystemLogQuery": false,
  "shutdownGracePeriod": "0s",
  "shutdownGracePeriodCriticalPods": "0s",
  "enableProfilingHandler": true,
  "enableDebugFlagsHandler": true,
  "seccompDefault": false,
  "memoryThrottlingFactor": 0.9,
  "registerNode": true,
  "localStorageCapacityIsolation": true,
  "containerRuntimeEndpoint": "unix:///run/containerd/containerd.sock"
}
`);
});

describe('of a worker', () => {
  test.each([
    'address',
    'healthzBindAddress',
    'providerID',
    'podCIDR',
    'registerWithTaints',
    'staticPodPath',
    'staticPodURL',
    'staticPodURLHeader',
    'tlsCertFile',
    'tlsPrivateKeyFile',
    'resolvConf',
    'volumePluginDir',
    'podLogsDir',
    'imageServiceEndpoint',
    'containerRuntimeEndpoint',
    'kubeletCgroups',
    'systemCgroups',
    'cgroupRoot',
    'systemReservedCgroup',
    'kubeReservedCgroup',
    'reservedSystemCPUs',
    'reservedMemory',
    'showHiddenMetricsForVersion',
  ])('%s stays behind', (name) => {
    expect(withoutLocal({ maxPods: 50, [name]: 'x', clusterDNS: ['10.0.0.2'] })).toEqual({
      maxPods: 50,
      clusterDNS: ['10.0.0.2'],
    });
  });

  test.each([
    'clusterDomain',
    'kubeReserved',
    'systemReserved',
    'tlsCipherSuites',
    'serverTLSBootstrap',
    'registerNode',
    'cpuManagerPolicy',
    'memoryManagerPolicy',
    'failCgroupV1',
    'constructor',
  ])('%s comes along', (name) => {
    expect(withoutLocal({ [name]: 'x' })).toEqual({ [name]: 'x' });
  });

  test.each([
    [['pods', 'system-reserved', 'kube-reserved'], ['pods']],
    [['pods', 'system-reserved-compressible', 'kube-reserved-compressible'], ['pods']],
    [['kube-reserved'], []],
    [['none'], ['none']],
    [undefined, undefined],
  ])('enforceNodeAllocatable %j becomes %j', (enforceNodeAllocatable, left) => {
    expect(withoutLocal({ enforceNodeAllocatable })).toEqual({ enforceNodeAllocatable: left });
  });

  // Without its reservation kubelet ends: "the static policy requires systemreserved.cpu + kubereserved.cpu …".
  test('a policy goes with the reservation that it needs', () => {
    const cpu = { cpuManagerPolicy: 'static', cpuManagerPolicyOptions: { 'full-pcpus-only': 'true' } };
    const memory = { memoryManagerPolicy: 'Static' };
    expect(withoutLocal({ ...cpu, ...memory, reservedSystemCPUs: '0-1' })).toEqual(memory);
    expect(withoutLocal({ ...cpu, ...memory, reservedMemory: [{ numaNode: 0, limits: { memory: '1Gi' } }] })).toEqual(
      cpu,
    );
    expect(withoutLocal({ ...cpu, kubeReserved: { cpu: '1' } })).toEqual({ ...cpu, kubeReserved: { cpu: '1' } });
  });
});

describe('authentication and authorization', () => {
  const of = (fields: Fields) => {
    const { authentication, authorization } = parse(kubeletConfiguration(fields, wanted));
    return { authentication, authorization };
  };
  const x509 = { clientCAFile: '/etc/kubernetes/pki/ca.crt' };

  test.each<[string, Fields]>([
    ['says nothing', {}],
    ['leaves them empty', { authentication: null, authorization: null }],
    ['has another CA', { authentication: { x509: { clientCAFile: '/opt/ca.pem' } }, authorization: {} }],
  ])('of a file that %s', (_, fields) => {
    expect(of(fields)).toEqual({
      authentication: { anonymous: { enabled: false }, webhook: { enabled: true }, x509 },
      authorization: { mode: 'Webhook' },
    });
  });

  test('that it gives are kept', () => {
    const given = {
      authentication: { anonymous: { enabled: true }, webhook: { enabled: false, cacheTTL: '1m' }, x509: null },
      authorization: { mode: 'AlwaysAllow' },
    };
    expect(of(given)).toEqual({ ...given, authentication: { ...given.authentication, x509 } });
  });
});

describe('what the script wants', () => {
  const of = (fields: Fields, given: Partial<Parameters<typeof kubeletConfiguration>[1]>) =>
    parse(kubeletConfiguration(fields, { ...wanted, ...given }));

  test('wins over the file', () => {
    const fields = {
      apiVersion: 'kubelet.config.k8s.io/v1beta1',
      kind: 'KubeletConfiguration',
      rotateCertificates: false,
      cgroupDriver: 'cgroupfs',
      containerRuntimeEndpoint: 'unix:///var/run/crio/crio.sock',
      address: '0.0.0.0',
    };
    expect(of(fields, {})).toMatchObject({
      rotateCertificates: true,
      cgroupDriver: 'systemd',
      containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
      address: '0.0.0.0',
    });
  });

  test('is no endpoint for 1.26', () => {
    expect(of({}, { containerRuntimeEndpoint: undefined })).not.toHaveProperty('containerRuntimeEndpoint');
  });

  test('is swap where it is kept, and the file’s own word where it is not', () => {
    expect(of({}, { swap: 'keep' })).toMatchObject({ failSwapOn: false });
    expect(of({ failSwapOn: true }, { swap: 'keep' })).toMatchObject({ failSwapOn: false });
    expect(of({ failSwapOn: false }, {})).toMatchObject({ failSwapOn: false });
    expect(of({}, {})).not.toHaveProperty('failSwapOn');
  });

  test('and what is text for YAML 1.1 alone stays text', () => {
    const odd = { a: 'on', b: '1_000', c: '10:30', d: '0x1f', e: 'null', f: 'x'.repeat(300), g: '010' };
    const { apiVersion: _, ...rest } = parse(kubeletConfiguration(odd, wanted), { version: '1.1' });
    expect(rest).toMatchObject(odd);
  });

  test('without aliases, which it has no need to know', () => {
    const shared = ['10.0.0.2'];
    expect(kubeletConfiguration({ clusterDNS: shared, allowedUnsafeSysctls: shared }, wanted)).not.toMatch(/[&*]/);
  });
});

describe('what is decided by it', () => {
  test('are four fields, where they say something', () => {
    expect(kubeletFactOf(configz)).toEqual({
      cgroupDriver: 'systemd',
      resolvConf: '/run/systemd/resolve/resolv.conf',
      failCgroupV1: undefined,
      containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
    });
    expect(kubeletFactOf({ cgroupDriver: '', resolvConf: 5, failCgroupV1: false })).toEqual({
      cgroupDriver: undefined,
      resolvConf: undefined,
      failCgroupV1: false,
      containerRuntimeEndpoint: undefined,
    });
  });
});
