/** Which packages fit this host, and where they come from. */
import { describe, expect, test } from 'vitest';
import { compose } from '../../src/script/compose.ts';
import type { KubeadmInput } from '../../src/script/types.ts';
import { parseVersion } from '../../src/script/versions.ts';
import { exitCode, Host } from './bash.ts';
import { exampleInput } from './example-input.ts';

const files = ['lib/files.sh', 'lib/host.sh', 'lib/repositories.sh'];
const osRelease = (id: string, version: string) => ({
  '/etc/os-release': `NAME="x"\nID="${id}"\nVERSION_ID="${version}"\n`,
});

describe('SH B5: EL major by os-release', () => {
  test.each([
    ['alinux', '2.1903', '7'],
    ['alinux', '3', '8'],
    ['rhel', '7.9', '7'],
    ['rocky', '9.3', '9'],
    ['centos', '7', '7'],
    ['anolis', '8.8', '8'],
    ['openEuler', '22.03', '8'],
    ['openEuler', '20.03', '8'],
    ['openEuler', '24.03', '9'],
    ['almalinux', '8.10', '8'],
    ['rhel', '10.0', '10'],
    ['ol', '9.4', '9'],
  ])('%s %s → %s', (id, version, major) => {
    expect(new Host(osRelease(id, version)).run(files, 'el_major').stdout).toBe(`${major}\n`);
  });
  test.each([
    ['kylin', 'V10'],
    ['ubuntu', '22.04'],
    ['rocky', '7'],
    ['centos', '6'],
    ['openEuler', '18.03'],
  ])('%s %s stops, before anything is asked of a mirror', (id, version) => {
    const { status, stderr } = new Host(osRelease(id, version)).run(files, 'x=$(el_major)\necho went on >&2');
    expect(status).toBe(exitCode('os-unknown'));
    expect(stderr).toContain(`${id} ${version}`);
    expect(stderr).not.toContain('went on');
  });
});

/** The four URLs as a host with Rocky, 9 if not said otherwise, resolves them. */
function urls(
  overrides: Partial<KubeadmInput>,
  internal: 'answers' | 'silent' = 'silent',
  arch = 'x86_64',
  rocky = '9.3',
): readonly string[] {
  const constants = compose(exampleInput(overrides)).text.match(
    /^(?:readonly )?(MIRROR|RUNTIME_TREE|RUNTIME_REPOSITORY|RUNTIME_KEY_URL|KUBE_REPOSITORY|KUBE_KEY_URL)=.*$/gm,
  );
  const script = `${constants?.join('\n')}
    curl() { calls "$@"; ${internal === 'answers' ? 'true' : 'return 28'}; }
    uname() { echo ${arch}; }
    for url in "$RUNTIME_REPOSITORY" "$RUNTIME_KEY_URL" "$KUBE_REPOSITORY" "$KUBE_KEY_URL"; do located "$url"; done`;
  const { status, stdout, stderr } = new Host(osRelease('rocky', rocky)).run(files, script);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.trimEnd().split('\n');
}

test('SH: auto takes the internal mirror where it answers, else the public one', () => {
  expect(urls({ mirror: 'auto' }, 'answers')).toEqual([
    'http://mirrors.cloud.aliyuncs.com/docker-ce/linux/centos/9/x86_64/stable',
    'http://mirrors.cloud.aliyuncs.com/docker-ce/linux/centos/gpg',
    'http://mirrors.cloud.aliyuncs.com/kubernetes-new/core/stable/v1.28/rpm',
    'http://mirrors.cloud.aliyuncs.com/kubernetes-new/core/stable/v1.28/rpm/repodata/repomd.xml.key',
  ]);
  expect(urls({ mirror: 'auto' })[0]).toBe('https://mirrors.aliyun.com/docker-ce/linux/centos/9/x86_64/stable');
});

test.each([
  ['containerd', '1.6.32', 'centos/8'],
  ['containerd', '1.6.33', 'rhel/8'],
  ['containerd', '2.1.5', 'rhel/8'],
  ['docker', '26.1.3', 'centos/8'],
  ['docker', '28.3.3', 'rhel/8'],
] as const)('SH: EL 8 has %s %s in Docker’s tree %s, EL 9 always in centos', (runtime, version, tree) => {
  const runtimeVersion = parseVersion(version)!;
  const at = (rocky: string) => urls({ mirror: 'aliyun', runtime, runtimeVersion }, 'silent', 'x86_64', rocky)[0];
  expect(at('8.10')).toBe(`https://mirrors.aliyun.com/docker-ce/linux/${tree}/x86_64/stable`);
  expect(at('9.3')).toBe('https://mirrors.aliyun.com/docker-ce/linux/centos/9/x86_64/stable');
});

test('SH: aliyun and aliyun-internal ask nobody', () => {
  expect(urls({ mirror: 'aliyun' }, 'answers')[0]).toMatch(/^https:\/\/mirrors\.aliyun\.com\//);
  expect(urls({ mirror: 'aliyun-internal' })[0]).toMatch(/^http:\/\/mirrors\.cloud\.aliyuncs\.com\//);
});

test('SH B1: the legacy repository is the mirror’s, even with upstream, and its packages’ key is rpm-package-key', () => {
  const legacy = [
    'https://mirrors.aliyun.com/kubernetes/yum/repos/kubernetes-el7-aarch64',
    'https://mirrors.aliyun.com/kubernetes/yum/doc/rpm-package-key.gpg',
  ];
  expect(urls({ kubeRepository: 'legacy', mirror: 'aliyun' }, 'silent', 'aarch64').slice(2)).toEqual(legacy);
  expect(urls({ kubeRepository: 'legacy', mirror: 'upstream' }, 'silent', 'aarch64').slice(2)).toEqual(legacy);
});

test('SH: upstream', () => {
  expect(urls({ mirror: 'upstream' }, 'answers')).toEqual([
    'https://download.docker.com/linux/centos/9/x86_64/stable',
    'https://download.docker.com/linux/centos/gpg',
    'https://pkgs.k8s.io/core:/stable:/v1.28/rpm',
    'https://pkgs.k8s.io/core:/stable:/v1.28/rpm/repodata/repomd.xml.key',
  ]);
});

test('SH: a mirror of one’s own has them all, and nobody is asked which', () => {
  expect(urls({ mirror: 'http://m.example.com:8080/aliyun' }, 'answers')).toEqual([
    'http://m.example.com:8080/aliyun/docker-ce/linux/centos/9/x86_64/stable',
    'http://m.example.com:8080/aliyun/docker-ce/linux/centos/gpg',
    'http://m.example.com:8080/aliyun/kubernetes-new/core/stable/v1.28/rpm',
    'http://m.example.com:8080/aliyun/kubernetes-new/core/stable/v1.28/rpm/repodata/repomd.xml.key',
  ]);
});

test('SH: a repository file checks packages by our copy of the key, and keeps updates of the host from kubelet', () => {
  const { stdout } = new Host().run(files, 'repository_file kubernetes https://m/x /k');
  expect(stdout).toBe(
    '# Written by ackone-join\n[kubernetes]\nname=kubernetes\nbaseurl=https://m/x\nenabled=1\ngpgcheck=1\nrepo_gpgcheck=0\ngpgkey=file:///k\nexclude=kubelet kubeadm kubectl\n',
  );
  expect(new Host().run(files, 'repository_file docker-ce-stable https://m/x /k').stdout).not.toContain('exclude');
});

describe('SH B7: CentOS 7 repositories', () => {
  const base =
    '[base]\nmirrorlist=http://mirrorlist.centos.org/?release=$releasever&arch=$basearch&repo=os\n#baseurl=http://mirror.centos.org/centos/$releasever/os/$basearch/\ngpgcheck=1\n';
  const altarch = '[base]\nbaseurl=http://mirror.centos.org/altarch/$releasever/os/$basearch/\n';
  const ecs = '[base]\nbaseurl=http://mirrors.cloud.aliyuncs.com/centos/$releasever/os/$basearch/\n';
  const mend = (os: Readonly<Record<string, string>>, vault = '@mirror/centos-vault') => {
    const host = new Host({
      ...os,
      '/etc/yum.repos.d/base.repo': base,
      '/etc/yum.repos.d/alt.repo': altarch,
      '/etc/yum.repos.d/ecs.repo': ecs,
    });
    const result = host.run(
      [...files, 'prepare/centos7.sh'],
      `MIRROR=aliyun RUNTIME_TREE=centos/8 CENTOS_VAULT=${vault}\nmend_centos7\nmend_centos7`,
    );
    expect(result.status).toBe(0);
    return { ...result, host };
  };
  test('stock ones lead to the vault, with a notice; those of an ECS image stay', () => {
    const { host, stderr } = mend(osRelease('centos', '7'));
    expect(host.read('/etc/yum.repos.d/base.repo')).toBe(
      '[base]\n#mirrorlist=http://mirrorlist.centos.org/?release=$releasever&arch=$basearch&repo=os\nbaseurl=https://mirrors.aliyun.com/centos-vault/7.9.2009/os/$basearch/\ngpgcheck=1\n',
    );
    expect(host.read('/etc/yum.repos.d/alt.repo')).toBe(
      '[base]\nbaseurl=https://mirrors.aliyun.com/centos-vault/altarch/7.9.2009/os/$basearch/\n',
    );
    expect(host.read('/etc/yum.repos.d/ecs.repo')).toBe(ecs);
    expect(host.read('/etc/yum.repos.d/base.repo.before-ackone-join')).toBe(base);
    expect(stderr).toContain('CentOS 7 is past its end');
  });
  test('with a mirror of one’s own to the vault there', () => {
    const host = new Host({ ...osRelease('centos', '7'), '/etc/yum.repos.d/base.repo': base });
    const script = `MIRROR=https://m.example.com/x RUNTIME_TREE=centos/8 CENTOS_VAULT=@mirror/centos-vault\nmend_centos7`;
    expect(host.run([...files, 'prepare/centos7.sh'], script).status).toBe(0);
    expect(host.read('/etc/yum.repos.d/base.repo')).toContain(
      'baseurl=https://m.example.com/x/centos-vault/7.9.2009/os/$basearch/\n',
    );
  });
  test('another system of EL 7 keeps its own', () => {
    const { host } = mend(osRelease('rhel', '7.9'));
    expect(host.read('/etc/yum.repos.d/base.repo')).toBe(base);
  });
});
