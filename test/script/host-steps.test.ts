/** What is done to the host before packages: each step once and twice alike. */
import { describe, expect, test } from 'vitest';
import { exitCode, Host } from './bash.ts';

test('SH: firewalld is stopped and disabled where it is, and not missed where it is not', () => {
  const run = (there: boolean) => {
    const host = new Host();
    const script = `systemctl() { calls "$@"; [[ $1 != cat ]] || ${there}; }\ndisable_firewall`;
    expect(host.run(['prepare/firewall.sh'], script).status).toBe(0);
    return host.calls().slice(1);
  };
  expect(run(true)).toEqual(['stop firewalld.service', 'disable firewalld.service']);
  expect(run(false)).toEqual([]);
});

test.each(['disabled', 'permissive'])('SH: SELinux is %s from the next boot on, and permissive now', (mode) => {
  const host = new Host({ '/etc/selinux/config': '# SELINUX=x\nSELINUX=enforcing\nSELINUXTYPE=targeted\n' });
  const script = `SELINUX_MODE=${mode}\nsetenforce() { calls setenforce "$@"; return 1; }\nset_selinux`;
  expect(host.run(['prepare/selinux.sh'], script).status).toBe(0);
  expect(host.read('/etc/selinux/config')).toBe(`# SELINUX=x\nSELINUX=${mode}\nSELINUXTYPE=targeted\n`);
  expect(host.calls()).toEqual(['setenforce 0']);
});

describe('SH: swap is off now and at the next boot', () => {
  const fstab =
    'UUID=1 / ext4 defaults 0 1\n/dev/vdb1 swap swap defaults 0 0\n  /swapfile\tnone\tswap sw 0 0\n# /dev/x swap swap defaults 0 0\nUUID=2 /swap ext4 defaults 0 2\n';
  const script = `
    swapoff() { calls swapoff "$@"; }
    systemctl() {
      case "$*" in
        "show -p Id *.swap") printf 'Id=dev-zram0.swap\\n\\nId=dev-vdb1.swap\\n' ;;
        "show -p SourcePath dev-vdb1.swap") echo SourcePath=/etc/fstab ;;
        show*) echo SourcePath= ;;
        *) calls systemctl "$@" ;;
      esac
    }
    disable_swap`;
  test('fstab, and units outside of it such as zram', () => {
    const host = new Host({ '/etc/fstab': fstab });
    expect(host.run(['prepare/swap.sh'], `${script}\ndisable_swap`).status).toBe(0);
    expect(host.read('/etc/fstab')).toBe(
      'UUID=1 / ext4 defaults 0 1\n#ackone-join# /dev/vdb1 swap swap defaults 0 0\n#ackone-join#   /swapfile\tnone\tswap sw 0 0\n# /dev/x swap swap defaults 0 0\nUUID=2 /swap ext4 defaults 0 2\n',
    );
    expect(host.read('/etc/fstab.before-ackone-join')).toBe(fstab);
    expect(host.calls().slice(0, 2)).toEqual(['swapoff -a', 'systemctl mask dev-zram0.swap']);
  });
  test('without any swap', () => {
    const host = new Host({ '/etc/fstab': 'UUID=1 / ext4 defaults 0 1\n' });
    expect(host.run(['prepare/swap.sh'], `${script.replace(/printf .*?;;/, 'true ;;')}`)).toMatchObject({
      status: 0,
      stderr: '',
    });
    expect(host.calls()).toEqual(['swapoff -a']);
  });
});

describe('SH: kernel modules', () => {
  const load = (modules: string, modprobe: string) => {
    const host = new Host();
    const result = host.run(
      ['lib/files.sh', 'prepare/kernel.sh'],
      `MODULES=(${modules})\nmodprobe() { ${modprobe}; }\nload_modules\nload_modules`,
    );
    return { ...result, file: () => host.read('/etc/modules-load.d/ackone-join.conf') };
  };
  test('loaded now and at the next boot, each once', () => {
    const { status, file } = load('overlay br_netfilter', 'true');
    expect(status).toBe(0);
    expect(file()).toBe('# Written by ackone-join\noverlay\nbr_netfilter\n');
  });
  test('with ipvs, conntrack by both names where the kernel has the old one', () => {
    expect(load('overlay ip_vs nf_conntrack', 'true').file()).toContain('nf_conntrack\nnf_conntrack_ipv4\n');
    expect(load('overlay ip_vs nf_conntrack', '[[ $1 != *_ipv4 ]]').file()).not.toContain('_ipv4');
    expect(load('overlay', 'true').file()).not.toContain('conntrack');
  });
  test('one that the kernel lacks stops, and is named', () => {
    const { status, stderr } = load('overlay br_netfilter', '[[ $1 != br_netfilter ]]');
    expect(status).toBe(exitCode('kernel-module'));
    expect(stderr).toContain('br_netfilter');
  });
});

test('SH: kernel settings stand in a file of ours, and a refused one stops', () => {
  const run = (sysctl: string) => {
    const host = new Host();
    const { status } = host.run(
      ['lib/files.sh', 'prepare/sysctl.sh'],
      `SYSCTLS=(net.ipv4.ip_forward=1 'a=b c')\nsysctl() { ${sysctl}; }\nset_sysctls`,
    );
    return { status, host };
  };
  const { status, host } = run('calls sysctl "$1" "${2##*/}"');
  expect(status).toBe(0);
  expect(host.read('/etc/sysctl.d/99-ackone-join.conf')).toBe(
    '# Written by ackone-join\nnet.ipv4.ip_forward=1\na=b c\n',
  );
  expect(host.calls()).toEqual(['sysctl -qp 99-ackone-join.conf']);
  expect(run('return 255').status).toBe(exitCode('sysctl'));
});

describe('SH: the API server’s name leads to --api-server-ip', () => {
  const named = (hosts: string, template?: string, name = 'apiserver.cluster.local') => {
    const host = new Host({
      '/etc/hosts': hosts,
      ...(template !== undefined && { '/etc/cloud/templates/hosts.redhat.tmpl': template }),
    });
    const { status } = host.run(
      ['prepare/hosts.sh'],
      `API_SERVER_HOST='${name}' API_SERVER_IP=192.0.2.20\nname_api_server\nname_api_server`,
    );
    expect(status).toBe(0);
    return host;
  };
  const line = '192.0.2.20 apiserver.cluster.local # ackone-join\n';
  test('added once, however often', () => {
    expect(named('127.0.0.1 localhost\n').read('/etc/hosts')).toBe(`127.0.0.1 localhost\n${line}`);
  });
  test('cloud-init writes it at each boot, since its template has it', () => {
    const host = named('', '## template:jinja\n127.0.0.1 {{fqdn}}\n');
    expect(host.read('/etc/cloud/templates/hosts.redhat.tmpl')).toBe(`## template:jinja\n127.0.0.1 {{fqdn}}\n${line}`);
  });
  test('another address for the name gives way, as does an old line of ours', () => {
    const before =
      '10.103.97.2 apiserver.cluster.local x\n192.0.2.9 apiserver.cluster.local # ackone-join\n10.0.0.1 other # apiserver.cluster.local\n';
    expect(named(before).read('/etc/hosts')).toBe(
      `#ackone-join# 10.103.97.2 apiserver.cluster.local x\n10.0.0.1 other # apiserver.cluster.local\n${line}`,
    );
  });
  test('a name with bytes that awk would read as escapes', () => {
    expect(named('', undefined, 'a\\tb').read('/etc/hosts')).toBe('192.0.2.20 a\\tb # ackone-join\n');
  });
});

test('SH: only tools that are missing are installed, whatever package brings them', () => {
  const run = (provided: string) => {
    const host = new Host();
    const script = `TOOLS=(conntrack-tools socat)\nrpm() { [[ " ${provided} " == *" \${!#} "* ]]; }\nyum() { calls yum "$@"; }\ninstall_tools`;
    expect(host.run(['lib/retry.sh', 'prepare/tools.sh'], script).status).toBe(0);
    return host.calls();
  };
  expect(run('socat')).toEqual(['yum -yq install conntrack-tools']);
  expect(run('socat conntrack-tools')).toEqual([]);
});

describe('SH: what the image must bring is looked at before anything is installed', () => {
  const files = ['lib/host.sh', 'check/host.sh', 'check/el.sh', 'check/kernel.sh', 'check/cgroup.sh'];
  const run = (script: string, id = 'rocky', version = '8.10') => {
    const host = new Host({ '/etc/os-release': `PRETTY_NAME="Rocky"\nID=${id}\nVERSION_ID=${version}\n` });
    return host.run(
      files,
      `
      uname() { case $1 in -m) echo x86_64 ;; -r) echo 4.18.0-553.el8.x86_64 ;; *) echo 'x86_64 4.18' ;; esac; }
      df() { printf 'head\\nx 1 1 9000 1 /\\n'; }
      command() { [[ $1 == -v ]] || builtin command "$@"; }
      ${script}`,
    );
  };
  test('a host that has all of it passes', () => {
    expect(run('check_host')).toMatchObject({ status: 0, stderr: expect.stringContaining('EL 8') });
  });
  test.each([
    ['another architecture', 'arch-unknown', 'uname() { echo riscv64; }\ncheck_host'],
    ['a full disk', 'disk', "df() { printf 'head\\nx 1 1 1000 1 /\\n'; }\ncheck_host"],
    ['no curl', 'tool-missing', 'command() { [[ $2 != curl ]]; }\ncheck_host'],
    ['packages for other EL majors only', 'os-unfit', 'EL_MAJORS=(7 9)\ncheck_el'],
    ['a kernel before the one that kubeadm asks for', 'kernel', 'MIN_KERNEL=4.19\ncheck_kernel'],
    ['cgroup v1 under a kubelet that dies of it', 'cgroup', 'stat() { echo tmpfs; }\ncheck_cgroup'],
  ])('%s stops', (_what, name, script) => {
    expect(run(script).status).toBe(exitCode(name));
  });
  test('a system that is not known stops even where its name is only shown', () => {
    expect(run('check_host', 'ubuntu', '22.04').status).toBe(exitCode('os-unknown'));
  });
  test.each([
    ['4.19.0', '4.19'],
    ['4.19', '4.19'],
    ['6.6.1', '4.19'],
    ['5.10.134-16.al8.x86_64', '5.4'],
  ])('kernel %s is at least %s', (kernel, least) => {
    expect(run(`uname() { echo ${kernel}; }\nMIN_KERNEL=${least}\ncheck_kernel`).status).toBe(0);
  });
  test('cgroup v2 passes', () => {
    expect(run('stat() { echo cgroup2fs; }\ncheck_cgroup').status).toBe(0);
  });
});
