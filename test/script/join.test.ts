/** The join: its words, what is left of an earlier one, and the Node as the API tells it afterwards. */
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { compose } from '../../src/script/compose.ts';
import type { KubeadmInput } from '../../src/script/types.ts';
import { parseVersion } from '../../src/script/versions.ts';
import { exitCode, Host } from './bash.ts';
import { exampleInput, exampleToken } from './example-input.ts';

const files = [
  'lib/retry.sh',
  'lib/files.sh',
  'lib/host.sh',
  'check/check.sh',
  'check/variables.sh',
  'join/kubelet.sh',
  'join/kubeadm.sh',
  'join/join.sh',
  'join/verify.sh',
];
const env = { ALIBABA_CLOUD_PROVIDER_ID: 'cn-hangzhou.i-1', ALIBABA_CLOUD_NODE_NAME: 'CN-hangzhou.192.0.2.10' };
const pin = exampleInput().join.pins[0]!;

/** The words of kubeadm as a composed script calls it. */
function words(overrides: Partial<KubeadmInput>, variables: Readonly<Record<string, string>> = env): readonly string[] {
  const constant = /^JOIN_WORDS=.*$/m.exec(compose(exampleInput(overrides)).text)![0];
  const host = new Host();
  const script = `${constant}\nkubeadm() { printf '%s\\n' "$@" >"$ROOT/words"; }\njoin_cluster`;
  expect(host.run(files, script, variables).status).toBe(0);
  return host.read('words').trimEnd().split('\n');
}

describe('SH F6: kubeadm gets its words one by one', () => {
  test('D1 the endpoint, the token, every pin, the socket, and the name that kubelet gets too', () => {
    const join = {
      endpoint: '[2001:db8::1]:6443',
      token: exampleToken,
      pins: [pin, 'sha256:bb'],
      extraWords: ['--v=5'],
    };
    expect(words({ join })).toEqual([
      'join',
      '[2001:db8::1]:6443',
      ...['--token', exampleToken],
      ...['--discovery-token-ca-cert-hash', pin, '--discovery-token-ca-cert-hash', 'sha256:bb'],
      ...['--cri-socket', 'unix:///run/containerd/containerd.sock'],
      '--v=5',
      ...['--node-name', 'cn-hangzhou.192.0.2.10'],
    ]);
  });
  test('D1 without the variable no --node-name, not even an empty one', () => {
    expect(words({}, { ...env, ALIBABA_CLOUD_NODE_NAME: '' })).not.toContain('--node-name');
  });
  test('beside --config only what kubeadm takes there', () => {
    const join = { endpoint: '', token: '', pins: [], extraWords: ['--config=/etc/my join.yaml'] };
    expect(words({ join })).toEqual(['join', '--config=/etc/my join.yaml', '--node-name', 'cn-hangzhou.192.0.2.10']);
  });
  test('swap that is kept is the one preflight error that is let pass', () => {
    expect(words({}).join(' ')).not.toContain('ignore');
    expect(words({ swap: 'keep' })).toContain('--ignore-preflight-errors=Swap');
  });
  test('before 1.24 kubeadm takes the socket as a path', () => {
    expect(words({ kubeVersion: parseVersion('1.23.17')! })).toContain('/run/containerd/containerd.sock');
  });
});

describe('SH: kubeadm that fails', () => {
  const run = (kubeadm: string) => {
    const host = new Host();
    const script = `JOIN_WORDS=(x)\nsleep() { calls sleep "$@"; }\nkubeadm() { calls kubeadm; ${kubeadm}; }\njoin_cluster`;
    const { status, stdout } = host.run(files, script, env);
    return { status, stdout, calls: host.calls() };
  };
  test('stops the script, once, with its words in the log', () => {
    const { status, stdout, calls } = run('echo "[ERROR FileAvailable]" >&2; return 1');
    expect(status).toBe(exitCode('join'));
    expect(stdout).toContain('[ERROR FileAvailable]');
    expect(calls).toEqual(['kubeadm']);
  });
  test('because the Node of a half join still counts as Ready, is tried again', () => {
    const { status, calls } = run(
      '[[ $(grep -c kubeadm "$CALLS") -ge 3 ]] || { echo \'a Node with name "x" and status "Ready" already exists\'; return 1; }',
    );
    expect(status).toBe(0);
    expect(calls).toEqual(['kubeadm', 'sleep 15', 'kubeadm', 'sleep 15', 'kubeadm']);
  });
});

describe('SH: phase join', () => {
  const run = (identity: string, more = '', before: Readonly<Record<string, string>> = {}) => {
    const host = new Host(before);
    const script = `
      SCRIPT_DIGEST=d CRI_SOCKET=/run/x.sock JOIN_WORDS=(x)
      identity() { echo ${identity}; }
      configure_kubelet() { calls configure_kubelet; }
      verify_node() { calls verify_node; }
      await_ready() { calls await_ready; }
      certificate_of() { false; }
      systemctl() { calls systemctl "$@"; }
      kubeadm() { calls kubeadm "$1" "\${2-}" "\${3-}" "\${4-}"; [[ $1 != join ]] || cp "$ROOT/var/lib/ackone-join/state" "$ROOT/at-join"; }
      ${more}
      phase_join`;
    return { host, ...host.run(files, script, env) };
  };
  const order = [
    'configure_kubelet',
    'systemctl daemon-reload',
    'systemctl enable kubelet.service',
    expect.stringMatching(/^kubeadm join/),
    'verify_node',
    'await_ready',
  ];
  const image = {
    '/etc/kubernetes/kubelet.conf': '',
    '/etc/kubernetes/bootstrap-kubelet.conf': '',
    '/etc/kubernetes/pki/ca.crt': '',
    '/var/lib/kubelet/pki/kubelet-client-current.pem': '',
    '/var/lib/kubelet/config.yaml': '',
    '/var/lib/kubelet/kubeadm-flags.env': '',
    '/etc/kubernetes/manifests/static.yaml': 'stays',
  };
  const gone = (host: Host) =>
    Object.keys(image).filter((path) => {
      try {
        host.read(path);
        return false;
      } catch {
        return true;
      }
    });

  test('D6 a new host: the block stands before kubeadm starts kubelet', () => {
    const { host, status } = run('new');
    expect(status).toBe(0);
    expect(host.calls()).toEqual(order);
    expect(host.read('at-join')).toBe('provider_id=cn-hangzhou.i-1\nscript=d\njoin=started\n');
    expect(host.read('/var/lib/ackone-join/state')).toBe('provider_id=cn-hangzhou.i-1\nscript=d\njoin=finished\n');
  });
  test('an image of a joined node: its identity is cleared, without kubeadm reset', () => {
    const { host } = run('foreign', '', image);
    expect(host.calls()).toEqual(['systemctl stop kubelet.service', ...order]);
    expect(gone(host)).toEqual(Object.keys(image).slice(0, -1));
  });
  test('half a join: kubelet stopped, reset with the socket, the block again, joined again', () => {
    const { host } = run('half', '', image);
    expect(host.calls()).toEqual([
      'systemctl stop kubelet.service',
      'kubeadm reset -f --cri-socket /run/x.sock',
      'systemctl stop kubelet.service',
      ...order,
    ]);
    expect(gone(host)).toEqual(Object.keys(image).slice(0, -1));
  });
  test('a join of ours that ended, though its run did not, is not undone', () => {
    const ended = (node: string) =>
      run('half', `certificate_of() { true; }\nnode_json() { echo '${node}' >"$RUN/node"; }`, image).host;
    const host = ended('{"metadata": {"annotations": {"kubeadm.alpha.kubernetes.io/cri-socket": "x"}}}');
    expect(host.calls()).toEqual([
      'systemctl enable kubelet.service',
      'systemctl start kubelet.service',
      'verify_node',
      'await_ready',
    ]);
    expect(host.read('/var/lib/ackone-join/state')).toBe('join=finished\n');
    expect(ended('{"metadata": {}}').calls()).toContain('kubeadm reset -f --cri-socket /run/x.sock');
  });
  test('joined already: only looked at', () => {
    const { host } = run('joined', '', image);
    expect(host.calls()).toEqual([
      'systemctl enable kubelet.service',
      'systemctl start kubelet.service',
      'verify_node',
      'await_ready',
    ]);
    expect(gone(host)).toEqual([]);
  });
  test('a join that fails leaves the marker that lets the next run reset it', () => {
    const { host, status } = run('new', 'kubeadm() { return 1; }');
    expect(status).toBe(exitCode('join'));
    expect(host.read('/var/lib/ackone-join/state')).toContain('join=started\n');
  });
});

describe('SH: the flags of kubelet', () => {
  const configured = (overrides: Partial<KubeadmInput>, more = '') => {
    const constants = compose(exampleInput(overrides)).text.match(
      /^(KUBELET_FLAGS|OVERRIDE_RESOLV_CONF|KUBE_MINOR)=.*$/gm,
    )!;
    const host = new Host();
    const script = `${constants.join('\n')}\nkubelet_file() { echo "$ROOT/etc/sysconfig/kubelet"; }\n${more}\nconfigure_kubelet`;
    expect(host.run(files, script, { ...env, ALIBABA_CLOUD_LABELS: 'a=b' })).toMatchObject({ status: 0, stderr: '' });
    expect(host.read('/var/lib/ackone-join/state')).toBe('kubelet=a=b,\n');
    return host.read('/etc/sysconfig/kubelet').replace(host.root, '');
  };
  const usual = '--hostname-override=cn-hangzhou.192.0.2.10 --provider-id=cn-hangzhou.i-1 --node-labels=a=b\n';
  test('the four values, verbatim', () => {
    expect(configured({})).toBe(`KUBELET_EXTRA_ARGS=${usual}`);
  });
  test('resolv.conf of another distribution, unless this host has that file too', () => {
    expect(configured({ overrideResolvConf: true })).toBe(`KUBELET_EXTRA_ARGS=--resolv-conf=/etc/resolv.conf ${usual}`);
    expect(
      configured(
        { overrideResolvConf: true },
        'mkdir -p "$ROOT/run/systemd/resolve"; : >"$ROOT/run/systemd/resolve/resolv.conf"',
      ),
    ).toBe(`KUBELET_EXTRA_ARGS=${usual}`);
  });
  test('more flags, and the pause image where kubelet speaks to docker itself', () => {
    const docker = {
      runtime: 'docker',
      kubeVersion: parseVersion('1.18.20')!,
      criSocket: '/var/run/dockershim.sock',
    } as const;
    expect(configured({ ...docker, kubeletExtraArgs: ['--cgroup-driver=systemd'] })).toBe(
      `KUBELET_EXTRA_ARGS=--pod-infra-container-image=registry.aliyuncs.com/google_containers/pause:3.9 --cgroup-driver=systemd ${usual}`,
    );
  });
});

describe('SH: the Node as the API tells it', () => {
  const node = {
    metadata: { labels: { a: 'b', 'x/y': '', more: 'z' } },
    spec: {
      providerID: 'cn-hangzhou.i-1',
      taints: [
        { key: 'k', value: 'v', effect: 'NoSchedule' },
        { key: 'e', effect: 'NoExecute' },
      ],
    },
    status: {
      conditions: [
        { type: 'MemoryPressure', status: 'True' },
        { type: 'Ready', status: 'True' },
      ],
    },
  };
  const variables = { ...env, ALIBABA_CLOUD_LABELS: 'a=b,x/y=', ALIBABA_CLOUD_TAINTS: 'k=v:NoSchedule,e:NoExecute' };
  const run = (json: unknown, more = '') => {
    const host = new Host({ node: JSON.stringify(json) });
    const script = `KUBE_MINOR=1.28\nsleep() { calls sleep "$@"; }\nkubectl() { calls kubectl "$@"; cat "$ROOT/node"; }\n${more}\nverify_node\nawait_ready`;
    return { host, ...host.run(files, script, variables) };
  };
  test('all of it is there: asked with kubelet’s own credentials', () => {
    const { status, stderr, host } = run(node);
    expect({ status, stderr }).toEqual({ status: 0, stderr: 'ackone-join: the Node is Ready\n' });
    expect(host.calls()[0]).toMatch(
      /^kubectl --kubeconfig \S*\/etc\/kubernetes\/kubelet.conf .* get node cn-hangzhou.192.0.2.10 -o json$/,
    );
  });
  test.each([
    [
      'D6 another provider id',
      { ...node, spec: { ...node.spec, providerID: 'cn-hangzhou.i-old' } },
      'its provider id is cn-hangzhou.i-old',
    ],
    ['D6 no provider id', { ...node, spec: { taints: node.spec.taints } }, 'its provider id is None'],
    ['a label missing', { ...node, metadata: { labels: { 'x/y': '' } } }, 'it lacks a=b'],
    ['a label with another value', { ...node, metadata: { labels: { a: 'c', 'x/y': '' } } }, 'it lacks a=b'],
    ['a taint missing', { ...node, spec: { providerID: 'cn-hangzhou.i-1' } }, 'it lacks k=v:NoSchedule'],
  ])('%s ends in a failure that names it', (_what, json, words) => {
    const { status, stderr } = run(json);
    expect(status).toBe(exitCode('node-differs'));
    expect(stderr).toContain(words);
  });
  test('not Ready yet is waited for, then said with its reason, and no failure', () => {
    const waiting = {
      ...node,
      status: { conditions: [{ type: 'Ready', status: 'False', reason: 'KubeletNotReady', message: 'cni\nplugin' }] },
    };
    const { status, stderr, host } = run(waiting);
    expect(status).toBe(0);
    expect(stderr).toContain('not Ready yet: KubeletNotReady, cni plugin');
    expect(host.calls().filter((call) => call === 'sleep 3')).toHaveLength(20);
  });
  test('Ready while it waits, with a time in which the API is gone', () => {
    const waiting = {
      ...node,
      status: { conditions: [{ type: 'Ready', status: 'False', reason: 'KubeletNotReady' }] },
    };
    const more = `sleep() {
      calls sleep "$@"
      (($(grep -c sleep "$CALLS") != 2)) || sed -i 's/"status":"False"/"status":"True"/' "$ROOT/node"
    }
    kubectl() { calls kubectl; (($(grep -c kubectl "$CALLS") != 2)) && cat "$ROOT/node"; }`;
    const { status, stderr, host } = run(waiting, more);
    expect({ status, stderr }).toEqual({ status: 0, stderr: 'ackone-join: the Node is Ready\n' });
    expect(host.calls()).toEqual(['kubectl', 'sleep 3', 'kubectl', 'sleep 3', 'kubectl']);
  });
  test('a Node that is not there is another failure', () => {
    expect(run(node, 'kubectl() { return 1; }').status).toBe(exitCode('node-unseen'));
  });
  test('a label that kubelet was kept from is not missed', () => {
    const { status } = run(node, 'ALIBABA_CLOUD_LABELS=a=b,node-role.kubernetes.io/worker=');
    expect(status).toBe(0);
  });
});

test('SH F6: the joining words hold whatever is in them', () => {
  const join = { endpoint: 'a:1', token: exampleToken, pins: [], extraWords: ['--x=$(id) "\' \n*'] };
  const text = compose(exampleInput({ join })).text;
  const constant = /^JOIN_WORDS=[\s\S]*?\)\n(?=[A-Z0-9_]+=)/m.exec(text)![0];
  const { stdout } = spawnSync('bash', ['--norc', '-s'], {
    input: `${constant}printf '%s\\0' "\${JOIN_WORDS[@]}"`,
    encoding: 'utf8',
  });
  expect(stdout.split('\0')).toContain('--x=$(id) "\' \n*');
});
