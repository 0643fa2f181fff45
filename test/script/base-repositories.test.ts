/** --mirror URL: the system's own repositories, which on an ECS image lead to Alibaba Cloud. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exitCode, Host } from './bash.ts';

const files = ['lib/retry.sh', 'lib/files.sh', 'lib/host.sh', 'lib/repositories.sh', 'prepare/base-repositories.sh'];
const ecs = `# http://mirrors.cloud.aliyuncs.com stays in a comment
[base]
name=CentOS-$releasever
enabled=1
baseurl=http://mirrors.cloud.aliyuncs.com/centos/$releasever/os/$basearch/
        https://mirrors.aliyun.com/centos/$releasever/os/$basearch/
#baseurl=http://mirrors.aliyun.com/x
gpgcheck=1
gpgkey=http://mirrors.cloud.aliyuncs.com/centos/RPM-GPG-KEY-CentOS-7 file:///etc/pki/rpm-gpg/RPM-GPG-KEY-x
`;
const withoutCheck = '[base]\nbaseurl=http://mirrors.aliyun.com/x/\n';
const name = '/etc/yum.repos.d/base.repo';
const key = { '/etc/pki/rpm-gpg/RPM-GPG-KEY-CentOS-7': 'key' };

/** Every file of /etc with what is in it. */
const everything = (host: Host) =>
  readdirSync(host.path('etc'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => [join(entry.parentPath, entry.name), readFileSync(join(entry.parentPath, entry.name), 'latin1')]);

const lead = (
  text: string,
  { mirror = 'http://m.example.com/x', others = {} }: { mirror?: string; others?: Record<string, string> } = {},
) => {
  const host = new Host({ [name]: text, ...others });
  const result = host.run(files, `MIRROR=${mirror}\nlead_base_repositories\nlead_base_repositories`);
  return { host, ...result, now: () => host.read(name) };
};

describe('SH: repositories that lead to Alibaba Cloud lead to the mirror', () => {
  test('only URLs change, keys come from the image, and a copy stays', () => {
    const { host, status, now } = lead(ecs, { others: key });
    expect(status).toBe(0);
    expect(now()).toBe(`# http://mirrors.cloud.aliyuncs.com stays in a comment
[base]
name=CentOS-$releasever
enabled=1
baseurl=http://m.example.com/x/centos/$releasever/os/$basearch/
        http://m.example.com/x/centos/$releasever/os/$basearch/
#baseurl=http://mirrors.aliyun.com/x
gpgcheck=1
gpgkey=file://${host.path('/etc/pki/rpm-gpg/RPM-GPG-KEY-CentOS-7')} file:///etc/pki/rpm-gpg/RPM-GPG-KEY-x
`);
    expect(host.read(`${name}.before-ackone-join`)).toBe(ecs);
  });
  test('what else stands in it, in any encoding and with or without a last line end, stays', () => {
    const text = '[a]\nname=\u00e9\u00ff $x % \\1\nbaseurl = https://mirrors.aliyun.com\ngpgcheck = 1';
    expect(lead(text).now()).toBe(text.replace('https://mirrors.aliyun.com', 'http://m.example.com/x'));
  });
  test.each([
    ['https://mirrors.aliyun.com.example.com/x'],
    ['https://mirrors.aliyun.community/x'],
    ['http://xmirrors.aliyun.com/x'],
    ['https://mirrors.tuna.tsinghua.edu.cn/x'],
  ])('%s leads elsewhere: it stays and is named', (url) => {
    const text = `[own]\nbaseurl=${url}\n`;
    const { now, status, stderr } = lead(text);
    expect(status).toBe(0);
    expect(now()).toBe(text);
    expect(stderr).toContain(`repository own stays: it leads to ${url}`);
  });
  test('one that is switched off is not named, and one of ours is not looked at', () => {
    const off = '[own]\nenabled=0\nmetalink=https://mirrors.example.com/x\n';
    const ours = { '/etc/yum.repos.d/docker-ce.repo': `# Written by ackone-join\n${withoutCheck}` };
    const { host, stderr, status } = lead(off, { others: ours });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(host.read('/etc/yum.repos.d/docker-ce.repo')).toBe(ours['/etc/yum.repos.d/docker-ce.repo']);
  });
  test('a host without repositories passes', () => {
    expect(new Host().run(files, 'MIRROR=http://m\nlead_base_repositories')).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('SH: over http nothing is taken without a check that anybody can rely on', () => {
  test.each([
    ['no gpgcheck anywhere', withoutCheck, {}, 'base is used without gpgcheck=1'],
    [
      'gpgcheck=0 in spite of yum.conf',
      `${withoutCheck}gpgcheck=0\n`,
      { '/etc/yum.conf': '[main]\ngpgcheck=1\n' },
      'base is used without gpgcheck=1',
    ],
    [
      'a second section without it',
      `[a]\nbaseurl=http://mirrors.aliyun.com/a\ngpgcheck=1\n[b]\nbaseurl=http://mirrors.aliyun.com/b\ngpgcheck=no\n`,
      {},
      'b is used without gpgcheck=1',
    ],
    [
      'a key that the image does not have',
      ecs,
      {},
      'base takes its key from http://m.example.com/x/centos/RPM-GPG-KEY-CentOS-7',
    ],
  ])('%s stops, and nothing is changed', (_what, text, others, why) => {
    const { now, status, stderr } = lead(text, { others });
    expect(status).toBe(exitCode('key-unpinned'));
    expect(stderr).toContain(`${why}, in base.repo`);
    expect(now()).toBe(text);
  });
  test.each([
    ['yum.conf checks', withoutCheck, { '/etc/yum.conf': '[main]\ngpgcheck=1\n' }],
    ['dnf.conf checks', withoutCheck, { '/etc/dnf/dnf.conf': '[main]\ngpgcheck = True\n' }],
    ['it is switched off', `${withoutCheck}enabled=0\n`, {}],
  ])('%s: it passes', (_what, text, others) => {
    expect(lead(text, { others }).status).toBe(0);
  });
  test('over https the mirror answers for itself, and for its keys', () => {
    const { status, now } = lead(ecs, { mirror: 'https://m.example.com' });
    expect(status).toBe(0);
    expect(now()).toContain('gpgkey=https://m.example.com/centos/RPM-GPG-KEY-CentOS-7 ');
    expect(lead(withoutCheck, { mirror: 'https://m.example.com' }).status).toBe(0);
  });
});

describe('SH: phase check finds what would fail, and changes nothing', () => {
  const checkFiles = [...files, 'check/check.sh', 'prepare/tools.sh', 'check/base-repositories.sh'];
  const check = (text: string, script: string, others: Record<string, string> = {}) => {
    const host = new Host({
      [name]: text,
      '/etc/yum.conf': '[main]\nreposdir=/old\nproxy=http://p\ngpgcheck=1\n',
      ...key,
      ...others,
    });
    const before = everything(host);
    const result = host.run(
      checkFiles,
      `MIRROR=http://m.example.com TOOLS=(socat conntrack-tools)
      sleep() { true; }
      rpm() { [[ \${!#} == socat ]]; }
      ${script}
      check_base_repositories`,
    );
    expect(everything(host)).toEqual(before);
    return { host, ...result };
  };
  test('missing tools are looked for in the repositories as they will be', () => {
    const { host, status } = check(ecs, 'yum() { calls yum "$@"; }');
    expect(status).toBe(0);
    expect(host.calls()).toEqual([`yum -q -c ${host.path('scratch/base')} list conntrack-tools`]);
    expect(host.read('scratch/repositories/base.repo')).toContain('\nbaseurl=http://m.example.com/centos/');
    expect(host.read('scratch/base')).toMatch(
      /^\[main\]\nplugins=0\n(.+\n)*reposdir=\S+scratch\/repositories\nproxy=http:\/\/p\ngpgcheck=1\n$/,
    );
  });
  test('by what a package provides as well', () => {
    expect(check(ecs, 'yum() { [[ $4 == provides ]] && echo iptables-nft; }').status).toBe(0);
  });
  test.each(['return 1', 'echo Error: no match >&2; [[ $4 == provides ]]'])(
    'a tool that cannot be had stops, and is named: %s',
    (yum) => {
      const { status, stderr } = check(ecs, `yum() { ${yum}; }`);
      expect(status).toBe(exitCode('package-missing'));
      expect(stderr).toContain('conntrack-tools in the repositories of this system');
    },
  );
  test('with --tools keep nothing is asked', () => {
    expect(check(ecs, 'unset -f missing_tools\nyum() { return 1; }').status).toBe(0);
  });
  test('a repository that would not be checked stops', () => {
    const { status } = check(`${withoutCheck}gpgcheck=0\n`, 'yum() { true; }');
    expect(status).toBe(exitCode('key-unpinned'));
  });
});
