/** Packages: what is installed afterwards counts, not what YUM says. */
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { exitCode, Host } from './bash.ts';

const files = ['lib/retry.sh', 'lib/files.sh', 'lib/host.sh', 'lib/repositories.sh', 'prepare/packages.sh'];
/** rpm -q looks at a list of what is installed; a stubbed yum adds to it what `installs` says. */
const stubs = (installs: string, more = '') => `
  MIRROR=aliyun
  RUNTIME_TREE=centos/8
  sleep() { calls sleep "$@"; }
  rpm() { shift 2; local p; for p in "$@"; do grep -qx -- "$p" "$ROOT/installed" || return 1; done; }
  trust_key() { calls trust_key "$@"; }
  yum() { calls yum "$@"; ${installs}; }
  command() { [[ $2 == dnf ]] && return 1; builtin command "$@"; }
  ${more}
  install() { install_packages "$1" https://m/repo https://m/key FINGERPRINT "\${@:2}"; }`;
const all = 'printf "%s\\n" "${@:4}" >>"$ROOT/installed"';
const osRelease = { '/etc/os-release': 'ID=centos\nVERSION_ID=7\n', installed: 'x\n' };

test('SH B3: kubelet’s packages come with --disableexcludes=kubernetes, two dashes, from a repository file of ours', () => {
  const host = new Host({
    ...osRelease,
    '/etc/yum.repos.d/kubernetes.repo': '[kubernetes]\nexclude=kubelet kubeadm kubectl\n',
  });
  const result = host.run(files, `${stubs(all)}\ninstall kubernetes kubelet-1.28.2 kubeadm-1.28.2`);
  expect(result.status).toBe(0);
  expect(host.calls()).toEqual([
    expect.stringContaining('trust_key https://m/key'),
    'yum -yq --disableexcludes=kubernetes install kubelet-1.28.2 kubeadm-1.28.2',
  ]);
  expect(host.read('/etc/yum.repos.d/kubernetes.repo')).toContain('baseurl=https://m/repo\n');
  expect(host.read('/etc/yum.repos.d/kubernetes.repo.before-ackone-join')).toContain('exclude=kubelet');
});

test('SH B6: --allowerasing for dnf only, since YUM 3 does not know it', () => {
  const run = (more: string) => {
    const host = new Host(osRelease);
    host.run(files, `${stubs(all, more)}\ninstall docker-ce-stable containerd.io-1.6.28`);
    return host.calls().at(-1);
  };
  expect(run('')).toBe('yum -yq --disableexcludes=kubernetes install containerd.io-1.6.28');
  expect(run('command() { true; }')).toBe(
    'yum -yq --disableexcludes=kubernetes --allowerasing install containerd.io-1.6.28',
  );
});

test('SH A1: 17.03 needs obsoletes off, since newer packages obsolete its docker-ce-selinux', () => {
  const host = new Host(osRelease);
  host.run(
    files,
    `${stubs(all.replace('4', '5'))}\ninstall docker-ce-stable docker-ce-17.03.3.ce docker-ce-selinux-17.03.3.ce`,
  );
  expect(host.calls().at(-1)).toContain('--setopt=obsoletes=0 install docker-ce-17.03.3.ce');
});

test('SH: nothing is asked of YUM when everything is there', () => {
  const host = new Host({ ...osRelease, installed: 'kubelet-1.28.2\n' });
  expect(host.run(files, `${stubs(all)}\ninstall kubernetes kubelet-1.28.2`).status).toBe(0);
  expect(host.calls()).toEqual([]);
});

describe('SH B3 B4: YUM that did not do it stops the script before the join', () => {
  test('YUM fails, is tried again with pauses, and stops', () => {
    const host = new Host(osRelease);
    const { status } = host.run(files, `${stubs('return 1')}\ninstall kubernetes kubelet-1.28.2\necho went on`);
    expect(status).toBe(exitCode('package-install'));
    expect(host.calls().filter((call) => call.startsWith('sleep'))).toEqual(['sleep 2', 'sleep 4']);
  });
  test('YUM 3 exits 0 without the package', () => {
    const host = new Host(osRelease);
    const { status, stdout, stderr } = host.run(
      files,
      `${stubs('true')}\ninstall kubernetes kubelet-1.28.2 kubeadm-1.28.2\necho went on`,
    );
    expect(status).toBe(exitCode('package-version'));
    expect(stderr).toContain('kubelet-1.28.2');
    expect(stdout).toBe('');
  });
  test('a newer one is there: YUM 3 does nothing at install, so it is taken back', () => {
    const host = new Host(osRelease);
    const only = '[[ $3 != downgrade ]] || printf "%s\\n" "${@:4}" >>"$ROOT/installed"';
    expect(host.run(files, `${stubs(only)}\ninstall kubernetes kubelet-1.28.2`).status).toBe(0);
    expect(host.calls().at(-1)).toBe('yum -yq --disableexcludes=kubernetes downgrade kubelet-1.28.2');
  });
});

describe('SH B4: phase check asks for exactly these packages', () => {
  const checkFiles = [...files, 'check/packages.sh', 'check/registry.sh'];
  const setup = `
    RUNTIME_PACKAGES=(containerd.io-1.5.5) KUBE_PACKAGES=(kubelet-1.28.2)
    RUNTIME_REPOSITORY=https://m/docker KUBE_REPOSITORY=https://m/kube SANDBOX_IMAGE=registry.example.com/pause:3.9`;
  test('one that is missing stops, and is named', () => {
    const host = new Host(osRelease);
    const { status, stderr } = host.run(
      checkFiles,
      `${stubs('[[ ${!#} != containerd.io-1.5.5 ]]')}${setup}\ncurl() { true; }\ncheck_packages`,
    );
    expect(status).toBe(exitCode('package-missing'));
    expect(stderr).toContain('containerd.io-1.5.5 in https://m/docker');
  });
  test('a repository that does not answer is another failure', () => {
    const { status, stderr } = new Host(osRelease).run(
      checkFiles,
      `${stubs('true')}${setup}\ncurl() { return 22; }\ncheck_packages`,
    );
    expect(status).toBe(exitCode('repository-unreachable'));
    expect(stderr).toContain('https://m/docker');
  });
  test('without packages of Kubernetes, as for a kubelet from elsewhere, its repository is not asked', () => {
    const host = new Host(osRelease);
    const script = `${stubs('true')}${setup}\nKUBE_PACKAGES=()\ncurl() { calls curl "$@"; }\ncheck_packages`;
    expect(host.run(checkFiles, script).status).toBe(0);
    expect(host.calls().filter((call) => call.includes('https://m/kube'))).toEqual([]);
    expect(host.calls().filter((call) => call.includes('https://m/docker'))).toHaveLength(1);
  });
  test('nothing outside of the run’s own folder is written', () => {
    const host = new Host(osRelease);
    const before = execFileSync('find', [host.path('etc')], { encoding: 'utf8' });
    expect(host.run(checkFiles, `${stubs('true')}${setup}\ncurl() { true; }\ncheck_packages`).status).toBe(0);
    expect(execFileSync('find', [host.path('etc')], { encoding: 'utf8' })).toBe(before);
    expect(host.calls()[0]).toMatch(/^yum -q -c \S+scratch\/yum\/conf list --showduplicates containerd.io-1.5.5$/);
    expect(host.read('scratch/yum/conf')).toMatch(/reposdir=\S+scratch\/yum\ncachedir=\S+scratch\/yum\n/);
  });
  test('a registry that does not answer is only a warning', () => {
    const { status, stderr } = new Host(osRelease).run(
      checkFiles,
      `${setup}\ncurl() { calls "$@"; return 7; }\ncheck_registry`,
    );
    expect(status).toBe(0);
    expect(stderr).toContain('warning: the registry of registry.example.com/pause:3.9');
  });
});

describe('SH: signing keys count for their fingerprint', () => {
  const keyFiles = ['lib/retry.sh', 'lib/repositories.sh', 'prepare/keys.sh'];
  /** An exported public key made for this test, with its fingerprint. */
  function makeKey(host: Host): { fingerprint: string } {
    const gpg = (...words: string[]) =>
      execFileSync('gpg', ['--homedir', host.path('maker'), '--batch', ...words], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    host.write('maker/.keep', '');
    execFileSync('chmod', ['700', host.path('maker')]);
    gpg('--passphrase', '', '--quick-gen-key', 'test <test@example.invalid>', 'rsa2048', 'sign', 'never');
    host.write('served', gpg('--armor', '--export'));
    const fingerprint = /^fpr:+([0-9A-F]{40}):/m.exec(gpg('--with-colons', '--fingerprint'))![1]!;
    execFileSync('gpgconf', ['--homedir', host.path('maker'), '--kill', 'all'], { stdio: 'ignore' });
    return { fingerprint };
  }
  const rpm = 'rpm() { calls rpm "$@"; }\nfetch() { cp "$ROOT/served" "$2"; }';

  test('the pinned one is laid down and imported, and an old copy of it removed first', () => {
    const host = new Host();
    const { fingerprint } = makeKey(host);
    const { status, stderr } = host.run(
      keyFiles,
      `${rpm}\ntrust_key https://m/key "$ROOT/etc/pki/rpm-gpg/KEY" ${fingerprint}`,
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const id = `gpg-pubkey-${fingerprint.slice(-8).toLowerCase()}`;
    expect(host.calls()).toEqual([
      `rpm -q --quiet ${id}`,
      `rpm -e --allmatches ${id}`,
      `rpm --import ${host.path('/etc/pki/rpm-gpg/KEY')}`,
    ]);
    expect(host.read('/etc/pki/rpm-gpg/KEY')).toBe(host.read('served'));
  });

  test.each([
    [
      'another key',
      (fingerprint: string) => `${fingerprint.slice(0, -1)}${fingerprint.endsWith('0') ? '1' : '0'}`,
      undefined,
    ],
    ['what is no key', (fingerprint: string) => fingerprint, '<html>404</html>'],
  ])('%s is refused and never imported', (_what, wanted, served) => {
    const host = new Host();
    const { fingerprint } = makeKey(host);
    if (served !== undefined) host.write('served', served);
    const { status } = host.run(
      keyFiles,
      `${rpm}\ntrust_key https://m/key "$ROOT/etc/pki/rpm-gpg/KEY" ${wanted(fingerprint)}`,
    );
    expect(status).toBe(exitCode('key-unpinned'));
    expect(host.calls()).toEqual([]);
    expect(() => host.read('/etc/pki/rpm-gpg/KEY')).toThrow();
  });
});
