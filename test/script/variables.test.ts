/** What the registered cluster puts into the four variables, and what must not get further than here. */
import { describe, expect, test } from 'vitest';
import { exitCode, Host } from './bash.ts';

const files = ['check/variables.sh'];
const good = {
  ALIBABA_CLOUD_PROVIDER_ID: 'cn-shenzhen.i-wz92ewt14n9wx9mo0000',
  ALIBABA_CLOUD_NODE_NAME: 'cn-shenzhen.192.168.1.10',
  ALIBABA_CLOUD_LABELS:
    'alibabacloud.com/nodepool-id=np0e20,ack.aliyun.com=cc3df6,alibabacloud.com/external=true,workload=cpu',
  ALIBABA_CLOUD_TAINTS: 'workload=ack:NoSchedule',
};
const run = (script: string, env: Readonly<Record<string, string>> = {}, minor = 28) =>
  new Host().run(files, `KUBE_MINOR=1.${minor}\n${script}`, { ...good, ...env });

test('SH: the values of the documentation pass', () => {
  expect(run('check_variables')).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('cn-shenzhen.i-wz92ewt14n9wx9mo0000 will be Node cn-shenzhen.192.168.1.10'),
  });
});

describe('SH: what is malformed stops the script, each in its own way', () => {
  test.each([
    ['D6 no provider id', 'provider-id', { ALIBABA_CLOUD_PROVIDER_ID: '' }],
    [
      'D6 a prefix that is not there in real ones',
      'provider-id',
      { ALIBABA_CLOUD_PROVIDER_ID: 'alicloud://cn-hangzhou.i-1' },
    ],
    ['provider id without a region', 'provider-id', { ALIBABA_CLOUD_PROVIDER_ID: 'i-abc' }],
    ['F4 a carriage return at the end', 'provider-id', { ALIBABA_CLOUD_PROVIDER_ID: 'cn-hangzhou.i-abc\r' }],
    ['provider id with a command', 'provider-id', { ALIBABA_CLOUD_PROVIDER_ID: 'cn-hangzhou.i-$(touch x)' }],
    [
      'provider id with a second line',
      'provider-id',
      { ALIBABA_CLOUD_PROVIDER_ID: 'cn-hangzhou.i-a\ncn-hangzhou.i-b' },
    ],
    ['node name with a space', 'node-name', { ALIBABA_CLOUD_NODE_NAME: 'a b' }],
    ['node name with a quote', 'node-name', { ALIBABA_CLOUD_NODE_NAME: "a'b" }],
    ['node name that is a flag', 'node-name', { ALIBABA_CLOUD_NODE_NAME: '-a' }],
    ['node name with an empty part', 'node-name', { ALIBABA_CLOUD_NODE_NAME: 'a..b' }],
    ['label without a value', 'labels', { ALIBABA_CLOUD_LABELS: 'a=b,c' }],
    ['label with a quote', 'labels', { ALIBABA_CLOUD_LABELS: 'a="b"' }],
    ['label with a second line', 'labels', { ALIBABA_CLOUD_LABELS: 'a=b\nc=d' }],
    ['label with a command', 'labels', { ALIBABA_CLOUD_LABELS: 'a=$(touch x)' }],
    ['label with an escape', 'labels', { ALIBABA_CLOUD_LABELS: 'a=\u001b[2Jb' }],
    ['label with a space inside', 'labels', { ALIBABA_CLOUD_LABELS: 'a=b c=d' }],
    ['label value of 64 characters', 'labels', { ALIBABA_CLOUD_LABELS: `a=${'x'.repeat(64)}` }],
    ['taint without an effect', 'taints', { ALIBABA_CLOUD_TAINTS: 'a=b' }],
    ['taint with an effect that is none', 'taints', { ALIBABA_CLOUD_TAINTS: 'a=b:Nothing' }],
    ['taint with two effects', 'taints', { ALIBABA_CLOUD_TAINTS: 'a=b:NoSchedule:NoExecute' }],
    ['taint without a key', 'taints', { ALIBABA_CLOUD_TAINTS: '=b:NoSchedule' }],
    ['taint with a glob', 'taints', { ALIBABA_CLOUD_TAINTS: 'a=*:NoSchedule' }],
  ])('%s', (_what, name, env) => {
    const host = new Host();
    const { status, stderr } = host.run(files, 'KUBE_MINOR=1.28\ncheck_variables\necho went on >&2', {
      ...good,
      ...env,
    });
    expect(status).toBe(exitCode(name));
    expect(stderr).toContain(`(${name}, exit code ${status})`);
    expect(stderr).not.toMatch(/went on|[^\x20-\x7e\n]/);
    expect(() => host.read('x')).toThrow();
  });
});

test.each([
  ['nothing', '', ''],
  ['empty items and space around them', ' a=b , ,c=d,', 'a=b,c=d'],
  ['an empty value', 'a=', 'a='],
  ['a glob stays what it is: refused as a label, never expanded', 'x/y.z=A_b-c', 'x/y.z=A_b-c'],
])('SH: labels, %s', (_what, labels, wanted) => {
  expect(run('wanted_labels', { ALIBABA_CLOUD_LABELS: labels }).stdout).toBe(`${wanted}\n`);
});

test.each([
  ['nothing', '', ''],
  ['several', 'a=b:NoSchedule,c=d:PreferNoSchedule', 'a=b:NoSchedule,c=d:PreferNoSchedule'],
  ['without a value, written as old kubelets know it too', 'a:NoExecute,b=:NoSchedule', 'a=:NoExecute,b=:NoSchedule'],
  ['a trailing comma, which kubelet would die of', 'a=b:NoSchedule,', 'a=b:NoSchedule'],
])('SH: taints, %s', (_what, taints, wanted) => {
  expect(run('wanted_taints', { ALIBABA_CLOUD_TAINTS: taints }).stdout).toBe(`${wanted}\n`);
});

describe('SH D5: labels in the namespaces of Kubernetes', () => {
  const labels =
    'workload=cpu,node-role.kubernetes.io/worker=,node.kubernetes.io/pool=a,topology.kubernetes.io/zone=z1';
  test.each([16, 18, 28, 36])('1.%i: only the one that kubelet would die of is left out, with a line', (minor) => {
    const { stdout, stderr } = run('wanted_labels', { ALIBABA_CLOUD_LABELS: labels }, minor);
    expect(stdout).toBe('workload=cpu,node.kubernetes.io/pool=a,topology.kubernetes.io/zone=z1\n');
    expect(stderr).toContain('node-role.kubernetes.io/worker=');
  });
  test.each([14, 15])('1.%i: warned of, and kept', (minor) => {
    const { stdout, stderr } = run('wanted_labels', { ALIBABA_CLOUD_LABELS: labels }, minor);
    expect(stdout).toBe(`${labels}\n`);
    expect(stderr).toContain('node-role.kubernetes.io/worker=');
  });
  const own = [
    'kubernetes.io/hostname',
    'kubernetes.io/os',
    'kubernetes.io/arch',
    'beta.kubernetes.io/os',
    'beta.kubernetes.io/arch',
    'beta.kubernetes.io/instance-type',
    'node.kubernetes.io/instance-type',
    'failure-domain.beta.kubernetes.io/zone',
    'failure-domain.beta.kubernetes.io/region',
    'topology.kubernetes.io/region',
    'kubelet.kubernetes.io/x',
    'a.node.kubernetes.io/x',
    'alibabacloud.com/external',
    'ack.aliyun.com',
    'mykubernetes.io/x',
    'hostname',
  ];
  test.each(own)('%s stays', (key) => {
    expect(run('wanted_labels', { ALIBABA_CLOUD_LABELS: `${key}=v` }).stdout).toBe(`${key}=v\n`);
  });
  test.each([
    'kubernetes.io/x',
    'k8s.io/x',
    'a.k8s.io/x',
    'node-role.kubernetes.io/control-plane',
    'beta.kubernetes.io/x',
    'topology.kubernetes.io/x',
    'xnode.kubernetes.io/x',
  ])('%s goes', (key) => {
    expect(run('wanted_labels', { ALIBABA_CLOUD_LABELS: `${key}=v` }).stdout).toBe('\n');
  });
});

test('SH D1: one name, lowered as kubelet and kubeadm lower it', () => {
  expect(run('node_name', { ALIBABA_CLOUD_NODE_NAME: 'CN-Hangzhou.192.0.2.10' }).stdout).toBe(
    'cn-hangzhou.192.0.2.10\n',
  );
  expect(run('uname() { echo iZExample; }\nnode_name', { ALIBABA_CLOUD_NODE_NAME: '' }).stdout).toBe('izexample\n');
});

test('SH F5: the old spelling of the first variable still counts, the new one wins', () => {
  expect(
    run('provider_id', { ALIBABA_CLOUD_PROVIDER_ID: '', ALIBABA_CLOUD_PROVIDE_ID: 'cn-hangzhou.i-old' }).stdout,
  ).toBe('cn-hangzhou.i-old\n');
  expect(run('provider_id', { ALIBABA_CLOUD_PROVIDE_ID: 'cn-hangzhou.i-old' }).stdout).toBe(
    `${good.ALIBABA_CLOUD_PROVIDER_ID}\n`,
  );
});
