/** What stands on a host, or is missing there: how the script ends, and what it leaves alone. */
import { type ExpectStatic, vi } from 'vitest';
import { type Node, newCluster } from './cluster.ts';
import { test } from './fixtures.ts';
import { type Host, variables } from './host.ts';
import { keys } from './keys.ts';
import { scriptFor } from './scripts.ts';
import { half, refusal, whole } from './serve.ts';

// The packages of the hosts' mirror are signed by keys of its own.
vi.mock('../../src/script/keys.ts', async () => (await import('./keys.ts')).keys());

const version = 'v1.28.3';
const runtime = 'containerd://1.6.28';
const { ALIBABA_CLOUD_PROVIDER_ID: providerId, ALIBABA_CLOUD_NODE_NAME: nodeName } = variables;

const joins = async (host: Host) => (await host.calls('kubeadm')).filter(([verb]) => verb === 'join');

/** Flag → its values in the order in which kubelet was last given them. */
async function kubeletFlags(host: Host): Promise<Record<string, string[]>> {
  const flags: Record<string, string[]> = {};
  for (const word of (await host.calls('kubelet')).at(-1) ?? []) {
    const [name = '', ...value] = word.split('=');
    flags[name] = [...(flags[name] ?? []), value.join('=')];
  }
  return flags;
}

test('ACKONE_JOIN_PHASE=check changes nothing, with the four variables or without', async ({
  boot,
  publish,
  expect,
}) => {
  const cluster = await newCluster(version);
  const host = await boot({ os: 'centos-7', cluster });
  const url = await publish(whole(scriptFor(cluster, runtime)));
  const before = host.written();
  for (const env of [variables, {}]) {
    const run = await host.run(url, { ...env, ACKONE_JOIN_PHASE: 'check' });
    expect(run, run.output).toMatchObject({ curl: 0, script: 0 });
    expect(host.written()).toEqual(before);
  }
  expect(await host.nodes()).toEqual([]);
});

test('what a check finds stops the script before anything is installed (B4 D6 E4)', async ({
  boot,
  publish,
  expect,
}) => {
  const cluster = await newCluster(version);
  const left: Node = {
    metadata: { name: nodeName },
    spec: { providerID: 'cn-shenzhen.i-dead0000000000000000' },
    status: { conditions: [{ type: 'Ready', status: 'Unknown' }] },
  };
  const host = await boot({ os: 'rocky-8', cluster, nodes: [left] });
  const script = scriptFor(cluster, runtime);
  const { ALIBABA_CLOUD_PROVIDER_ID: _, ...noProvider } = variables;
  const free = { ...variables, ALIBABA_CLOUD_NODE_NAME: 'cn-shenzhen.192.168.1.11' };
  const rows: readonly [code: number, words: RegExp, text: string, env: Readonly<Record<string, string>>][] = [
    [26, /ALIBABA_CLOUD_PROVIDER_ID/, script, noProvider],
    [42, /kubectl delete node cn-shenzhen\.192\.168\.1\.10/, script, variables],
    [41, /CA in cluster-info/, script.replace(/sha256:[0-9a-f]{64}/, `sha256:${'0'.repeat(64)}`), free],
    [44, /containerd\.io-1\.6\.20/, scriptFor(cluster, 'containerd://1.6.20'), free],
  ];
  for (const [code, words, text, env] of rows) {
    const before = host.written();
    const run = await host.run(await publish(whole(text)), env);
    expect(run, run.output).toMatchObject({ script: code });
    expect(run.output).toMatch(words);
    expect(changed(before, host.written())).toEqual(['/var/log/ackone-join.log']);
  }
  expect(await joins(host)).toEqual([]);
});

/** Paths that are new, gone or different. */
function changed(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...paths].filter((path) => before[path] !== after[path]).sort();
}

test('a host of an on-premises control plane is left alone', async ({ boot, publish, expect }) => {
  const cluster = await newCluster(version);
  const files = { '/etc/kubernetes/manifests/kube-apiserver.yaml': 'kind: Pod\n', '/etc/kubernetes/pki/ca.key': 'a\n' };
  const host = await boot({ os: 'centos-7', cluster, files });
  const url = await publish(whole(scriptFor(cluster, runtime)));
  for (const phase of [{}, { ACKONE_JOIN_PHASE: 'prepare' }]) {
    const before = host.written();
    const run = await host.run(url, { ...variables, ...phase });
    expect(run, run.output).toMatchObject({ script: 38 });
    expect(run.output).toContain('/etc/kubernetes/manifests/kube-apiserver.yaml');
    expect(changed(before, host.written()).filter((path) => path !== '/var/log/ackone-join.log')).toEqual([]);
  }
});

test('half a download and a refusal of OSS run nothing', async ({ boot, publish, expect }) => {
  const cluster = await newCluster(version);
  const script = scriptFor(cluster, runtime);
  const host = await boot({ os: 'centos-7', cluster });
  const before = host.written();
  const bytes = Buffer.byteLength(script);
  for (const part of [bytes / 4, bytes / 2, bytes - 'main "$@"\n'.length]) {
    const run = await host.run(await publish(half(script, Math.floor(part))));
    expect(run.curl).not.toBe(0);
    expect(run.output).not.toContain('phase');
    expect(host.written()).toEqual(before);
  }
  expect(await host.run(await publish(refusal))).toMatchObject({ curl: 22 });
  expect(host.written()).toEqual(before);
});

test('an image made from a joined node becomes a Node of its own', async ({ boot, publish, expect }) => {
  const cluster = await newCluster(version);
  const host = await boot({ os: 'rocky-8', cluster });
  const url = await publish(whole(scriptFor(cluster, runtime)));
  const first = await host.run(url);
  expect(first, first.output).toMatchObject({ script: 0 });

  // What another machine finds that boots from this disk: kubelet starts with it.
  const clone = {
    ALIBABA_CLOUD_PROVIDER_ID: 'cn-shenzhen.i-wz9clone0000000000000',
    ALIBABA_CLOUD_NODE_NAME: 'cn-shenzhen.192.168.1.99',
    ALIBABA_CLOUD_LABELS: 'alibabacloud.com/instance-id=i-wz9clone0000000000000,workload=gpu',
    ALIBABA_CLOUD_TAINTS: '',
  };
  const second = await host.run(url, clone);
  expect(second, second.output).toMatchObject({ script: 0 });
  const nodes = await host.nodes();
  expect(nodes.map(({ metadata, spec }) => ({ name: metadata.name, labels: metadata.labels, ...spec }))).toEqual([
    expect.objectContaining({ name: nodeName, providerID: providerId }),
    {
      name: 'cn-shenzhen.192.168.1.99',
      labels: {
        'kubernetes.io/hostname': 'cn-shenzhen.192.168.1.99',
        'kubernetes.io/os': 'linux',
        'alibabacloud.com/instance-id': 'i-wz9clone0000000000000',
        workload: 'gpu',
      },
      providerID: 'cn-shenzhen.i-wz9clone0000000000000',
      taints: [],
    },
  ]);
  const subject = await host.output(
    'openssl x509 -noout -subject -nameopt RFC2253 -in /var/lib/kubelet/pki/kubelet-client-current.pem',
  );
  expect(subject).toBe('subject=CN=system:node:cn-shenzhen.192.168.1.99,O=system:nodes');
  expect(await joins(host)).toHaveLength(2);
});

test('YUM 3 goes on without a package that is missing, and the script does not (B3)', async ({
  boot,
  publish,
  expect,
}) => {
  const cluster = await newCluster(version);
  const host = await boot({ os: 'centos-7', cluster });
  // kubelet needs socat, so there is a kubectl to be had, and no kubelet.
  await host.output('echo exclude=socat >>/etc/dnf/dnf.conf');
  const run = await host.run(await publish(whole(scriptFor(cluster, runtime))));
  expect(run, run.output).toMatchObject({ script: 46 });
  expect(run.output).toContain('kubelet-1.28.3');
  const kubernetes = (await host.outcome()).packages.filter((name) => /^kube(adm|ctl|let)/.test(name));
  expect(kubernetes).toEqual(['kubectl-1.28.3-150500.1.1']);
  expect(await joins(host)).toEqual([]);
});

test('packages whose key is none of the pinned ones are not installed', async ({ boot, publish, expect }) => {
  const cluster = await newCluster(version);
  const host = await boot({ os: 'rocky-8', cluster });
  const { dockerKey } = keys();
  const script = scriptFor(cluster, runtime).replaceAll(dockerKey, '0'.repeat(40));
  const run = await host.run(await publish(whole(script)));
  expect(run, run.output).toMatchObject({ script: 48 });
  expect(run.output).toContain(dockerKey);
  expect((await host.outcome()).packages.filter((name) => /^(containerd|kube)/.test(name))).toEqual([]);
  expect(await host.output('rpm -q gpg-pubkey')).not.toContain(dockerKey.slice(-8).toLowerCase());
  expect(await joins(host)).toEqual([]);
});

test("a containerd configuration of the user's stays, and stops the script where it contradicts the cluster", async ({
  boot,
  publish,
  expect,
}) => {
  const cluster = await newCluster(version);
  const theirs =
    'version = 2\n# ours since 2021\n[plugins."io.containerd.grpc.v1.cri"]\n  sandbox_image = "registry.example.com/pause:3.9"\n';
  const host = await boot({ os: 'anolis-8', cluster, files: { '/etc/containerd/config.toml': theirs } });
  const run = await host.run(await publish(whole(scriptFor(cluster, runtime))));
  expect(run, run.output).toMatchObject({ script: 51 });
  expect(await host.file('/etc/containerd/config.toml')).toBe(theirs);
  expect(await joins(host)).toEqual([]);

  // It runs with their configuration now, so that a start would not do (C3).
  await host.output('systemctl start containerd');
  const replaced = await host.run(await publish(whole(scriptFor(cluster, runtime, { runtimeConfig: 'replace' }))));
  expect(replaced, replaced.output).toMatchObject({ script: 0 });
  expect(await host.runtime()).toMatchObject({ systemdCgroup: true });
  expect(await host.file('/etc/containerd/config.toml.before-ackone-join')).toBe(theirs);
});

test('whatever stands in /etc/sysconfig/kubelet, kubelet gets each value once (B5 D1 D2 D4 D5)', async ({
  boot,
  publish,
  expect,
}) => {
  const cluster = await newCluster(version);
  const host = await boot({ os: 'openeuler-22', cluster });
  const url = await publish(whole(scriptFor(cluster, runtime)));
  await prepareTwice(host, url, expect);
  // openEuler 22 takes what is made for EL 8 (B5).
  expect(await host.output('rpm -q containerd.io')).toBe('containerd.io-1.6.28-3.1.el8.x86_64');

  const values = { '--hostname-override': nodeName, '--provider-id': providerId };
  const labels = variables.ALIBABA_CLOUD_LABELS.split(',');
  const shapes: readonly [file: string | undefined, more: Readonly<Record<string, string>>][] = [
    [undefined, {}],
    ['', {}],
    ['#KUBELET_EXTRA_ARGS=--x\n', {}],
    ['KUBELET_EXTRA_ARGS=--hostname-override=old-name --provider-id=old --max-pods=50', { '--max-pods': '50' }],
    ['KUBELET_EXTRA_ARGS="--v=2 --node-labels=rack=r1,workload=old"\n', { '--v': '2', label: 'rack=r1' }],
  ];
  for (const [file, { label, ...more }] of shapes) {
    await host.output('systemctl stop kubelet; kubeadm reset -f; rm -rf /var/lib/ackone-join; systemctl restart api');
    if (file === undefined) await host.output('rm -f /etc/sysconfig/kubelet');
    else await host.write('/etc/sysconfig/kubelet', file);
    const run = await host.run(url, {
      ...variables,
      ALIBABA_CLOUD_LABELS: `${variables.ALIBABA_CLOUD_LABELS},node-role.kubernetes.io/worker=`,
    });
    expect(run, `${file}\n${run.output}`).toMatchObject({ script: 0 });
    const flags = await kubeletFlags(host);
    for (const [name, value] of Object.entries({ ...values, ...more })) {
      expect(new Set(flags[name]), `${file}: ${name}`).toEqual(new Set([value]));
    }
    expect(flags['--provider-id']).toHaveLength(1);
    expect(flags['--node-labels'], file).toHaveLength(1);
    expect(flags['--node-labels']?.[0]?.split(',').sort()).toEqual([...labels, ...(label ? [label] : [])].sort());
    expect(flags['--register-with-taints']).toEqual(['workload=ack:NoSchedule']);
    expect((await joins(host)).at(-1)).toEqual(expect.arrayContaining(['--node-name', nodeName]));
  }
});

/** Builds an image, and once more on top of it, which changes nothing. */
async function prepareTwice(host: Host, url: string, expect: ExpectStatic): Promise<void> {
  const states = [];
  for (let count = 0; count < 2; count++) {
    const prepared = await host.run(url, { ACKONE_JOIN_PHASE: 'prepare' });
    expect(prepared, prepared.output).toMatchObject({ script: 0 });
    states.push(await host.state());
  }
  expect(states[1]).toEqual(states[0]);
  expect(await host.nodes()).toEqual([]);
  expect(await joins(host)).toEqual([]);
}

test('without a node name the Node has the name of the host; packages come from the mirror of the VPC (D1)', async ({
  boot,
  publish,
  expect,
}) => {
  const cluster = await newCluster('v1.21.14');
  const host = await boot({ os: 'centos-7', cluster, internalMirror: true });
  const run = await host.run(await publish(whole(scriptFor(cluster, 'containerd://1.4.3'))), {
    ...variables,
    ALIBABA_CLOUD_NODE_NAME: '',
  });
  expect(run, run.output).toMatchObject({ script: 0 });
  expect(await host.nodes()).toMatchObject([
    { metadata: { name: await host.output('hostname') }, spec: { providerID: providerId } },
  ]);
  expect((await joins(host))[0]).not.toContain('--node-name');
  expect(await kubeletFlags(host)).not.toHaveProperty('--hostname-override');
  expect(await host.runtime()).toMatchObject({
    version: '1.4.3',
    systemdCgroup: true,
    sandboxImage: 'registry.aliyuncs.com/google_containers/pause:3.4.1',
  });
  const fetched = (await host.calls('mirror')).map(([, url = '']) => url).filter((url) => url.endsWith('.rpm'));
  expect(fetched.filter((url) => /containerd|kubelet/.test(url))).toEqual([
    'http://mirrors.cloud.aliyuncs.com/docker-ce/linux/centos/7/x86_64/stable/Packages/containerd.io-1.4.3-3.1.el7.x86_64.rpm',
    'http://mirrors.cloud.aliyuncs.com/kubernetes/yum/repos/kubernetes-el7-x86_64/Packages/kubelet-1.21.14-0.x86_64.rpm',
  ]);
});
