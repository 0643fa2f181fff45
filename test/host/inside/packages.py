"""Every package that the mirror of a host has, and those that its image brings. What exists where: facts/versions.md."""

import os
import typing

STUBS = '/bench/stubs'
ALIYUN = 'mirrors.aliyun.com'
BASE = {
    '7': ALIYUN + '/centos/7/os/x86_64',
    '8': ALIYUN + '/rockylinux/8/BaseOS/x86_64/os',
    '9': ALIYUN + '/rockylinux/9/BaseOS/x86_64/os',
}
LEGACY = ALIYUN + '/kubernetes/yum/repos/kubernetes-el7-x86_64'
IMAGE = 'image'  # what an image brings, in no repository


def docker_repo(el):
    return '%s/docker-ce/linux/centos/%s/x86_64/stable' % (ALIYUN, el)


def kube_repo(minor):
    return '%s/kubernetes-new/core/stable/v1.%d/rpm' % (ALIYUN, minor)


class Package(typing.NamedTuple):
    repo: str
    name: str
    version: str
    release: str
    epoch: int = 0
    requires: str = ''
    provides: str = ''
    obsoletes: str = ''
    # Path on the host → file below stubs/ (made executable when in bin/), or the text of a configuration file.
    files: typing.Mapping[str, str] = {}


def docker():
    client, daemon = {'/usr/bin/docker': 'bin/docker'}, {'/usr/bin/dockerd': 'bin/dockerd'}
    unit = '/usr/lib/systemd/system/docker.service'
    alone = {**client, **daemon, unit: 'units/docker-alone.service'}
    selinux = 'container-selinux >= 2.9'
    yield Package(docker_repo('7'), 'docker-ce-selinux', '17.03.3.ce', '1.el7')
    yield Package(
        docker_repo('7'),
        'docker-ce',
        '17.03.3.ce',
        '1.el7',
        requires='docker-ce-selinux >= 17.03.3.ce-1.el7',
        files=alone,
    )
    # Its obsoletes is why 17.03 needs --setopt=obsoletes=0 (case A1).
    yield Package(
        docker_repo('7'),
        'docker-ce',
        '18.06.3.ce',
        '3.el7',
        requires=selinux,
        obsoletes='docker-ce-selinux',
        files=alone,
    )
    split = {**daemon, unit: 'units/docker.service', '/usr/lib/systemd/system/docker.socket': 'units/docker.socket'}
    for version, release, els in (
        ('18.09.9', '3', '7'),
        ('19.03.15', '3', '78'),
        ('20.10.24', '3', '789'),
        ('24.0.9', '1', '789'),
        ('26.1.3', '1', '8'),
        ('26.1.4', '1', '79'),
        ('28.3.3', '1', '9'),
    ):
        for el in els:
            dist = '%s.el%s' % (release, el)
            yield Package(
                docker_repo(el),
                'docker-ce',
                version,
                dist,
                3,
                selinux + ', containerd.io >= 1.2.2, docker-ce-cli',
                files=split,
            )
            yield Package(docker_repo(el), 'docker-ce-cli', version, dist, 1, files=client)


def containerd():
    files = {
        '/usr/bin/containerd': 'bin/containerd',
        '/usr/bin/ctr': 'bin/logged',
        '/usr/bin/runc': 'bin/logged',
        '/usr/lib/systemd/system/containerd.service': 'units/containerd.service',
        '/etc/containerd/config.toml': '# Copyright of the package\n\ndisabled_plugins = ["cri"]\n\n#root = "/var/lib/containerd"\n#state = "/run/containerd"\n',
        **{'/usr/share/bench/containerd/' + name: 'containerd/' + name for name in os.listdir(STUBS + '/containerd')},
    }
    for version, release, els in (
        ('1.2.6', '3.3', '7'),
        ('1.4.3', '3.1', '78'),
        ('1.6.28', '3.1', '789'),
        ('1.6.32', '3.1', '8'),
        ('1.6.33', '3.1', '79'),
        ('1.7.27', '3.1', '9'),
        ('2.1.5', '1', '9'),
    ):
        for el in els:
            yield Package(
                docker_repo(el),
                'containerd.io',
                version,
                '%s.el%s' % (release, el),
                requires='container-selinux',
                provides='containerd, runc',
                files=files,
            )


def kubernetes():
    kubelet = {
        '/usr/bin/kubelet': 'bin/kubelet',
        '/usr/lib/systemd/system/kubelet.service': 'units/kubelet.service',
        '/etc/sysconfig/kubelet': 'KUBELET_EXTRA_ARGS=\n',
    }
    kubeadm = {
        '/usr/bin/kubeadm': 'bin/kubeadm',
        '/usr/lib/systemd/system/kubelet.service.d/10-kubeadm.conf': 'units/10-kubeadm.conf',
    }
    needs = 'conntrack, ebtables, ethtool, iptables >= 1.4.21, iproute, kubernetes-cni >= 0.7.5, socat, util-linux'
    new = '150500.1.1'
    releases = [(LEGACY, version, '0') for version in ('1.14.10', '1.18.20', '1.21.0', '1.21.14', '1.23.17', '1.28.2')]
    releases += [
        (kube_repo(int(version.split('.')[1])), version, new)
        for version in ('1.24.17', '1.28.2', '1.28.3', '1.28.15', '1.30.1', '1.33.5', '1.34.4', '1.36.1')
    ]
    for repo, version, release in releases:
        yield Package(repo, 'kubelet', version, release, requires=needs, files=kubelet)
        yield Package(
            repo,
            'kubeadm',
            version,
            release,
            requires='kubelet >= 1.13.0, kubectl >= 1.13.0, kubernetes-cni >= 0.7.5, cri-tools >= 1.13.0',
            files=kubeadm,
        )
        yield Package(repo, 'kubectl', version, release, files={'/usr/bin/kubectl': 'bin/kubectl'})
    for repo in dict.fromkeys(repo for repo, *_ in releases):
        legacy = repo == LEGACY
        tools = '1.26.0' if legacy else repo.split('/')[-2].removeprefix('v') + '.0'
        yield Package(repo, 'cri-tools', tools, '0' if legacy else new, files={'/usr/bin/crictl': 'bin/crictl'})
        yield Package(repo, 'kubernetes-cni', '1.2.0' if legacy else '1.4.0', '0' if legacy else new)


def base_system():
    for el, repo in BASE.items():
        dist = '.el' + el
        yield Package(
            repo,
            'conntrack-tools',
            '1.4.4',
            '7' + dist,
            provides='conntrack = 1.4.4',
            files={'/usr/sbin/conntrack': 'bin/logged'},
        )
        yield Package(repo, 'container-selinux', '2.229.0', '1' + dist, epoch=2)
        yield Package(repo, 'iptables', '1.8.4', '17' + dist)
        yield Package(repo, 'vim-enhanced', '8.0.1763', '19' + dist, epoch=2, provides='vim')
        files = {'/usr/bin/yum-config-manager': 'bin/yum-config-manager'}
        yield Package(repo, 'yum-utils', '1.1.31' if el == '7' else '4.3.0', '54' + dist, files=files)
        for name in ('ipvsadm', 'ipset', 'ebtables', 'ethtool', 'socat'):
            yield Package(repo, name, '7.1', '1' + dist, files={'/usr/sbin/' + name: 'bin/logged'})
        for name in (
            'iproute',
            'util-linux',
            'jq',
            'curl',
            'sysstat',
            'libseccomp',
            'wget',
            'net-tools',
            'git',
            'device-mapper-persistent-data',
            'lvm2',
            'gnupg2',
            'tar',
            'openssl',
            'chrony',
            'bash-completion',
            'nfs-utils',
            'python3',
            'policycoreutils',
        ):
            yield Package(repo, name, '1.0', '1' + dist)
        yield Package(
            IMAGE + '/' + el,
            'firewalld',
            '0.6.3',
            '13' + dist,
            files={'/usr/lib/systemd/system/firewalld.service': 'units/firewalld.service'},
        )


def image_releases():
    """The release package of each operating system, from which YUM takes $releasever."""
    for name in os.listdir('/bench/os'):
        with open('/bench/os/%s/facts' % name) as file:
            facts = dict(line.rstrip().split('=', 1) for line in file)
        package, version, release = facts['release_package'].rsplit('-', 2)
        yield Package(
            IMAGE + '/' + name,
            package,
            version,
            release,
            provides='system-release(releasever) = %s, system-release = %s' % (version, version),
        )


def extras():
    yield Package(
        'files.example.com',
        'cri-dockerd',
        '0.3.15',
        '3.el8',
        requires='docker-ce',
        files={
            '/usr/bin/cri-dockerd': 'bin/cri-dockerd',
            '/usr/lib/systemd/system/cri-docker.service': 'units/cri-docker.service',
            '/usr/lib/systemd/system/cri-docker.socket': 'units/cri-docker.socket',
        },
    )


def every_package():
    return [*docker(), *containerd(), *kubernetes(), *base_system(), *image_releases(), *extras()]
