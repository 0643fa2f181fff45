/** What the script leaves on a booted host, and that a second run changes nothing. Expected values: cases.md, facts/versions.md. */
import { type ExpectStatic, vi } from 'vitest';
import { newCluster, type PlayedCluster } from './cluster.ts';
import { test } from './fixtures.ts';
import { type Host, type Outcome, variables } from './host.ts';
import { publishFromSandbox } from './published.ts';
import { pinOf, scriptFor } from './scripts.ts';
import { whole } from './serve.ts';

// The packages of the hosts' mirror are signed by keys of its own.
vi.mock('../../src/script/keys.ts', async () => (await import('./keys.ts')).keys());

const labels = {
  'alibabacloud.com/nodepool-id': 'np0e2031e952c4492bab32f512ce1422f6',
  'ack.aliyun.com': 'cc3df6d939b0d4463b493b82d0d670c66',
  'alibabacloud.com/instance-id': 'i-wz92ewt14n9wx9mo0000',
  'alibabacloud.com/external': 'true',
  workload: 'cpu',
};

const pick = ({ packages }: Outcome, names: RegExp) => packages.filter((name) => names.test(name));

/** Runs the script twice; gives what the first run left. */
async function runTwice(host: Host, url: string, cluster: PlayedCluster, expect: ExpectStatic): Promise<Outcome> {
  const first = await host.run(url);
  expect(first, first.output).toMatchObject({ curl: 0, script: 0 });
  const outcome = await host.outcome();
  const before = await host.state();

  const second = await host.run(url);
  expect(second, second.output).toMatchObject({ curl: 0, script: 0 });
  expect(await host.state()).toEqual(before);
  expect(await host.outcome()).toEqual(outcome);

  const logs = `${first.output}${second.output}${await host.file('/var/log/ackone-join.log')}`;
  expect(logs).not.toContain(cluster.token.split('.')[1]);
  return outcome;
}

function expectNode({ nodes }: Outcome, expect: ExpectStatic): void {
  expect(nodes).toMatchObject([
    {
      metadata: { name: 'cn-shenzhen.192.168.1.10', labels },
      spec: {
        providerID: 'cn-shenzhen.i-wz92ewt14n9wx9mo0000',
        taints: [{ key: 'workload', value: 'ack', effect: 'NoSchedule' }],
      },
    },
  ]);
}

const joinWords = (cluster: PlayedCluster, socket: string) => [
  [
    ...[cluster.endpoint, '--token', cluster.token, '--discovery-token-ca-cert-hash', pinOf(cluster)],
    ...['--cri-socket', socket, '--node-name', variables.ALIBABA_CLOUD_NODE_NAME],
  ],
];

test('containerd 1.6.28 and Kubernetes 1.28.3 on Alibaba Cloud Linux 3, published by init (B5 C1 C6 D1 D6)', async ({
  boot,
  reach,
  onTestFinished,
  expect,
}) => {
  const { url, cluster } = await publishFromSandbox('containerd', { reach, onTestFinished });
  const host = await boot({ os: 'alinux-3', cluster });
  const outcome = await runTwice(host, url, cluster, expect);

  expect(pick(outcome, /^(containerd|docker|kube(adm|ctl|let))/)).toEqual([
    'containerd.io-1.6.28-3.1.el8',
    'kubeadm-1.28.3-150500.1.1',
    'kubectl-1.28.3-150500.1.1',
    'kubelet-1.28.3-150500.1.1',
  ]);
  expect(outcome.units).toMatchObject({
    firewalld: 'inactive disabled',
    containerd: 'active enabled',
    kubelet: 'active enabled',
  });
  expect(await host.runtime()).toMatchObject({
    version: '1.6.28',
    cri: ['v1', 'v1alpha2'],
    systemdCgroup: true,
    sandboxImage: 'registry.aliyuncs.com/google_containers/pause:3.9',
  });
  expect(outcome.joins).toEqual(joinWords(cluster, 'unix:///run/containerd/containerd.sock'));
  expectNode(outcome, expect);
  // kubelet-config names systemd-resolved's file, which this host lacks (kubeadm#3034).
  expect(await host.file('/etc/sysconfig/kubelet')).toBe(
    'KUBELET_EXTRA_ARGS=--resolv-conf=/etc/resolv.conf --hostname-override=cn-shenzhen.192.168.1.10 ' +
      '--provider-id=cn-shenzhen.i-wz92ewt14n9wx9mo0000 ' +
      `--node-labels=${variables.ALIBABA_CLOUD_LABELS} --register-with-taints=workload=ack:NoSchedule\n`,
  );
});

test('docker 18.06 and Kubernetes 1.14.10 on CentOS 7, published by init (A1 B8 C1)', async ({
  boot,
  reach,
  onTestFinished,
  expect,
}) => {
  const { url, cluster } = await publishFromSandbox('docker-18.06', { reach, onTestFinished });
  const host = await boot({ os: 'centos-7', cluster });
  const outcome = await runTwice(host, url, cluster, expect);

  expect(pick(outcome, /^(containerd|docker|kube(adm|ctl|let))/)).toEqual([
    'docker-ce-18.06.3.ce-3.el7',
    'kubeadm-1.14.10-0',
    'kubectl-1.14.10-0',
    'kubelet-1.14.10-0',
  ]);
  expect(outcome.units).toMatchObject({
    firewalld: 'inactive disabled',
    docker: 'active enabled',
    kubelet: 'active enabled',
  });
  // kubelet-config says cgroupfs, and so must docker.
  expect(await host.output("docker info --format '{{.CgroupDriver}} {{.ServerVersion}}'")).toBe('cgroupfs 18.06.3-ce');
  expect(outcome.joins).toEqual(joinWords(cluster, '/var/run/dockershim.sock'));
  expectNode(outcome, expect);
  expect(outcome.nodes[0]?.status.nodeInfo).toMatchObject({ containerRuntimeVersion: 'docker://18.6.3' });
});

test('docker 19.03.15 and Kubernetes 1.21.14 on Alibaba Cloud Linux 2 (A2 B5)', async ({ boot, publish, expect }) => {
  const cluster = await newCluster('v1.21.14');
  const host = await boot({ os: 'alinux-2', cluster });
  const url = await publish(whole(scriptFor(cluster, 'docker://19.3.15')));
  const outcome = await runTwice(host, url, cluster, expect);

  expect(pick(outcome, /^(docker|kube(adm|ctl|let))/)).toEqual([
    'docker-ce-3:19.03.15-3.el7',
    'docker-ce-cli-1:19.03.15-3.el7',
    'kubeadm-1.21.14-0',
    'kubectl-1.21.14-0',
    'kubelet-1.21.14-0',
  ]);
  expect(await host.output("docker info --format '{{.CgroupDriver}}'")).toBe('systemd');
  expect(outcome.joins).toEqual(joinWords(cluster, '/var/run/dockershim.sock'));
  expectNode(outcome, expect);
});

test('docker 17.03 and Kubernetes 1.14.10 on CentOS 7, whose SELinux package newer ones obsolete (A1)', async ({
  boot,
  publish,
  expect,
}) => {
  const cluster = await newCluster('v1.14.10');
  const host = await boot({ os: 'centos-7', cluster });
  const url = await publish(whole(scriptFor(cluster, 'docker://17.3.3')));
  const outcome = await runTwice(host, url, cluster, expect);

  expect(pick(outcome, /^(containerd|docker)/)).toEqual([
    'docker-ce-17.03.3.ce-1.el7',
    'docker-ce-selinux-17.03.3.ce-1.el7',
  ]);
  expect(outcome.units).toMatchObject({ docker: 'active enabled', kubelet: 'active enabled' });
  expectNode(outcome, expect);
});

test('docker 26.1.4 behind cri-dockerd and Kubernetes 1.28.3 on Rocky 9 (C4)', async ({ boot, publish, expect }) => {
  const cluster = await newCluster('v1.28.3');
  const host = await boot({ os: 'rocky-9', cluster });
  const criDockerdUrl = 'https://files.example.com/cri-dockerd-0.3.15-3.el8.x86_64.rpm';
  const url = await publish(whole(scriptFor(cluster, 'docker://26.1.4', { criDockerdUrl })));
  const outcome = await runTwice(host, url, cluster, expect);

  expect(pick(outcome, /^(docker|cri-dockerd)/)).toEqual([
    'cri-dockerd-0.3.15-3.el8',
    'docker-ce-3:26.1.4-1.el9',
    'docker-ce-cli-1:26.1.4-1.el9',
  ]);
  // Of the packaged unit it would be a default that nobody can pull in a VPC.
  expect(await host.runtime('/run/cri-dockerd.sock')).toMatchObject({
    sandboxImage: 'registry.aliyuncs.com/google_containers/pause:3.9',
  });
  expect(await host.output('systemctl is-enabled cri-docker.socket cri-docker.service')).toBe('enabled\nenabled');
  expect(outcome.joins).toEqual(joinWords(cluster, 'unix:///var/run/cri-dockerd.sock'));
  expectNode(outcome, expect);
});

test('containerd 2.1.5 and Kubernetes 1.28.3 on Rocky 9 with cgroup v2 (B5 C1 C6)', async ({
  boot,
  publish,
  expect,
}) => {
  const cluster = await newCluster('v1.28.3');
  const host = await boot({ os: 'rocky-9', cluster });
  const url = await publish(whole(scriptFor(cluster, 'containerd://2.1.5')));
  const outcome = await runTwice(host, url, cluster, expect);

  expect(pick(outcome, /^containerd/)).toEqual(['containerd.io-2.1.5-1.el9']);
  expect(await host.runtime()).toMatchObject({
    version: '2.1.5',
    cri: ['v1'],
    systemdCgroup: true,
    sandboxImage: 'registry.aliyuncs.com/google_containers/pause:3.9',
    config: { version: 3, disabled_plugins: [] },
  });
  expect(outcome.joins).toEqual(joinWords(cluster, 'unix:///run/containerd/containerd.sock'));
  expectNode(outcome, expect);
});
