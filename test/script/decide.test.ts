import { describe, expect, test } from 'vitest';
import type { Answers } from '../../src/questions.ts';
import { decide } from '../../src/script/decide.ts';
import { answersOf, codes, factsOf, inputOf, nodeOf, pinA, stopsOf } from './fixtures.ts';

const decided = (facts: Parameters<typeof factsOf>[0], answers: Parameters<typeof answersOf>[0] = {}) =>
  decide(factsOf(facts), answersOf(answers), '0.1.0');
const input = (facts: Parameters<typeof factsOf>[0], answers: Parameters<typeof answersOf>[0] = {}) =>
  inputOf(decided(facts, answers));

describe('a healthy cluster', () => {
  test('of 1.28 with containerd gives this input and no findings', () => {
    const decision = decided({});
    expect(decision.findings).toEqual([]);
    expect(decision.imageRequirements).toEqual([]);
    expect(decision.input).toEqual({
      style: 'kubeadm',
      toolVersion: '0.1.0',
      clusterName: 'lab',
      kubeVersion: { raw: 'v1.28.3', base: '1.28.3', major: 1, minor: 28, patch: 3, suffix: '' },
      runtime: 'containerd',
      runtimeVersion: { raw: '1.6.28', base: '1.6.28', major: 1, minor: 6, patch: 28, suffix: '' },
      runtimePackages: ['containerd.io-1.6.28'],
      kubePackages: ['kubelet-1.28.3', 'kubeadm-1.28.3', 'kubectl-1.28.3'],
      elMajors: [],
      kubeRepository: 'minor',
      criSocket: 'unix:///run/containerd/containerd.sock',
      criDockerdUrl: undefined,
      cgroupDriver: 'systemd',
      sandboxImage: 'registry.aliyuncs.com/google_containers/pause:3.9',
      ipvs: false,
      overrideResolvConf: false,
      needsCgroupV2: false,
      minKernel: undefined,
      apiServerIp: undefined,
      mirror: 'auto',
      registries: { mirrors: [], caPem: undefined, caHosts: [] },
      postScript: undefined,
      kubeletExtraArgs: [],
      runtimeConfig: 'keep',
      firewall: 'disable',
      selinux: 'disabled',
      swap: 'disable',
      kernelModules: 'load',
      sysctls: [
        'net.bridge.bridge-nf-call-ip6tables=1',
        'net.bridge.bridge-nf-call-iptables=1',
        'net.ipv4.ip_forward=1',
        'vm.swappiness=0',
      ],
      tools: 'install',
      deadlineSeconds: 900,
      answers: {},
    });
    expect(decision.sources).toEqual({
      style: 'what kubeadm left',
      kubeVersion: 'lowest of /version, kubeadm-config and 1 Ready control-plane node',
      runtime: 'Node cp-1',
      runtimeVersion: 'Node cp-1',
      cgroupDriver: 'ConfigMap kube-system/kubelet-config',
      sandboxImage: 'default of Kubernetes 1.28, from the Aliyun mirror',
      resolvConf: 'ConfigMap kube-system/kubelet-config',
      sysctls: 'default',
      ipvs: 'ConfigMap kube-system/kube-proxy',
    });
  });

  test("the seed's example, 1.14.10 with docker 18.6.3, gives the packages of its time", () => {
    const decision = decided({
      version: 'v1.14.10',
      runtime: 'docker://18.6.3',
      kubeletConfig: { cgroupDriver: undefined },
    });
    expect(decision.input).toMatchObject({
      runtime: 'docker',
      runtimePackages: ['docker-ce-18.06.3.ce'],
      elMajors: ['7'],
      kubeRepository: 'legacy',
      criSocket: '/var/run/dockershim.sock',
      cgroupDriver: 'cgroupfs',
      sandboxImage: 'registry.aliyuncs.com/google_containers/pause:3.1',
    });
    expect(decision.imageRequirements).toEqual([
      { id: 'el-major', what: 'EL 7, because docker-ce-18.06.3.ce is packaged for nothing else' },
    ]);
  });
});

describe('Kubernetes version', () => {
  test('J1 is the lowest of /version, kubeadm-config and the Ready control-plane nodes, with a warning', () => {
    const nodes = [
      nodeOf({ name: 'cp-1', kubeletVersion: 'v1.28.3' }),
      nodeOf({ name: 'cp-2', kubeletVersion: 'v1.27.10' }),
      nodeOf({ name: 'cp-3', kubeletVersion: 'v1.26.1', ready: false }),
      nodeOf({ name: 'worker', kubeletVersion: 'v1.25.1', controlPlane: false }),
    ];
    const decision = decided({ nodes });
    expect(inputOf(decision).kubeVersion.base).toBe('1.27.10');
    expect(decision.findings).toEqual([
      {
        severity: 'warning',
        code: 'VersionsDiffer',
        next: [],
        what: 'the cluster reports several Kubernetes versions (/version v1.28.3, kubeadm-config v1.28.3, cp-1 v1.28.3, cp-2 v1.27.10); new nodes get the lowest, 1.27.10',
      },
    ]);
    expect(decision.sources.kubeVersion).toBe('lowest of /version, kubeadm-config and 2 Ready control-plane nodes');
  });

  test.each([
    ['/version', { serverVersion: 'v1.27.2' }, '1.27.2'],
    ['kubeadm-config', { kubeadmConfig: { kubernetesVersion: 'v1.27.4' } }, '1.27.4'],
  ])('J1 counts what %s says', (_, facts, base) => {
    expect(input(facts).kubeVersion.base).toBe(base);
  });

  test('J1 with no control-plane node Ready follows what they last reported, and says so', () => {
    const decision = decided({ nodes: [nodeOf({ ready: false, kubeletVersion: 'v1.27.9' })] });
    expect(inputOf(decision).kubeVersion.base).toBe('1.27.9');
    expect(codes(decision.findings, 'warning')).toContain('ControlPlaneNotReady');
  });

  test('J1 what is unreadable is passed over, and shown', () => {
    const decision = decided({ kubeadmConfig: { kubernetesVersion: 'stable-1' } });
    expect(inputOf(decision).kubeVersion.base).toBe('1.28.3');
    expect(decision.findings[0]?.what).toContain('kubeadm-config stable-1');
  });

  test('--kube-version decides, whatever the nodes say', () => {
    const decision = decided({}, { kubeVersion: 'v1.27.6' });
    expect(inputOf(decision).kubeVersion.base).toBe('1.27.6');
    expect(inputOf(decision).answers).toEqual({ kubeVersion: 'v1.27.6' });
    expect(decision.sources.kubeVersion).toBe('--kube-version');
    expect(decision.findings).toEqual([]);
  });

  test.each([
    ['1.28'],
    ['latest'],
    ['1.11.10'],
    ['2.0.0'],
    ['v0.14.0-10-g1c8a2f9-dirty'],
    ['1.28.3$(reboot)'],
    ['1.29.0'],
  ])('the asked version %s stops', (kubeVersion) => {
    const decision = decided({}, { kubeVersion });
    expect(decision.input).toBeUndefined();
    expect(codes(decision.findings, 'stop')).toEqual(['KubeVersionInvalid']);
  });

  test.each([['v1.11.10'], ['v0.14.0-10-g1c8a2f9-dirty'], ['main'], ['']])(
    'A7 a cluster that reports %j stops',
    (version) => {
      expect(codes(decided({ version }).findings, 'stop')).toContain('KubeVersionInvalid');
    },
  );

  test.each([
    ['v1.30.3+rke2r1', 'RKE2'],
    ['v1.30.4+k3s1', 'K3s'],
    ['v1.29.2+k0s.0', 'k0s'],
    ['v1.23.10-eks-15b7512', 'Amazon EKS'],
    ['v1.24.2-gke.1900', 'Google GKE'],
    ['v1.31.100-akslts', 'Azure AKS'],
    ['v1.22.5-tke.9', 'Tencent TKE'],
    ['v1.21.7-r0-CCE21.11.1.B007', 'CCE'],
    ['v1.20.15-vke.10', 'VKE'],
    ['v1.24.9+IKS', 'IBM Cloud Kubernetes Service'],
    ['v1.27.6+f67aeb3', 'OpenShift'],
  ])('A7 %s is refused as %s', (version, name) => {
    const [stopped, ...others] = stopsOf(decided({ version }));
    expect(stopped).toMatchObject({ code: 'UnsupportedDistribution', what: expect.stringContaining(name) });
    expect(stopped!.what).toContain(version);
    expect(others).toEqual([]);
  });

  test('A7 a distribution shows by /version alone, and is not hidden by --kube-version', () => {
    const hosted = { serverVersion: 'v1.28.9-eks-036c24b', nodes: [nodeOf({ controlPlane: false })] };
    expect(codes(decided(hosted).findings, 'stop')[0]).toBe('UnsupportedDistribution');
    expect(codes(decided(hosted, { kubeVersion: '1.28.3', runtime: 'containerd://1.6.28' }).findings, 'stop')).toEqual([
      'UnsupportedDistribution',
    ]);
    expect(codes(decided({}, { kubeVersion: 'v1.28.3+k3s1' }).findings, 'stop')).toEqual(['UnsupportedDistribution']);
  });

  test.each([
    ['v1.12.6-aliyun.1', 'note', 'VendorBuild', '1.12.6'],
    ['v1.28.3+vmware.1', 'note', 'VendorBuild', '1.28.3'],
    ['v1.28.3-dirty', 'warning', 'LocalBuild', '1.28.3'],
    ['v1.19.3-34+fa32ff1c160058', 'warning', 'LocalBuild', '1.19.3'],
    ['v1.28.3-10-g1c8a2f9', 'warning', 'LocalBuild', '1.28.3'],
    ['v1.29.0-rc.1', 'warning', 'PreRelease', '1.29.0'],
    ['v1.28.100', 'warning', 'PatchUnheardOf', '1.28.100'],
    ['v1.38.0', 'warning', 'KubernetesNewer', '1.38.0'],
  ])('A7 %s goes on with a %s, %s, and packages of %s', (version, severity, code, base) => {
    const docker = version.startsWith('v1.1');
    const decision = decided({ version, runtime: docker ? 'docker://18.9.1' : 'containerd://2.1.4' });
    expect(decision.findings).toContainEqual(expect.objectContaining({ severity, code }));
    expect(inputOf(decision).kubePackages[0]).toBe(`kubelet-${base}`);
  });

  test('the newest known minor is no surprise, and a newer one keeps what is known of it', () => {
    expect(codes(decided({ version: 'v1.37.2', runtime: 'containerd://2.2.0' }).findings)).toEqual([]);
    expect(input({ version: 'v1.40.0', runtime: 'containerd://2.2.0' }).sandboxImage).toMatch(/pause:3\.10\.2$/);
  });
});

describe('runtime', () => {
  test('A5 Unknown on one node is passed over for what another says, with a warning', () => {
    const nodes = [
      nodeOf({ runtime: 'docker://Unknown', kubeletVersion: 'v1.21.0' }),
      nodeOf({ name: 'cp-2', runtime: 'docker://19.3.15', kubeletVersion: 'v1.21.0' }),
    ];
    const decision = decided({ version: 'v1.21.0', nodes });
    expect(inputOf(decision).runtimePackages).toEqual([
      'docker-ce-19.03.15',
      'docker-ce-cli-19.03.15',
      'containerd.io',
    ]);
    expect(decision.sources.runtimeVersion).toBe('Node cp-2');
    expect(decision.findings).toMatchObject([
      { severity: 'warning', code: 'RuntimesDiffer', what: expect.stringContaining('cp-1 docker://Unknown') },
    ]);
  });

  test.each([['docker://Unknown'], ['containerd://'], ['']])(
    'A5 %j on every node stops and asks for the version',
    (runtime) => {
      const decision = decided({ version: 'v1.21.0', runtime });
      expect(stopsOf(decision)).toMatchObject([
        { code: 'RuntimeVersionUnknown', next: [expect.stringContaining('--runtime-version')] },
      ]);
      expect(
        inputOf(decided({ version: 'v1.21.0', runtime }, { runtime: 'docker', runtimeVersion: '19.03.15' }))
          .runtimeVersion.base,
      ).toBe('19.3.15');
    },
  );

  test('A5 the version of a worker or of a node that is not Ready is never taken', () => {
    const nodes = [
      nodeOf({ runtime: 'containerd://Unknown' }),
      nodeOf({ name: 'cp-2', ready: false }),
      nodeOf({ name: 'w', controlPlane: false }),
    ];
    expect(codes(decided({ nodes }).findings, 'stop')).toEqual(['RuntimeVersionUnknown']);
  });

  test.each([['cri-o://1.24.1'], ['remote://1.6.0'], ['rkt://1.30'], ['garbage'], ['singularity://Unknown']])(
    'A8 %s on the nodes stops and is shown',
    (runtime) => {
      expect(stopsOf(decided({ runtime }))).toMatchObject([
        { code: 'UnsupportedRuntime', what: expect.stringContaining(runtime) },
      ]);
    },
  );

  test.each([['cri-o'], ['cri-o://1.24.1'], ['podman']])('A8 --runtime %s stops', (runtime) => {
    expect(codes(decided({}, { runtime, runtimeVersion: '1.6.28' }).findings, 'stop')).toEqual(['UnsupportedRuntime']);
  });

  test('A8 --runtime containerd with a version lifts it', () => {
    expect(input({ runtime: 'cri-o://1.24.1' }, { runtime: 'containerd://1.6.28' }).runtimePackages).toEqual([
      'containerd.io-1.6.28',
    ]);
  });

  test.each([
    ['1.3.7+unknown', '1.3.7'],
    ['1.4.8-k3s1', '1.4.8'],
    ['1.5.5-0ubuntu3~20.04.1', '1.5.5'],
    ['v1.6.8', '1.6.8'],
  ])('A6 containerd://%s gives containerd.io-%s and keeps what was reported', (reported, base) => {
    const { runtimePackages, runtimeVersion } = input({ version: 'v1.22.4', runtime: `containerd://${reported}` });
    expect(runtimePackages).toEqual([`containerd.io-${base}`]);
    expect(runtimeVersion.raw).toBe(reported);
  });

  test('A4 docker 1.13.1 stops and names the package docker', () => {
    const [stopped] = stopsOf(decided({ version: 'v1.14.10', runtime: 'docker://1.13.1' }));
    expect(stopped).toMatchObject({ code: 'PackageImpossible', what: expect.stringMatching(/package docker\b/) });
  });

  test('B4 a version that was never packaged is asked for all the same, with a warning', () => {
    const decision = decided({ runtime: 'containerd://1.7.12-0ubuntu4.1' });
    expect(inputOf(decision).runtimePackages).toEqual(['containerd.io-1.7.12']);
    expect(decision.findings).toMatchObject([
      { severity: 'warning', code: 'PackageDoubtful', next: [expect.stringContaining('1.7.18')] },
    ]);
  });

  test('where nodes differ the lowest version is taken, and containerd where both are found', () => {
    const nodes = (...runtimes: string[]) =>
      runtimes.map((runtime, at) => nodeOf({ name: `cp-${at + 1}`, kubeletVersion: 'v1.23.4', runtime }));
    const mixed = decided({
      version: 'v1.23.4',
      nodes: nodes('docker://20.10.24', 'containerd://1.6.28', 'containerd://1.6.4'),
    });
    expect(inputOf(mixed).runtimePackages).toEqual(['containerd.io-1.6.4']);
    expect(codes(mixed.findings)).toEqual(['RuntimesDiffer']);
    const docker = decided(
      { version: 'v1.23.4', nodes: nodes('docker://20.10.24', 'containerd://1.6.28') },
      { runtime: 'docker' },
    );
    expect(inputOf(docker).runtimePackages[0]).toBe('docker-ce-20.10.24');
    expect(docker.findings).toEqual([]);
  });

  test('--runtime of the other kind needs a version', () => {
    expect(codes(decided({}, { runtime: 'docker' }).findings, 'stop')).toEqual(['RuntimeVersionUnknown']);
  });

  test.each([
    [{ runtime: 'containerd://1.6.28', runtimeVersion: '1.7.18' }, 'AnswersContradict'],
    [{ runtimeVersion: 'newest' }, 'RuntimeVersionUnknown'],
    [{ runtime: 'containerd://newest' }, 'RuntimeVersionUnknown'],
  ])('%j stops with %s', (answers, code) => {
    expect(codes(decided({}, answers).findings, 'stop')).toEqual([code]);
  });

  test('--runtime and --runtime-version may say the same', () => {
    expect(
      input({}, { runtime: 'docker://19.3.15', runtimeVersion: '19.03.15', kubeVersion: '1.23.4' }).runtimeVersion.base,
    ).toBe('19.3.15');
  });

  test('C4 docker from 1.24 on needs a cri-dockerd, and uses its socket', () => {
    const cluster = { version: 'v1.26.3', runtime: 'docker://20.10.21' };
    const [stopped] = stopsOf(decided(cluster));
    expect(stopped).toMatchObject({
      code: 'DockershimRemoved',
      next: [expect.stringMatching(/--cri-dockerd-url.*containerd/)],
    });
    expect(codes(decided({ ...cluster, version: 'v1.24.0' }).findings, 'stop')).toEqual(['DockershimRemoved']);
    const criDockerdUrl = 'https://files.example.com/cri-dockerd-0.3.4.rpm';
    expect(input(cluster, { criDockerdUrl })).toMatchObject({
      criDockerdUrl,
      criSocket: 'unix:///var/run/cri-dockerd.sock',
    });
    expect(input({ ...cluster, version: 'v1.24.0' }, { criDockerdUrl })).toMatchObject({
      criDockerdUrl,
      criSocket: 'unix:///var/run/cri-dockerd.sock',
    });
  });

  test('C4 docker up to 1.23 needs none, even if one is given', () => {
    const decision = decided(
      { version: 'v1.23.17', runtime: 'docker://20.10.21' },
      { criDockerdUrl: 'https://files.example.com/x.rpm' },
    );
    expect(inputOf(decision)).toMatchObject({ criDockerdUrl: undefined, criSocket: '/var/run/dockershim.sock' });
    expect(codes(decision.findings, 'note')).toEqual(['CriDockerdNotNeeded']);
  });

  test.each([
    ['v1.26.0', '1.5.11', 'RuntimeTooOld'],
    ['v1.30.1', '1.4.3', 'RuntimeTooOld'],
    ['v1.22.4', '2.1.4', 'RuntimeTooOld'],
  ])('Kubernetes %s and containerd %s do not understand each other', (version, containerd, code) => {
    expect(codes(decided({ version, runtime: `containerd://${containerd}` }).findings, 'stop')).toEqual([code]);
  });

  test.each([
    ['v1.25.16', '1.5.11'],
    ['v1.26.0', '1.6.4'],
    ['v1.23.17', '2.1.4'],
  ])('Kubernetes %s and containerd %s do', (version, containerd) => {
    expect(codes(decided({ version, runtime: `containerd://${containerd}` }).findings, 'stop')).toEqual([]);
  });

  test('containerd 1.x is running out from 1.35 on', () => {
    expect(codes(decided({ version: 'v1.35.4', runtime: 'containerd://1.7.27' }).findings)).toEqual(['RuntimeAging']);
    expect(codes(decided({ version: 'v1.34.4', runtime: 'containerd://1.7.27' }).findings)).toEqual([]);
  });
});

describe('J2 no control plane to follow', () => {
  const worker = nodeOf({ name: 'w-1', controlPlane: false, runtime: 'containerd://1.7.18' });
  test('among the nodes: stops, and offers what a worker has', () => {
    const stopped = stopsOf(decided({ nodes: [worker] }));
    expect(stopped).toMatchObject([
      {
        code: 'NoControlPlane',
        next: [
          'If new nodes should be like node w-1, give --kube-version 1.28.3 --runtime containerd --runtime-version 1.7.18.',
        ],
      },
    ]);
  });

  test('because there are no nodes: stops', () => {
    const [stopped, ...others] = stopsOf(decided({ nodes: [] }));
    expect(stopped).toMatchObject({
      code: 'EmptyCluster',
      next: [expect.stringMatching(/--kube-version.*--runtime.*--runtime-version/)],
    });
    expect(others).toEqual([]);
  });

  test('because nodes may not be listed: stops and names the right', () => {
    const [stopped, ...others] = stopsOf(decided({ nodes: undefined }));
    expect(stopped).toMatchObject({
      code: 'ClusterForbidden',
      what: expect.stringContaining('list nodes'),
      next: [expect.stringMatching(/verb list on nodes/)],
    });
    expect(others).toEqual([]);
  });

  test.each([
    ['none among them', [worker]],
    ['no nodes', []],
    ['forbidden', undefined],
  ])('three answers lift it: %s', (_, nodes) => {
    const all = { kubeVersion: '1.28.3', runtime: 'containerd', runtimeVersion: '1.6.28' };
    expect(input({ nodes }, all)).toMatchObject({
      kubePackages: expect.arrayContaining(['kubelet-1.28.3']),
      runtimePackages: ['containerd.io-1.6.28'],
    });
    expect(input({ nodes }, { kubeVersion: '1.28.3', runtime: 'containerd://1.6.28' }).runtimeVersion.base).toBe(
      '1.6.28',
    );
    expect(stopsOf(decided({ nodes }, { kubeVersion: '1.28.3', runtime: 'containerd' }))).not.toEqual([]);
    expect(stopsOf(decided({ nodes }, { runtime: 'containerd', runtimeVersion: '1.6.28' }))).not.toEqual([]);
  });
});

describe('what kubeadm needs of the cluster', () => {
  test('E7 without cluster-info it was installed from binaries', () => {
    const [stopped, ...others] = stopsOf(
      decided(
        { discovery: null, kubeadm: undefined, kubelet: undefined, nodes: [] },
        { kubeVersion: '1.28.3', runtime: 'containerd://1.6.28' },
      ),
    );
    expect(stopped).toMatchObject({
      code: 'BinaryCluster',
      next: expect.arrayContaining([expect.stringContaining('kubelet.service')]),
    });
    expect(others).toEqual([]);
  });

  test('E7 J2 a binary cluster without control-plane nodes is first of all a binary cluster', () => {
    const nodes = [nodeOf({ controlPlane: false })];
    expect(codes(decided({ discovery: null, kubeadm: undefined, kubelet: undefined, nodes }).findings, 'stop')).toEqual(
      ['BinaryCluster', 'NoControlPlane'],
    );
  });

  test('E7 where kubeadm was at work, its cluster-info can be made again', () => {
    expect(stopsOf(decided({ discovery: null }))).toMatchObject([
      {
        code: 'BinaryCluster',
        next: [expect.stringContaining('kubeadm init phase bootstrap-token'), expect.anything()],
      },
    ]);
    expect(stopsOf(decided({ discovery: null }, { style: 'kubeadm' }))).toMatchObject([{ code: 'DiscoveryInvalid' }]);
  });

  test.each([
    ['kubeadm-config', { kubeadm: undefined }],
    ['kubelet-config', { kubelet: undefined }],
    ['kubelet-config-1.21', { kubelet: undefined, version: 'v1.21.3' }],
  ])('E7 a missing %s stops and is named', (name, facts) => {
    expect(stopsOf(decided(facts))).toMatchObject([
      { code: 'KubeadmObjectMissing', what: expect.stringContaining(`kube-system/${name} `) },
    ]);
  });

  test('E7 what only we may not read is a warning with its reason', () => {
    const unread = [{ fact: 'kubelet', why: 'the configuration of kubelet was not read: forbidden' }] as const;
    const decision = decided({ kubelet: undefined, unread });
    expect(inputOf(decision).cgroupDriver).toBe('systemd');
    expect(decision.findings).toMatchObject([
      { severity: 'warning', code: 'KubeadmObjectUnread', what: expect.stringContaining('forbidden') },
    ]);
  });

  test.each([
    ['unauthorized', 'AnonymousAccessOff', '401'],
    ['forbidden', 'AnonymousAccessForbidden', '403'],
  ] as const)('E8 anonymous access %s stops with %s', (anonymous, code, status) => {
    expect(stopsOf(decided({ discovery: { anonymous } }))).toMatchObject([
      { code, what: expect.stringContaining(status) },
    ]);
  });

  test('E8 not reachable from here is no reason to stop', () => {
    const decision = decided({ discovery: { anonymous: 'unreachable' } });
    expect(decision.input).toBeDefined();
    expect(codes(decision.findings)).toEqual(['AnonymousAccessUnknown']);
  });

  test.each([
    [{ server: 'https://rancher.example.com/k8s/clusters/c-1' }],
    [{ server: 'http://192.0.2.10:6443' }],
    [{ pins: [] }],
  ])('E5 a cluster-info with %j stops', (discovery) => {
    expect(codes(decided({ discovery }).findings, 'stop')).toEqual(['DiscoveryInvalid']);
  });

  test('a server that only the old hosts know stops, and --api-server-ip lifts it', () => {
    const discovery = { server: 'https://apiserver.cluster.local:6443' };
    expect(codes(decided({ discovery }).findings, 'stop')).toEqual(['ServerUnreachableFromEcs']);
    expect(input({ discovery }, { apiServerIp: '192.0.2.10' }).apiServerIp).toBe('192.0.2.10');
  });
});

describe('cgroup driver', () => {
  test.each([
    ['v1.19.4', undefined, 'cgroupfs'],
    ['v1.21.14', undefined, 'cgroupfs'],
    ['v1.22.0', undefined, 'systemd'],
    ['v1.28.3', '', 'systemd'],
    ['v1.23.4', 'cgroupfs', 'cgroupfs'],
    ['v1.24.0', 'systemd', 'systemd'],
    ['v1.19.4', 'systemd', 'systemd'],
    ['v1.28.3', 'cgroupfs', 'cgroupfs'],
  ])('C1 %s with cgroupDriver %j is %s, for containerd and docker', (version, cgroupDriver, expected) => {
    const kubeletConfig = { cgroupDriver };
    expect(input({ version, kubeletConfig }).cgroupDriver).toBe(expected);
    const criDockerdUrl = 'https://files.example.com/cri-dockerd.rpm';
    expect(input({ version, kubeletConfig, runtime: 'docker://20.10.24' }, { criDockerdUrl }).cgroupDriver).toBe(
      expected,
    );
  });

  test('C1 --cgroup-driver wins, and kubelet is told when it differs', () => {
    const differs = decided({}, { cgroupDriver: 'cgroupfs' });
    expect(inputOf(differs)).toMatchObject({
      cgroupDriver: 'cgroupfs',
      kubeletExtraArgs: ['--cgroup-driver=cgroupfs'],
      answers: { cgroupDriver: 'cgroupfs' },
    });
    expect(codes(differs.findings, 'warning')).toEqual(['CgroupDriverDiffers']);
    expect(decided({}, { cgroupDriver: 'systemd' })).toMatchObject({ findings: [], input: { kubeletExtraArgs: [] } });
  });

  test('C1 a driver that is none is not taken over', () => {
    const decision = decided({ kubeletConfig: { cgroupDriver: "x'; reboot" } });
    expect(inputOf(decision).cgroupDriver).toBe('systemd');
    expect(codes(decision.findings)).toEqual(['CgroupDriverUnknown']);
  });
});

describe('pause image', () => {
  const mirror = 'registry.aliyuncs.com/google_containers';
  test.each([
    ['v1.20.4', 'k8s.gcr.io', `${mirror}/pause:3.2`],
    ['v1.28.3', 'registry.k8s.io', `${mirror}/pause:3.9`],
    ['v1.28.3', 'registry.k8s.io/', `${mirror}/pause:3.9`],
    ['v1.28.3', 'gcr.io/google_containers', `${mirror}/pause:3.9`],
    ['v1.28.3', undefined, `${mirror}/pause:3.9`],
    ['v1.28.3', '', `${mirror}/pause:3.9`],
    ['v1.28.3', 'harbor.example.com:8443/k8s', 'harbor.example.com:8443/k8s/pause:3.9'],
    [
      'v1.33.1',
      'registry.cn-hangzhou.aliyuncs.com/google_containers',
      'registry.cn-hangzhou.aliyuncs.com/google_containers/pause:3.10',
    ],
  ])('C6 %s with imageRepository %j takes %s', (version, imageRepository, image) => {
    expect(input({ version, kubeadmConfig: { kubernetesVersion: version, imageRepository } }).sandboxImage).toBe(image);
  });

  test('C6 --image-repository and --sandbox-image win, the latter over both', () => {
    const facts = { kubeadmConfig: { imageRepository: 'harbor.example.com/k8s' } };
    expect(input(facts, { imageRepository: 'registry.k8s.io' }).sandboxImage).toBe('registry.k8s.io/pause:3.9');
    const sandboxImage = 'registry-cn-hangzhou-vpc.ack.aliyuncs.com/acs/pause:3.9';
    expect(input(facts, { imageRepository: 'registry.k8s.io', sandboxImage }).sandboxImage).toBe(sandboxImage);
  });

  test.each([
    [{ sandboxImage: 'a"b' }],
    [{ sandboxImage: 'pause:3.9 ' }],
    [{ imageRepository: '$(id)' }],
    [{ imageRepository: 'https://x' }],
  ])('C6 %j stops', (answers) => {
    expect(codes(decided({}, answers).findings, 'stop')).toEqual(['AnswerInvalid']);
  });

  test.each([['x"\n[plugins]'], ['$(reboot)'], ["a'b"]])(
    'C6 a hostile imageRepository %j of the cluster is not taken over',
    (imageRepository) => {
      const decision = decided({ kubeadmConfig: { imageRepository } });
      expect(inputOf(decision).sandboxImage).toBe(`${mirror}/pause:3.9`);
      expect(codes(decision.findings)).toEqual(['ImageRepositoryInvalid']);
    },
  );
});

describe('the host', () => {
  test.each([
    ['/run/systemd/resolve/resolv.conf', true],
    ['/etc/kubernetes/resolv.conf', true],
    ['/etc/resolv.conf', false],
    ['', false],
    [undefined, false],
  ])('resolvConf %j is overridden: %s', (resolvConf, overridden) => {
    const decision = decided({ kubeletConfig: { resolvConf } });
    expect(inputOf(decision).overrideResolvConf).toBe(overridden);
    expect(codes(decision.findings)).toEqual(overridden ? ['ForeignResolvConf'] : []);
  });

  test.each([
    ['v1.34.4', undefined, false],
    ['v1.35.4', undefined, true],
    ['v1.35.4', true, true],
    ['v1.35.4', false, false],
    ['v1.34.4', true, false],
    ['v1.37.2', undefined, true],
  ])('%s with failCgroupV1 %s needs cgroup v2: %s', (version, failCgroupV1, needed) => {
    const decision = decided({ version, runtime: 'containerd://2.2.0', kubeletConfig: { failCgroupV1 } });
    expect(inputOf(decision).needsCgroupV2).toBe(needed);
    expect(decision.imageRequirements.some(({ id }) => id === 'cgroup-v2')).toBe(needed);
  });

  test.each([
    ['v1.31.14', undefined],
    ['v1.32.0', '4.19'],
    ['v1.36.1', '4.19'],
  ])('%s needs kernel %s', (version, minKernel) => {
    const decision = decided({ version, runtime: 'containerd://2.2.0' });
    expect(inputOf(decision).minKernel).toBe(minKernel);
    expect(decision.imageRequirements.map(({ id }) => id)).toEqual(expect.arrayContaining(minKernel ? ['kernel'] : []));
    expect(decision.imageRequirements.some(({ id }) => id === 'kernel')).toBe(minKernel !== undefined);
  });

  test('ipvs is loaded only where kube-proxy uses it', () => {
    const mode = (value: string) => ({ kubeProxyMode: { value, source: 'ConfigMap kube-system/kube-proxy' } });
    expect(input(mode('ipvs')).ipvs).toBe(true);
    expect(input(mode('nftables')).ipvs).toBe(false);
    expect(input({ kubeProxyMode: undefined }).ipvs).toBe(false);
  });

  const bridge = ['net.bridge.bridge-nf-call-ip6tables=1', 'net.bridge.bridge-nf-call-iptables=1'];
  test.each<[Partial<Answers>, readonly string[]]>([
    [{ swap: 'keep' }, [...bridge, 'net.ipv4.ip_forward=1']],
    [
      { sysctl: ['vm.max_map_count=262144', 'vm.swappiness=10'] },
      [...bridge, 'net.ipv4.ip_forward=1', 'vm.swappiness=10', 'vm.max_map_count=262144'],
    ],
    [
      { sysctl: ['a.b=1', 'a.b=2', 'net/ipv4/ip_forward=0'], swap: 'keep' },
      [...bridge, 'net/ipv4/ip_forward=0', 'a.b=2'],
    ],
    [{ sysctl: ['keep'] }, []],
  ])('kernel settings of %j', (answers, sysctls) => {
    expect(input({}, answers).sysctls).toEqual(sysctls);
  });

  test('--sysctl keep beside another stops', () => {
    expect(codes(decided({}, { sysctl: ['keep', 'a.b=1'] }).findings, 'stop')).toEqual(['AnswersContradict']);
  });
});

describe('answers that go into the script', () => {
  test('are those beyond the defaults that shape it, without secrets', () => {
    const answers = {
      kubeconfig: '/home/me/.kube/config',
      context: 'lab',
      timeout: 30,
      bucket: 'b',
      tokenTtl: 60,
      outputFile: 'x.sh',
      newToken: true,
      joinCommand: 'kubeadm join 192.0.2.10:6443 --token abcdef.0123456789abcdef',
      joinCommandFile: '/tmp/join',
      runtime: 'docker://20.10.24',
      criDockerdUrl: 'https://me:pass@files.example.com/cri-dockerd.rpm?Signature=s3cret',
      firewall: 'keep',
      deadline: 1200,
      sysctl: ['a.b=1', 'c.d=2'],
      mirror: 'auto',
    } as const;
    const decision = decided({}, { ...answers, sysctl: [...answers.sysctl] });
    expect(inputOf(decision).answers).toEqual({
      runtime: 'docker://20.10.24',
      criDockerdUrl: 'https://files.example.com/cri-dockerd.rpm',
      firewall: 'keep',
      deadline: 1200,
      sysctl: 'a.b=1,c.d=2',
    });
  });
});

describe('without a cluster', () => {
  const join = `kubeadm join 192.0.2.10:6443 --token abcdef.0123456789abcdef --discovery-token-ca-cert-hash ${pinA}`;
  test('every missing flag is named at once', () => {
    expect(() => decide(undefined, answersOf(), '0.1.0')).toThrow(
      expect.objectContaining({
        code: 'AnswerMissing',
        message:
          'without a cluster to look at, --kube-version, --runtime, --runtime-version and --join-command-file must be given',
      }),
    );
    expect(() =>
      decide(undefined, answersOf({ kubeVersion: '1.28.3', runtime: 'containerd', joinCommandFile: '-' }), '0.1.0'),
    ).toThrow(expect.objectContaining({ message: 'without a cluster to look at, --runtime-version must be given' }));
  });

  test('answers are enough, and what is assumed is said', () => {
    const decision = decide(
      undefined,
      answersOf({ kubeVersion: 'v1.21.0', runtime: 'containerd://1.4.3', joinCommand: join }),
      '0.1.0',
    );
    expect(decision.input).toMatchObject({
      clusterName: 'unnamed',
      kubePackages: ['kubelet-1.21.0', 'kubeadm-1.21.0', 'kubectl-1.21.0'],
      runtimePackages: ['containerd.io-1.4.3'],
      cgroupDriver: 'cgroupfs',
      sandboxImage: 'registry.aliyuncs.com/google_containers/pause:3.4.1',
      ipvs: false,
      overrideResolvConf: false,
      answers: { kubeVersion: 'v1.21.0', runtime: 'containerd://1.4.3' },
    });
    expect(codes(decision.findings)).toEqual(['JoinCommandOnCommandLine', 'AssumedWithoutCluster']);
  });

  test('the checks are the same', () => {
    const offline = (answers: Parameters<typeof answersOf>[0]) =>
      codes(decide(undefined, answersOf({ joinCommand: join, ...answers }), '0.1.0').findings, 'stop');
    expect(offline({ kubeVersion: '1.26.0', runtime: 'docker://20.10.24' })).toEqual(['DockershimRemoved']);
    expect(offline({ kubeVersion: '1.28', runtime: 'containerd://1.6.28' })).toEqual(['KubeVersionInvalid']);
    expect(offline({ kubeVersion: 'v1.28.3+rke2r1', runtime: 'containerd://1.6.28' })).toEqual([
      'UnsupportedDistribution',
    ]);
  });

  test('the same arguments give the same decision', () => {
    const answers = answersOf({ kubeVersion: '1.28.3', runtime: 'containerd://1.6.28', joinCommand: join });
    expect(decide(undefined, answers, '0.1.0')).toEqual(decide(undefined, answers, '0.1.0'));
  });
});
