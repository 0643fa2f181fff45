/** What this host is to the cluster: nothing on it alone proves that it has joined. */
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { exitCode, Host } from './bash.ts';

const files = ['lib/files.sh', 'lib/host.sh', 'check/host.sh', 'check/variables.sh', 'check/identity.sh'];
const env = { ALIBABA_CLOUD_PROVIDER_ID: 'cn-hangzhou.i-new', ALIBABA_CLOUD_NODE_NAME: 'node-1' };
const state = (provider: string, join: string) => ({
  '/var/lib/ackone-join/state': `provider_id=${provider}\njoin=${join}\n`,
});

/** A host with a kubelet's client certificate for a name. */
function joinedHost(name: string, more: Readonly<Record<string, string>>): Host {
  const host = new Host({ '/etc/kubernetes/kubelet.conf': 'x', '/var/lib/kubelet/pki/x': '', ...more });
  const key = host.path('key.pem');
  execFileSync('openssl', ['genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', key], {
    stdio: 'ignore',
  });
  const request = ['req', '-x509', '-new', '-key', key, '-subj', `/O=system:nodes/CN=system:node:${name}`];
  const certificate = execFileSync('openssl', request, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  host.write('/var/lib/kubelet/pki/kubelet-client-current.pem', certificate);
  return host;
}
const identityOf = (host: Host, script = '') => host.run(files, `${script}\nidentity`, env).stdout.trim();

test('SH: a host that nobody has touched is new', () => {
  expect(identityOf(new Host())).toBe('new');
});

test('SH: joined needs the certificate of our name and our marker with this provider id', () => {
  expect(identityOf(joinedHost('node-1', state('cn-hangzhou.i-new', 'finished')))).toBe('joined');
});

test.each([
  ['an image of a joined node has neither', 'node-9', state('cn-hangzhou.i-old', 'finished'), 'foreign'],
  ['the certificate alone is not enough', 'node-1', {}, 'foreign'],
  ["another machine's marker is not enough", 'node-1', state('cn-hangzhou.i-old', 'finished'), 'foreign'],
  [
    'our marker with a certificate of another name is half a join',
    'node-10',
    state('cn-hangzhou.i-new', 'finished'),
    'half',
  ],
  ['a name that ours is only the end of', 'x-node-1', state('cn-hangzhou.i-new', 'finished'), 'half'],
  ['a join of ours that did not end', 'node-1', state('cn-hangzhou.i-new', 'started'), 'half'],
])('SH: %s', (_what, name, more, identity) => {
  expect(identityOf(joinedHost(name, more))).toBe(identity);
});

test('SH: a certificate past its end is half a join', () => {
  const host = joinedHost('node-1', state('cn-hangzhou.i-new', 'finished'));
  const expired = 'openssl() { [[ "$*" != *-checkend* ]] || return 1; command openssl "$@"; }';
  expect(identityOf(host, expired)).toBe('half');
});

test('SH: a join that died before kubeadm wrote anything is half a join too', () => {
  expect(identityOf(new Host(state('cn-hangzhou.i-new', 'started')))).toBe('half');
});

test.each([
  '/etc/kubernetes/admin.conf',
  '/etc/kubernetes/manifests/kube-apiserver.yaml',
  '/etc/kubernetes/manifests/etcd.yaml',
  '/var/lib/etcd/member/snap',
])('SH: %s is a control plane, and stops', (path) => {
  const { status, stderr } = new Host({ [path]: '' }).run(files, 'check_no_control_plane');
  expect(status).toBe(exitCode('control-plane'));
  expect(stderr).toContain('control plane');
});

describe('SH: a control plane that runs as units of the host', () => {
  const run = (systemctl: string) =>
    new Host().run(files, `systemctl() { ${systemctl}; }\ncheck_no_control_plane`, env);
  test.each(['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd'])(
    '%s, running or enabled, stops',
    (unit) => {
      for (const asked of [`is-active -q ${unit}.service`, `is-enabled ${unit}.service`]) {
        const { status, stderr } = run(`[[ "$*" == '${asked}' ]] && echo enabled`);
        expect(status).toBe(exitCode('control-plane'));
        expect(stderr).toContain(`${unit}.service`);
      }
    },
  );
  test('units that are only installed, or that nobody knows, are none', () => {
    expect(run('echo disabled; return 1')).toMatchObject({ status: 0, stderr: '' });
    expect(run('echo static; [[ $1 == is-enabled ]]')).toMatchObject({ status: 0, stderr: '' });
  });
});

test('SH: a static pod of a worker, as sealos puts one, is none', () => {
  const host = new Host({ '/etc/kubernetes/manifests/kube-sealos-lvscare.yaml': '' });
  expect(host.run(files, 'check_no_control_plane')).toMatchObject({ status: 0, stderr: '' });
});
