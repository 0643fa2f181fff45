/** What a cluster installed from binaries gets: E7, and facts/registered-cluster.md. */
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Answers } from '../../src/questions.ts';
import { readYaml } from '../../src/yaml.ts';
import { binaryFacts, binaryInputOf, caPem, decidedBinary } from './binary-facts.ts';
import { codes, discoveryOf, nodeOf, stopsOf } from './fixtures.ts';

const rpm: Partial<Answers> = { kubeletSource: 'rpm' };
const sha256 = 'ab'.repeat(32);
const newest = {
  version: 'v1.36.0',
  nodes: [nodeOf({ kubeletVersion: 'v1.36.0', runtime: 'containerd://2.1.4' })],
};
const stopOf = (...given: Parameters<typeof decidedBinary>) => stopsOf(decidedBinary(...given));

describe('the style', () => {
  const unreadKubeadm = { unread: [{ fact: 'kubeadm', why: 'forbidden' }] } as const;
  const discovery = discoveryOf();

  test.each<[string, Parameters<typeof binaryFacts>[0], Partial<Answers>, string]>([
    ['neither cluster-info nor kubeadm-config', {}, {}, 'binary'],
    ['both, and binary is asked for', { discovery }, { style: 'binary' }, 'binary'],
  ])('with %s: %s', (_, facts, answers, style) => {
    expect(decidedBinary(binaryFacts(facts), { ...rpm, ...answers }).input?.style).toBe(style);
  });

  test('is said when nobody has said it', () => {
    expect(decidedBinary(binaryFacts(), rpm).findings).toContainEqual({
      severity: 'note',
      code: 'BinaryStyle',
      what: 'ConfigMaps kube-public/cluster-info and kube-system/kubeadm-config are missing: the cluster was installed from binaries, and nodes join it by TLS bootstrap',
      next: [],
    });
    expect(codes(decidedBinary(binaryFacts(), { ...rpm, style: 'binary' }).findings)).not.toContain('BinaryStyle');
  });

  test('is not guessed where kubeadm-config may only not be read', () => {
    const [stopped] = stopOf(binaryFacts(unreadKubeadm));
    expect(stopped).toMatchObject({ code: 'BinaryCluster', what: expect.stringContaining('cluster-info is missing') });
    expect(stopped?.next.join(' ')).toContain('--style binary');
  });

  test('kubeadm refuses what is for binaries', () => {
    expect(
      stopOf(binaryFacts({ discovery }), { server: 'https://192.0.2.1:6443', kubeletSource: 'rpm' }),
    ).toMatchObject([
      { code: 'AnswersContradict', what: expect.stringMatching(/^--server is for a cluster installed from binaries/) },
      { code: 'AnswersContradict', what: expect.stringMatching(/^--kubelet-source is for/) },
      ...stopOf(binaryFacts({ discovery })),
    ]);
  });

  test('binary refuses a join command', () => {
    expect(stopOf(binaryFacts(), { ...rpm, joinCommand: 'kubeadm join x' })).toMatchObject([
      { code: 'AnswersContradict' },
    ]);
  });
});

describe('a cluster that says everything', () => {
  test('needs to be told only where kubelet comes from', () => {
    const decision = decidedBinary(binaryFacts(), rpm);
    expect(binaryInputOf(decision)).toMatchObject({
      style: 'binary',
      endpoint: '192.0.2.10:6443',
      caPem,
      kubelet: { kind: 'rpm' },
      kubePackages: ['kubelet-1.28.3'],
      kubeProxy: 'daemonset',
      cgroupDriver: 'systemd',
      kubeletExtraArgs: [],
      unit: { kubelet: '/usr/bin/kubelet', config: '/var/lib/kubelet/config.yaml' },
    });
    expect(decision.sources).toMatchObject({
      style: 'no cluster-info and no kubeadm-config',
      server: 'Endpoints default/kubernetes',
      ca: 'ConfigMap kube-system/kube-root-ca.crt',
      kubelet: '--kubelet-source',
      kubeletConfig: 'configz of node w-1',
      unit: 'of ackone-join',
      kubeProxy: 'DaemonSet kube-system/kube-proxy',
      cgroupDriver: 'configz of node w-1',
    });
  });

  test('gets no kubeadm, and no package of Kubernetes but for an RPM', () => {
    const input = binaryInputOf(decidedBinary(binaryFacts(), { kubeletSource: '/opt/kubernetes/bin/kubelet' }));
    expect(input).toMatchObject({
      kubePackages: [],
      kubelet: { kind: 'path', path: '/opt/kubernetes/bin/kubelet' },
      unit: { kubelet: '/opt/kubernetes/bin/kubelet' },
    });
  });

  test('its configuration is the worker’s, without what is that worker’s own', () => {
    expect(parse(binaryInputOf(decidedBinary(binaryFacts(), rpm)).kubeletConfig)).toEqual({
      apiVersion: 'kubelet.config.k8s.io/v1beta1',
      kind: 'KubeletConfiguration',
      authentication: {
        anonymous: { enabled: false },
        webhook: { enabled: true },
        x509: { clientCAFile: '/etc/kubernetes/pki/ca.crt' },
      },
      authorization: { mode: 'Webhook' },
      cgroupDriver: 'systemd',
      clusterDNS: ['10.96.0.10'],
      clusterDomain: 'cluster.local',
      containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
      rotateCertificates: true,
    });
  });

  test('--cgroup-driver goes into the configuration, and not beside it', () => {
    const input = binaryInputOf(decidedBinary(binaryFacts(), { ...rpm, cgroupDriver: 'cgroupfs' }));
    expect(parse(input.kubeletConfig)).toMatchObject({ cgroupDriver: 'cgroupfs' });
    expect(input).toMatchObject({ cgroupDriver: 'cgroupfs', kubeletExtraArgs: [] });
  });

  test('a kubelet of 1.36 needs cgroup v2 and no newer kernel', () => {
    const input = binaryInputOf(decidedBinary(binaryFacts(newest), rpm));
    expect(input).toMatchObject({ needsCgroupV2: true, minKernel: undefined });
  });

  test('a configuration that takes cgroup v1 needs no v2', () => {
    const workerConfig = { value: { cgroupDriver: 'systemd', failCgroupV1: false }, source: 'configz of node w-1' };
    const facts = binaryFacts({ ...newest, workerConfig });
    expect(binaryInputOf(decidedBinary(facts, rpm))).toMatchObject({ needsCgroupV2: false });
  });
});

describe('a cluster that says nothing', () => {
  const silent = { endpoints: undefined, rootCa: undefined, workerConfig: undefined, proxyDaemonSet: undefined };

  test('is told all that is missing, at once and by name', () => {
    const [stopped, ...others] = stopOf(binaryFacts(silent));
    expect(others).toEqual([]);
    expect(stopped).toMatchObject({
      code: 'BinaryCluster',
      what: expect.stringMatching(/needs --server, --ca-file, --kubelet-source, --kubelet-config and --kube-proxy$/),
    });
    expect(stopped?.next.at(-1)).toContain('inject');
  });

  test('hears why, where something may only not be read', () => {
    const unread = [
      { fact: 'workerConfig', why: 'the configuration of a worker was not read: may not get nodes/proxy' },
      { fact: 'nodes', why: 'of no matter here' },
    ] as const;
    expect(stopOf(binaryFacts({ workerConfig: undefined, unread }), rpm)[0]?.next[0]).toBe(
      'Give --kubelet-config with the KubeletConfiguration of a worker; the configuration of a worker was not read: may not get nodes/proxy.',
    );
    expect(stopOf(binaryFacts({ ...silent, unread }))[0]?.next).toContain(
      'Give --kubelet-source: a URL together with --kubelet-sha256, the path of kubelet on the image, or rpm.',
    );
  });

  test('with --style binary that is an answer that is missing', () => {
    expect(stopOf(binaryFacts(silent), { style: 'binary' })).toMatchObject([
      {
        code: 'AnswerMissing',
        what: 'a script for a cluster installed from binaries needs --server, --ca-file, --kubelet-source, --kubelet-config and --kube-proxy',
      },
    ]);
  });

  test('says so even where its versions are not known either', () => {
    expect(codes(stopOf(binaryFacts({ ...silent, nodes: [] })))).toEqual(['BinaryCluster', 'EmptyCluster']);
  });

  test('can be told', () => {
    const answers: Partial<Answers> = {
      server: 'https://k8s.example.com:6443',
      kubeletSource: 'https://files.example.com/kubelet',
      kubeletSha256: sha256,
      kubeProxy: 'on-image',
    };
    const kubeletConfig = 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nmaxPods: 50\n';
    const decision = decidedBinary(binaryFacts(silent), answers, {
      caFile: `a comment\n${caPem}`,
      kubeletConfig: readYaml(kubeletConfig),
    });
    const input = binaryInputOf(decision);
    expect(input).toMatchObject({
      endpoint: 'k8s.example.com:6443',
      caPem,
      kubelet: { kind: 'url', url: 'https://files.example.com/kubelet', sha256 },
      kubeProxy: 'on-image',
      unit: { kubelet: '/usr/local/bin/kubelet' },
      // kubelet's own default, which kubeadm alone changes.
      cgroupDriver: 'cgroupfs',
    });
    expect(parse(input.kubeletConfig)).toMatchObject({ maxPods: 50, cgroupDriver: 'cgroupfs' });
  });
});

describe('without a cluster to look at', () => {
  const versions: Partial<Answers> = { kubeVersion: '1.28.3', runtime: 'containerd://1.6.28' };
  const known: Partial<Answers> = { ...versions, ...rpm, style: 'binary', kubeProxy: 'on-image', kubeletConfig: 'k' };
  const files = { kubeletConfig: readYaml('apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n') };
  const bootstrap = (caAndServer: object) => ({
    ...files,
    bootstrapKubeconfig: {
      value: {
        'current-context': 'a',
        clusters: [{ name: 'c', cluster: caAndServer }],
        users: [{ name: 'u', user: { token: 'abcdef.0123456789abcdef' } }],
        contexts: [{ name: 'a', context: { cluster: 'c', user: 'u' } }],
      },
    },
  });

  test('everything must be said, and a token cannot be made', () => {
    expect(() => decidedBinary(undefined, { style: 'binary', runtime: 'containerd' })).toThrow(
      expect.objectContaining({
        code: 'AnswerMissing',
        message:
          'without a cluster to look at, --kube-version, --bootstrap-kubeconfig, --server, --ca-file, --kubelet-source, --kubelet-config, --kube-proxy and --runtime-version must be given',
      }),
    );
  });

  test('a bootstrap kubeconfig says server and CA as well', () => {
    const ca = Buffer.from(caPem).toString('base64');
    const server = 'https://192.0.2.10:6443';
    const answers = { ...known, bootstrapKubeconfig: 'b' };
    const decision = decidedBinary(undefined, answers, bootstrap({ server, 'certificate-authority-data': ca }));
    expect(binaryInputOf(decision)).toMatchObject({ endpoint: '192.0.2.10:6443', caPem, kubeProxy: 'on-image' });
    expect(decision.sources).toMatchObject({ server: '--bootstrap-kubeconfig', ca: '--bootstrap-kubeconfig' });
    expect(codes(decision.findings)).not.toContain('AssumedWithoutCluster');
    const told = { ...answers, server: 'https://192.0.2.99:6443' };
    expect(binaryInputOf(decidedBinary(undefined, told, { ...bootstrap({ server }), caFile: caPem }))).toMatchObject({
      endpoint: '192.0.2.99:6443',
      caPem,
    });
    expect(stopOf(undefined, answers, bootstrap({}))).toMatchObject([
      { code: 'AnswerMissing', what: expect.stringMatching(/ needs --server and --ca-file$/) },
    ]);
  });
});

test('the runtime’s endpoint stands in the configuration from 1.27 on', () => {
  const endpointOf = (version: string) => {
    const facts = binaryFacts({ version, nodes: [nodeOf({ kubeletVersion: version })] });
    const { kubeletConfig, unit } = binaryInputOf(decidedBinary(facts, rpm));
    return [parse(kubeletConfig).containerRuntimeEndpoint, /--container-runtime-endpoint=\S+/.exec(unit.text)?.[0]];
  };
  const socket = 'unix:///run/containerd/containerd.sock';
  expect(endpointOf('v1.27.0')).toEqual([socket, undefined]);
  expect(endpointOf('v1.26.9')).toEqual([undefined, `--container-runtime-endpoint=${socket}`]);
});

test('what a file says of one node is kept, and not in silence', () => {
  const head = 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n';
  const decide = (fields: string) => decidedBinary(binaryFacts(), rpm, { kubeletConfig: readYaml(head + fields) });
  const decision = decide('address: 192.0.2.31\ntlsCertFile: /etc/kubernetes/ssl/kubelet.pem\nmaxPods: 50\n');
  expect(decision.findings).toContainEqual({
    severity: 'warning',
    code: 'KubeletConfigLocal',
    what: "the file of --kubelet-config sets address, tlsCertFile, which may be one node's own; new nodes get it as it stands",
    next: ['Leave out what does not hold for every node.'],
  });
  expect(parse(binaryInputOf(decision).kubeletConfig)).toMatchObject({ address: '192.0.2.31' });
  const harmless = decide('address: 0.0.0.0\nproviderID: ""\npodCIDR:\nstaticPodPath: /etc/kubernetes/manifests\n');
  expect(codes(harmless.findings)).not.toContain('KubeletConfigLocal');
});

describe('the server', () => {
  const several = { value: ['192.0.2.10:6443', '192.0.2.11:6443'], source: 'Endpoints default/kubernetes' };

  test('of several none is chosen in silence', () => {
    const [stopped] = stopOf(binaryFacts({ endpoints: several }), rpm);
    expect(stopped).toMatchObject({ code: 'BinaryCluster', what: expect.stringMatching(/needs --server$/) });
    expect(stopped?.next[0]).toBe(
      'Give --server with a load balancer in front of the API servers, or with one of them: https://192.0.2.10:6443, https://192.0.2.11:6443.',
    );
  });

  test('is never the one of the operator’s kubeconfig', () => {
    const [stopped] = stopOf(binaryFacts({ endpoints: undefined }), rpm);
    expect(stopped?.what).toMatch(/needs --server$/);
    expect(stopped?.next.join(' ')).not.toContain('proxy.example.com');
  });

  test('without a port is 443', () => {
    const input = binaryInputOf(decidedBinary(binaryFacts(), { ...rpm, server: 'https://k8s.example.com' }));
    expect(input.endpoint).toBe('k8s.example.com:443');
  });

  test('that ECS cannot reach stops', () => {
    const facts = binaryFacts({ endpoints: { value: ['127.0.0.1:6443'], source: 'Endpoints default/kubernetes' } });
    expect(stopOf(facts, rpm)).toMatchObject([{ code: 'ServerUnreachableFromEcs', next: ['Give --server.'] }]);
    expect(stopOf(binaryFacts(), { ...rpm, server: 'https://apiserver.cluster.local:6443' })).toMatchObject([
      { code: 'ServerUnreachableFromEcs' },
    ]);
    const named = { ...rpm, server: 'https://apiserver.cluster.local:6443', apiServerIp: '192.0.2.10' };
    expect(stopOf(binaryFacts(), named)).toEqual([]);
  });

  test('is cluster-info’s where there is one all the same', () => {
    const facts = binaryFacts({ discovery: discoveryOf({ caPem, server: 'https://192.0.2.99:6443' }) });
    const decision = decidedBinary(facts, { ...rpm, style: 'binary' });
    expect(binaryInputOf(decision)).toMatchObject({ endpoint: '192.0.2.99:6443', caPem });
    expect(decision.sources).toMatchObject({ server: 'ConfigMap kube-public/cluster-info' });
  });
});

describe('files that will not do', () => {
  test.each([
    ['a CA that is none', { caFile: 'hello' }, /^the file of --ca-file holds no certificate in PEM$/],
    ['a CA that is broken', { caFile: caPem.replace(/\w{8}/, 'AAAAAAAA') }, /--ca-file holds no certificate/],
    ['a configuration that is no YAML', { kubeletConfig: readYaml('a: [') }, /--kubelet-config is no YAML at line 1$/],
    [
      'a configuration of another kind',
      { kubeletConfig: readYaml('kind: Pod\napiVersion: v1\n') },
      /is no KubeletConfiguration of/,
    ],
    ['an empty configuration', { kubeletConfig: readYaml('') }, /is no KubeletConfiguration of/],
  ])('%s', (_, files, what) => {
    expect(stopOf(binaryFacts(), rpm, files)).toMatchObject([
      { code: 'AnswerInvalid', what: expect.stringMatching(what) },
    ]);
  });

  test('a unit that starts another kubelet than the one that comes', () => {
    const kubeletService = '[Service]\nExecStart=/opt/bin/kubelet\n';
    expect(stopOf(binaryFacts(), rpm, { kubeletService })).toMatchObject([
      {
        code: 'AnswersContradict',
        what: 'the unit of --kubelet-service starts /opt/bin/kubelet, and --kubelet-source says that kubelet is at /usr/bin/kubelet',
      },
    ]);
    const fetched = { kubeletSource: 'https://files.example.com/kubelet', kubeletSha256: sha256 };
    const input = binaryInputOf(decidedBinary(binaryFacts(), fetched, { kubeletService }));
    expect(input.unit.kubelet).toBe('/opt/bin/kubelet');
  });
});

test('post-script without a script is half an answer', () => {
  expect(stopOf(binaryFacts(), { ...rpm, kubeProxy: 'post-script' })).toMatchObject([{ code: 'AnswerMissing' }]);
  const input = binaryInputOf(
    decidedBinary(
      binaryFacts(),
      { ...rpm, kubeProxy: 'post-script', postScript: 'proxy.sh' },
      { postScript: 'true\n' },
    ),
  );
  expect(input).toMatchObject({ kubeProxy: 'post-script', postScript: 'true\n' });
});
