/** Scripts for clusters installed from binaries: every source of kubelet, our unit and the user's own, either runtime. */
import { readFileSync } from 'node:fs';
import { type ExpectStatic, vi } from 'vitest';
import type { BinaryInput, KubeletUnit } from '../../src/script/types.ts';
import { exampleKubeletConfig, exampleOwnUnit, exampleUnit } from '../script/example-binary.ts';
import { binaryScript, kubeletProgram, runtimeOf } from './binary-scripts.ts';
import { newCluster, type PlayedCluster } from './cluster.ts';
import { test } from './fixtures.ts';
import { type Host, type Os, variables } from './host.ts';
import { whole } from './serve.ts';

// The packages of the hosts' mirror are signed by keys of its own.
vi.mock('../../src/script/keys.ts', async () => (await import('./keys.ts')).keys());

const ownProgram = '/opt/kubernetes/bin/kubelet';
const docker = { ...runtimeOf('docker://20.10.24') };

interface Row {
  readonly what: string;
  readonly os: Os;
  readonly version: string;
  readonly source: 'url' | 'path' | 'rpm';
  readonly unit: KubeletUnit;
  readonly input: Partial<BinaryInput>;
  readonly files?: Readonly<Record<string, string>>;
}

/** Two units × three sources × two runtimes, each pair of them at least once. */
const rows: readonly Row[] = [
  {
    what: 'kubelet 1.28.3 by URL, our unit, containerd',
    os: 'alinux-3',
    version: 'v1.28.3',
    source: 'url',
    unit: exampleUnit(),
    input: { ...runtimeOf('containerd://1.6.28'), postScript: 'echo "$ALIBABA_CLOUD_NODE_NAME" >>/root/posted\n' },
  },
  {
    what: 'kubelet 1.21.14 on the image, our unit, docker',
    os: 'centos-7',
    version: 'v1.21.14',
    source: 'path',
    unit: exampleUnit('/usr/local/bin/kubelet', ['--network-plugin=cni']),
    input: docker,
  },
  {
    what: 'kubelet 1.36.1 as a package, our unit, containerd with cgroup v2',
    os: 'rocky-9',
    version: 'v1.36.1',
    source: 'rpm',
    unit: exampleUnit('/usr/bin/kubelet'),
    input: { ...runtimeOf('containerd://2.1.5'), needsCgroupV2: true, kubePackages: ['kubelet-1.36.1'] },
  },
  {
    what: "kubelet 1.28.3 on the image beside a kubelet.service and kube-proxy.service, the user's unit, containerd",
    os: 'rocky-8',
    version: 'v1.28.3',
    source: 'path',
    unit: exampleOwnUnit(ownProgram),
    input: { ...runtimeOf('containerd://1.6.28'), kubeProxy: 'on-image' },
    files: {
      '/etc/systemd/system/kubelet.service': '[Service]\nExecStart=/opt/kubernetes/bin/kubelet --v=1\n',
      '/etc/systemd/system/kube-proxy.service':
        '[Service]\nExecStart=/bin/sleep infinity\n[Install]\nWantedBy=multi-user.target\n',
      '/opt/kubernetes/ssl/kube-proxy.pem': 'of kube-proxy\n',
    },
  },
  {
    what: "kubelet 1.28.3 by URL, the user's unit, docker behind cri-dockerd",
    os: 'rocky-9',
    version: 'v1.28.3',
    source: 'url',
    unit: exampleOwnUnit(ownProgram),
    input: {
      ...runtimeOf('docker://26.1.4'),
      criSocket: 'unix:///var/run/cri-dockerd.sock',
      criDockerdUrl: 'https://files.example.com/cri-dockerd-0.3.15-3.el8.x86_64.rpm',
      kubeletConfig: exampleKubeletConfig('unix:///var/run/cri-dockerd.sock'),
    },
  },
  {
    what: "kubelet 1.21.14 as a package beside kubeadm's drop-in, the user's unit, docker",
    os: 'alinux-2',
    version: 'v1.21.14',
    source: 'rpm',
    unit: exampleOwnUnit('/usr/bin/kubelet', ['--network-plugin=cni']),
    input: { ...docker, kubePackages: ['kubelet-1.21.14'] },
    files: {
      '/usr/lib/systemd/system/kubelet.service.d/10-kubeadm.conf': readFileSync(
        new URL('stubs/units/10-kubeadm.conf', import.meta.url),
        'utf8',
      ),
    },
  },
];

/** Paths that are new, gone or different. */
function changed(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...paths].filter((path) => before[path] !== after[path]).sort();
}

async function expectJoined(host: Host, unit: KubeletUnit, expect: ExpectStatic): Promise<void> {
  const rack = unit.labels === '' ? {} : { rack: 'r1' };
  const labels = variables.ALIBABA_CLOUD_LABELS.split(',').map((label) => label.split('='));
  expect(await host.nodes()).toMatchObject([
    {
      metadata: { name: 'cn-shenzhen.192.168.1.10', labels: { ...Object.fromEntries(labels), ...rack } },
      spec: {
        providerID: 'cn-shenzhen.i-wz92ewt14n9wx9mo0000',
        taints: [{ key: 'workload', value: 'ack', effect: 'NoSchedule' }],
      },
    },
  ]);
  const files = [
    unit.kubeconfig,
    unit.config,
    '/etc/kubernetes/pki/ca.crt',
    `$(readlink -f ${unit.certDir}/kubelet-client-current.pem)`,
  ];
  expect(await host.output(`stat -c %a ${files.join(' ')}`)).toBe('600\n644\n644\n600');
  expect(await host.file(unit.bootstrapKubeconfig)).toBeUndefined();
  expect(await host.output('systemctl is-active kubelet; systemctl is-enabled kubelet')).toBe('active\nenabled');
  // Nothing of the credentials that were only lent stays anywhere but in the log of systemd's own.
  expect(
    await host.output(
      `grep -rl 0123456789abcdef /etc /opt/kubernetes /var/lib/kubelet /var/lib/ackone-join /var/log/*.log || true`,
    ),
  ).toBe('/etc/machine-id');
}

async function place(host: Host, path: string, text: string): Promise<void> {
  await host.write(path, text);
  await host.output(`chmod 755 ${path}`);
}

for (const { what, os, version, source, unit, input, files } of rows) {
  test(what, async ({ boot, publish, expect }) => {
    const cluster = await newCluster(version);
    const host = await boot({ os, cluster, ...(files && { files }) });
    const program = kubeletProgram(version);
    if (source === 'path') await place(host, unit.kubelet, program.text);
    const served = (await publish(whole(program.text))).replace('join.sh', 'kubelet');
    const kubelet: BinaryInput['kubelet'] =
      source === 'url'
        ? { kind: 'url', url: served, sha256: program.sha256 }
        : source === 'path'
          ? { kind: 'path', path: unit.kubelet }
          : { kind: 'rpm' };
    const url = await publish(whole(binaryScript(cluster, { ...input, unit, kubelet })));

    const first = await host.run(url);
    expect(first, first.output).toMatchObject({ curl: 0, script: 0 });
    await expectJoined(host, unit, expect);
    expect(await host.output(`${unit.kubelet} --version`)).toBe(`Kubernetes ${version}`);
    expect((await host.outcome()).packages.filter((name) => /^kube(let|adm|ctl)-/.test(name))).toEqual(
      source === 'rpm' ? [expect.stringContaining(`kubelet-${version.slice(1)}-`)] : [],
    );
    const started = (await host.calls('kubelet')).at(-1)!;
    expect(started).toContain(`--kubeconfig=${unit.kubeconfig}`);
    // The address in the Node's name is none of this host (D9).
    expect(started.join(' ')).not.toContain('--node-ip');
    if (files) {
      for (const [path, text] of Object.entries(files)) {
        expect(await host.file(path.endsWith('/kubelet.service') ? `${path}.before-ackone-join` : path)).toBe(text);
      }
    }
    if (input.kubeProxy === 'on-image') {
      expect(await host.output('systemctl is-active kube-proxy; systemctl is-enabled kube-proxy')).toBe(
        'active\nenabled',
      );
    }

    const [state, written] = [await host.state(), host.written()];
    const second = await host.run(url);
    expect(second, second.output).toMatchObject({ curl: 0, script: 0 });
    expect(second.output).toContain('this host has joined already');
    expect(await host.state()).toEqual(state);
    expect(changed(written, host.written())).toEqual(['/var/log/ackone-join.log']);

    // Without our marker this is an image of some node: it gets an identity of its own.
    const subject = 'openssl x509 -noout -serial -in';
    const serial = await host.output(`${subject} ${unit.certDir}/kubelet-client-current.pem`);
    await host.output('rm -rf /var/lib/ackone-join; ip address add 192.168.1.10/32 dev lo');
    const third = await host.run(url);
    expect(third, third.output).toMatchObject({ curl: 0, script: 0 });
    expect(third.output).toContain('this image was made of a node');
    await expectJoined(host, unit, expect);
    expect(await host.output(`${subject} ${unit.certDir}/kubelet-client-current.pem`)).not.toBe(serial);
    expect((await host.calls('kubelet')).at(-1)).toContain('--node-ip=192.168.1.10');
    if (input.postScript)
      expect(await host.file('/root/posted')).toBe(`${variables.ALIBABA_CLOUD_NODE_NAME}\n`.repeat(2));
    if (files?.['/opt/kubernetes/ssl/kube-proxy.pem']) {
      expect(await host.file('/opt/kubernetes/ssl/kube-proxy.pem')).toBe('of kube-proxy\n');
    }
    for (const stranger of ['kubeadm', 'kubectl']) expect(await host.calls(stranger)).toEqual([]);
  });
}

const rocky = { ...runtimeOf('containerd://1.6.28'), deadlineSeconds: 120 };

test('what a check of binary style finds stops the script before anything is installed', async ({
  boot,
  publish,
  expect,
}) => {
  const cluster = await newCluster('v1.28.3');
  const other = await newCluster('v1.28.3');
  const host = await boot({ os: 'rocky-8', cluster });
  await place(host, '/opt/old/kubelet', kubeletProgram('v1.27.1').text);
  const path = (at: string) => ({ kubelet: { kind: 'path', path: at }, unit: exampleUnit(at) }) as const;
  const found: readonly [code: number, words: RegExp, given: Partial<BinaryInput>][] = [
    [58, /192\.0\.2\.10:6443: curl: \(60\)/, { caPem: other.authority.cert }],
    [
      54,
      /http:\/\/198\.51\.100\.1:1\/kubelet/,
      { kubelet: { kind: 'url', url: 'http://198.51.100.1:1/kubelet', sha256: 'ab'.repeat(32) } },
    ],
    [59, /\/usr\/local\/bin\/kubelet is no program here/, path('/usr/local/bin/kubelet')],
    [59, /should say version 1\.28\.3, and says Kubernetes v1\.27\.1/, path('/opt/old/kubelet')],
    [
      44,
      /kubelet-1\.28\.99/,
      { kubelet: { kind: 'rpm' }, kubePackages: ['kubelet-1.28.99'], unit: exampleUnit('/usr/bin/kubelet') },
    ],
  ];
  for (const [code, words, given] of found) {
    const before = host.written();
    const run = await host.run(await publish(whole(binaryScript(cluster, { ...rocky, ...given }))));
    expect(run, run.output).toMatchObject({ script: code });
    expect(run.output).toMatch(words);
    expect(changed(before, host.written())).toEqual(['/var/log/ackone-join.log']);
  }
  await place(host, '/opt/old/kubelet', kubeletProgram('v1.28.3').text);
  const fine = await publish(whole(binaryScript(cluster, { ...rocky, ...path('/opt/old/kubelet') })));
  const before = host.written();
  for (const env of [variables, {}]) {
    const run = await host.run(fine, { ...env, ACKONE_JOIN_PHASE: 'check' });
    expect(run, run.output).toMatchObject({ script: 0 });
    expect(host.written()).toEqual(before);
  }
  const proxy = binaryScript(cluster, { ...rocky, ...path('/opt/old/kubelet'), kubeProxy: 'on-image' });
  expect(await host.run(await publish(whole(proxy)))).toMatchObject({ script: 60 });
  await host.output(
    'printf "[Service]\\nExecStart=/bin/sleep infinity\\n" >/etc/systemd/system/etcd.service; systemctl start etcd',
  );
  expect(await host.run(await publish(whole(proxy)))).toMatchObject({ script: 38 });
  expect(await host.calls('kubelet')).toEqual([]);
});

test('an image is prepared without an identity; a certificate that nobody approves is said, and the next run ends the join', async ({
  boot,
  publish,
  expect,
}) => {
  const cluster = await newCluster('v1.28.3');
  const files = { '/opt/bench/cluster/unapproved': '' };
  const host = await boot({ os: 'anolis-8', cluster, files });
  const program = kubeletProgram('v1.28.3');
  await place(host, '/usr/local/bin/kubelet', program.text);
  const kubelet = { kind: 'path', path: '/usr/local/bin/kubelet', sha256: program.sha256 } as const;
  const url = await publish(whole(binaryScript(cluster, { ...rocky, deadlineSeconds: 60, kubelet })));
  await expectPrepared(host, url, cluster, expect);

  const waiting = await host.run(url);
  expect(waiting, waiting.output).toMatchObject({ script: 55 });
  expect(waiting.output).toContain(
    'nobody approved or signed the certificate of cn-shenzhen.192.168.1.10: see kubectl get csr',
  );
  expect(await host.output('stat -c %a /etc/kubernetes/bootstrap-kubelet.conf')).toBe('600');
  expect(await host.nodes()).toEqual([]);

  await host.output('systemctl stop kubelet; rm /opt/bench/cluster/unapproved');
  const run = await host.run(url);
  expect(run, run.output).toMatchObject({ script: 0 });
  expect(run.output).toContain('an earlier join did not end');
  await expectJoined(host, exampleUnit(), expect);
});

/** ACKONE_JOIN_PHASE=prepare leaves a runtime, and nothing by which anybody could join. */
async function expectPrepared(host: Host, url: string, cluster: PlayedCluster, expect: ExpectStatic): Promise<void> {
  const prepared = await host.run(url, { ACKONE_JOIN_PHASE: 'prepare' });
  expect(prepared, prepared.output).toMatchObject({ script: 0 });
  expect(await host.output('systemctl is-active containerd')).toBe('active');
  for (const path of ['/etc/kubernetes', '/var/lib/kubelet', '/etc/systemd/system/kubelet.service']) {
    expect(await host.output(`ls ${path} 2>/dev/null || true`)).toBe('');
  }
  expect(await host.output(`grep -rl ${cluster.token} /etc /var/lib /var/log || true`)).toBe('');
}
