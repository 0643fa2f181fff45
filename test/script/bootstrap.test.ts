/** The join of binary style: kubelet gets its certificate by itself, and the script sees to what it needs for that. */
import { statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { exitCode, Host } from './bash.ts';
import { examplePem } from './example-binary.ts';

const files = [
  'lib/retry.sh',
  'lib/files.sh',
  'lib/host.sh',
  'check/check.sh',
  'check/variables.sh',
  'join/kubelet.sh',
  'join/bootstrap.sh',
  'check/kube-proxy.sh',
  'join/kube-proxy.sh',
  'join/join.sh',
  'join/verify.sh',
];
const env = { ALIBABA_CLOUD_PROVIDER_ID: 'cn-hangzhou.i-1', ALIBABA_CLOUD_NODE_NAME: 'CN-hangzhou.192.0.2.10' };
const marked = '# Written by ackone-join\n';
const bash = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const exists = (host: Host, path: string) => {
  try {
    host.read(path);
    return true;
  } catch {
    return false;
  }
};
const modeOf = (host: Host, path: string) => (statSync(host.path(path)).mode & 0o777).toString(8);

describe('SH: the files of the bootstrap', () => {
  const config = 'kind: KubeletConfiguration\nclusterDNS: ["10.96.0.10"]\n';
  const kubeconfig = "users:\n- user:\n    token: 'abcdef.0123456789abcdef'\n";
  const write = (before: Readonly<Record<string, string>> = {}, more = '') => {
    const host = new Host(before);
    const script = `umask 022\nSERVER_CA=${bash(examplePem)} KUBELET_CONFIG=${bash(config)} BOOTSTRAP_KUBECONFIG=${bash(kubeconfig)}\n${more}\nwrite_bootstrap`;
    return { host, ...host.run(files, script, env) };
  };
  test('CA, configuration and credentials, the last for root’s eyes only', () => {
    const { host, status } = write();
    expect(status).toBe(0);
    expect(host.read('/etc/kubernetes/pki/ca.crt').trim()).toBe(examplePem.trim());
    expect(host.read('/var/lib/kubelet/config.yaml')).toBe(`${marked}${config}\n`);
    expect(host.read('/etc/kubernetes/bootstrap-kubelet.conf')).toBe(kubeconfig);
    expect(modeOf(host, '/etc/kubernetes/pki/ca.crt')).toBe('644');
    expect(modeOf(host, '/etc/kubernetes')).toBe('755');
    expect(modeOf(host, '/etc/kubernetes/bootstrap-kubelet.conf')).toBe('600');
  });
  test('the credentials are never readable by others, not even where a file stood that was', () => {
    const watched = `printf() { command printf "$@"; [[ ! -e $BOOTSTRAP_FILE ]] || stat -c %a "$BOOTSTRAP_FILE" >>"$ROOT/modes"; }`;
    const { host } = write({ '/etc/kubernetes/bootstrap-kubelet.conf': 'old' }, watched);
    expect(new Set(host.read('modes').trim().split('\n').slice(-1))).toEqual(new Set(['600']));
    expect(modeOf(host, '/etc/kubernetes/bootstrap-kubelet.conf')).toBe('600');
  });
  test('in a folder of their own, which others may read', () => {
    const { host } = write({}, 'BOOTSTRAP_FILE=$ROOT/opt/cfg/bootstrap CONFIG_FILE=$ROOT/opt/cfg/config');
    expect(modeOf(host, '/var/lib/kubelet')).toBe('755');
    expect(host.read('/opt/cfg/bootstrap')).toBe(kubeconfig);
    expect(modeOf(host, '/opt/cfg')).toBe('755');
  });
  test('a configuration of the user’s own is kept beside ours', () => {
    const { host } = write({ '/var/lib/kubelet/config.yaml': 'theirs\n' });
    expect(host.read('/var/lib/kubelet/config.yaml.before-ackone-join')).toBe('theirs\n');
  });
});

describe('SH: waiting for the certificate', () => {
  const wait = (more: string) => {
    const host = new Host();
    const script = `
      DEADLINE_SECONDS=900
      write_bootstrap() { calls write_bootstrap; }
      sleep() { SECONDS=$((SECONDS + $1)); }
      systemctl() { calls systemctl "$@"; [[ $1 != show ]] || echo "SubState=\${state:-running}"; }
      journalctl() { calls journalctl "$@"; echo 'last words of kubelet'; }
      certificate_of() { false; }
      node_json() { false; }
      ${more}
      join_cluster`;
    const result = host.run(files, script, env);
    return { ...result, calls: host.calls() };
  };
  test('it and the Node are there: done', () => {
    const { status, calls, stdout } = wait(
      'certificate_of() { calls asked "$1"; (($(grep -c asked "$CALLS") > 3)); }\nnode_json() { (($(grep -c asked "$CALLS") > 5)); }',
    );
    expect(status).toBe(0);
    expect(calls.slice(0, 4)).toEqual([
      'write_bootstrap',
      'systemctl reset-failed kubelet.service',
      'systemctl restart --no-block kubelet.service',
      'asked cn-hangzhou.192.0.2.10',
    ]);
    expect(calls.filter((call) => call.startsWith('asked'))).toHaveLength(6);
    expect(stdout).not.toContain('last words');
  });
  test('never a certificate: says that nobody approved it, with kubelet’s last words', () => {
    const { status, stderr, stdout, calls } = wait('');
    expect(status).toBe(exitCode('join'));
    expect(stderr).toContain(
      'nobody approved or signed the certificate of cn-hangzhou.192.0.2.10: see kubectl get csr',
    );
    expect(stdout).toBe('last words of kubelet\n');
    expect(calls.at(-1)).toBe('journalctl -u kubelet.service -n 20 --no-pager -o cat');
    // Until a little before the deadline, every two seconds.
    expect(calls.filter((call) => call.includes('SubState')).length).toBeGreaterThan(430);
  });
  test.each(['auto-restart', 'failed', 'dead'])(
    'a kubelet that is seen %s again and again is not waited for',
    (state) => {
      const { status, stderr, stdout, calls } = wait(`state=${state}`);
      expect(status).toBe(exitCode('join'));
      expect(stderr).toContain('kubelet does not stay up');
      expect(stdout).toBe('last words of kubelet\n');
      expect(calls.filter((call) => call.includes('SubState'))).toHaveLength(15);
    },
  );
  test('a certificate without a Node is another failure', () => {
    expect(wait('certificate_of() { true; }').status).toBe(exitCode('node-unseen'));
  });
});

describe('SH: phase join without kubeadm', () => {
  const run = (identity: string, more = '', before: Readonly<Record<string, string>> = {}) => {
    const host = new Host(before);
    const script = `
      SCRIPT_DIGEST=d
      identity() { echo ${identity}; }
      certificate_of() { false; }
      for step in install_unit configure_kubelet join_cluster start_kube_proxy verify_node run_post_script await_ready; do
        eval "$step() { calls $step; }"
      done
      systemctl() { calls systemctl "$@"; }
      kubeadm() { calls kubeadm "$@"; }
      kubectl() { calls kubectl "$@"; }
      ${more}
      phase_join`;
    return { host, ...host.run(files, script, env) };
  };
  const order = [
    'install_unit',
    'configure_kubelet',
    'systemctl daemon-reload',
    'systemctl enable kubelet.service',
    'join_cluster',
  ];
  const end = ['start_kube_proxy', 'verify_node', 'run_post_script', 'await_ready'];
  const joined = ['systemctl enable kubelet.service', 'systemctl start kubelet.service', ...end];
  const image = {
    '/etc/kubernetes/kubelet.conf': '',
    '/etc/kubernetes/bootstrap-kubelet.conf': '',
    '/var/lib/kubelet/pki/kubelet-client-current.pem': '',
    '/var/lib/kubelet/pki/kubelet-client.key.tmp': '',
    '/var/lib/kubelet/pki/kubelet.crt': '',
    '/var/lib/kubelet/pki/kubelet.key': '',
    '/var/lib/kubelet/pki/kube-proxy.pem': 'stays',
    '/var/lib/kubelet/pki/kubelet-ca.pem': 'stays',
    '/etc/kubernetes/pki/ca.crt': 'stays',
    '/var/lib/kubelet/config.yaml': 'stays',
  };
  const gone = (host: Host) => Object.keys(image).filter((path) => !exists(host, path));

  test('a new host: the unit and its flags stand before kubelet starts', () => {
    const { host, status } = run(
      'new',
      'join_cluster() { calls join_cluster; cp "$ROOT/var/lib/ackone-join/state" "$ROOT/at-join"; }',
    );
    expect(status).toBe(0);
    expect(host.calls()).toEqual([...order, ...end]);
    expect(host.read('at-join')).toBe('provider_id=cn-hangzhou.i-1\nscript=d\njoin=started\n');
    expect(host.read('/var/lib/ackone-join/state')).toBe('provider_id=cn-hangzhou.i-1\nscript=d\njoin=finished\n');
  });
  test.each(['foreign', 'half'])(
    '%s: what kubelet itself has left goes, what else is in its folders stays',
    (identity) => {
      const { host } = run(identity, '', image);
      expect(host.calls()).toEqual(['systemctl stop kubelet.service', ...order, ...end]);
      expect(gone(host)).toEqual(Object.keys(image).slice(0, 6));
    },
  );
  test('half a join that has its certificate and its Node counts as joined', () => {
    const { host } = run(
      'half',
      'certificate_of() { [[ $1 == cn-hangzhou.192.0.2.10 ]]; }\nnode_json() { true; }',
      image,
    );
    expect(host.calls()).toEqual(joined);
    expect(gone(host)).toEqual(['/etc/kubernetes/bootstrap-kubelet.conf']);
    expect(host.read('/var/lib/ackone-join/state')).toBe('join=finished\n');
  });
  test('joined: only looked at', () => {
    const state = 'provider_id=cn-hangzhou.i-1\nscript=d\njoin=finished\npost=cn-hangzhou.i-1\n';
    const { host } = run('joined', '', { '/var/lib/ackone-join/state': state });
    expect(host.calls()).toEqual(joined);
    expect(host.read('/var/lib/ackone-join/state')).toBe(state);
  });
  test('the bootstrap kubeconfig goes with the join, and stays while there is none', () => {
    const wrote = (more: string) =>
      run('new', `join_cluster() { mkdir -p "\${BOOTSTRAP_FILE%/*}"; : >"$BOOTSTRAP_FILE"; ${more}; }`).host;
    expect(exists(wrote('true'), '/etc/kubernetes/bootstrap-kubelet.conf')).toBe(false);
    expect(exists(wrote('fail join'), '/etc/kubernetes/bootstrap-kubelet.conf')).toBe(true);
  });
  test('kube-proxy that fails leaves the join to be taken up', () => {
    const { host, status } = run('new', 'start_kube_proxy() { fail kube-proxy; }');
    expect(status).toBe(exitCode('kube-proxy'));
    expect(host.read('/var/lib/ackone-join/state')).toContain('join=started\n');
  });
});

describe('SH D9: --node-ip', () => {
  const addresses = `ip() { calls ip "$@"; printf '%s\\n' '1: lo    inet 127.0.0.1/8 scope host lo' '2: eth0    inet 192.0.2.10/24 brd 192.0.2.255 scope global eth0'; }`;
  const address = (name: string) =>
    new Host().run(files, `${addresses}\nhost_address`, { ...env, ALIBABA_CLOUD_NODE_NAME: name }).stdout;
  test.each([
    ['cn-hangzhou.192.0.2.10', '192.0.2.10\n'],
    ['192.0.2.10', '192.0.2.10\n'],
    // Not an address of this host, or only the beginning or the end of one.
    ['cn-hangzhou.192.0.2.11', ''],
    ['cn-hangzhou.192.0.2.1', ''],
    ['cn-hangzhou.92.0.2.10', ''],
    ['cn-hangzhou.192.0.2.255', ''],
    ['cn-hangzhou-192.0.2.10', ''],
    ['iz2ze', ''],
    ['', ''],
  ])('%s: %j', (name, wanted) => {
    expect(address(name)).toBe(wanted);
  });
  test('goes to kubelet with the unit’s labels and taints, of which the pool’s win', () => {
    const host = new Host();
    const script = `
      KUBE_MINOR=1.28 KUBELET_FLAGS=() OVERRIDE_RESOLV_CONF=no UNIT_LABELS=rack=r1,node-role.kubernetes.io/edge=,workload=old UNIT_TAINTS=workload=old:NoSchedule,disk=slow:NoExecute
      kubelet_file() { echo "$ROOT/etc/sysconfig/kubelet"; }
      ${addresses}
      configure_kubelet`;
    const variables = { ...env, ALIBABA_CLOUD_LABELS: 'workload=cpu', ALIBABA_CLOUD_TAINTS: 'workload=ack:NoSchedule' };
    expect(host.run(files, script, variables)).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('refuses the label node-role.kubernetes.io/edge='),
    });
    expect(host.read('/etc/sysconfig/kubelet')).toBe(
      'KUBELET_EXTRA_ARGS=--hostname-override=cn-hangzhou.192.0.2.10 --node-ip=192.0.2.10 --provider-id=cn-hangzhou.i-1 ' +
        '--node-labels=rack=r1,workload=cpu --register-with-taints=disk=slow:NoExecute,workload=ack:NoSchedule\n',
    );
    // An image is made of this node, and booted under a name without an address.
    expect(host.run(files, script, { ...variables, ALIBABA_CLOUD_NODE_NAME: 'other' }).status).toBe(0);
    expect(host.read('/etc/sysconfig/kubelet')).toContain(
      'KUBELET_EXTRA_ARGS=--hostname-override=other --provider-id=',
    );
  });
});

describe('SH: kube-proxy of the image', () => {
  test('that is missing is found by the check', () => {
    const check = (known: boolean) =>
      new Host().run(files, `systemctl() { [[ "$*" == 'cat kube-proxy.service' ]] && ${known}; }\ncheck_kube_proxy`);
    expect(check(true)).toMatchObject({ status: 0, stderr: '' });
    expect(check(false).status).toBe(exitCode('kube-proxy'));
  });
  const start = (active: boolean) => {
    const host = new Host();
    const script = `
      sleep() { calls sleep "$1"; }
      systemctl() { calls systemctl "$@"; [[ $1 != is-active ]] || ${active}; }
      journalctl() { echo "last words of $2"; }
      start_kube_proxy`;
    return { host, ...host.run(files, script) };
  };
  test('is enabled, started, and looked at a little later', () => {
    const { host, status, stdout } = start(true);
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    expect(host.calls()).toEqual([
      'systemctl enable kube-proxy.service',
      'systemctl start kube-proxy.service',
      'sleep 3',
      'systemctl is-active -q kube-proxy.service',
    ]);
  });
  test('that does not stay up has its own code, and its last words are shown', () => {
    expect(start(false)).toMatchObject({
      status: exitCode('kube-proxy'),
      stdout: 'last words of kube-proxy.service\n',
    });
  });
});
