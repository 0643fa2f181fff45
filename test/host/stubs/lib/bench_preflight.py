"""What kubeadm looks at before it joins (kubernetes cmd/kubeadm/app/preflight, app/util/runtime). V: its version as numbers."""

import os
import shutil
import socket
import subprocess

import bench

DOCKERSHIM = '/var/run/dockershim.sock'


def detect_socket(V):
    """kubernetes cmd/kubeadm/app/util/runtime: up to 1.23 docker goes before containerd; from 1.24 several sockets are an error."""
    containerd = '/run/containerd/containerd.sock'
    if V < (1, 24):
        return DOCKERSHIM if os.path.exists('/var/run/docker.sock') or not os.path.exists(containerd) else containerd
    found = [
        'unix://' + path
        for path in (containerd, '/var/run/crio/crio.sock', '/var/run/cri-dockerd.sock')
        if os.path.exists(path)
    ]
    if len(found) > 1:
        bench.die(
            'found multiple CRI endpoints on the host. Please define which one do you wish to use by setting the \'criSocket\' field '
            'in the kubeadm configuration file: ' + ', '.join(found)
        )
    return found[0] if found else 'unix:///var/run/containerd/containerd.sock'


def preflight(V, endpoint, ignored):
    errors = {}
    manifests = '/etc/kubernetes/manifests'
    if V < (1, 25) and os.path.isdir(manifests) and os.listdir(manifests):
        errors['DirAvailable--etc-kubernetes-manifests'] = manifests + ' is not empty'
    for path in (
        '/etc/kubernetes/kubelet.conf',
        '/etc/kubernetes/bootstrap-kubelet.conf',
        '/etc/kubernetes/pki/ca.crt',
    ):
        if os.path.exists(path):
            errors['FileAvailable-' + path.replace('/', '-')] = path + ' already exists'
    try:
        socket.create_server(('', 10250)).close()
    except OSError:
        errors['Port-10250'] = 'Port 10250 is in use'
    if endpoint == DOCKERSHIM:
        if subprocess.run(['docker', 'info'], capture_output=True).returncode:
            errors['Service-Docker'] = 'docker service is not active, please run \'systemctl start docker.service\''
    else:
        try:
            if not bench.ask_runtime(endpoint)['cri']:
                errors['CRI'] = 'container runtime is not running: unknown service runtime.v1alpha2.RuntimeService'
        except OSError as error:
            errors['CRI'] = 'container runtime is not running: %s' % error
    contents = {'/proc/sys/net/ipv4/ip_forward': '1'}
    if V < (1, 30):
        contents['/proc/sys/net/bridge/bridge-nf-call-iptables'] = '1'
    for path, wanted in contents.items():
        if not os.path.exists(path):
            errors['FileContent-' + path.replace('/', '-')] = path + ' does not exist'
        elif open(path).read().strip() != wanted:
            errors['FileContent-' + path.replace('/', '-')] = path + ' contents are not set to 1'
    for tool in ('conntrack', 'ip', 'iptables', 'mount', 'nsenter') if V < (1, 33) else ('losetup', 'mount', 'cp'):
        if shutil.which(tool) is None:
            errors['FileExisting-' + tool] = tool + ' not found in system path'
    kernel = subprocess.run(['uname', '-r'], capture_output=True, text=True).stdout
    if V >= (1, 32) and bench.numbers(kernel.split('-')[0]) < (4, 19):
        errors['SystemVerification'] = (
            'kernel release %s is unsupported. Recommended LTS version from the 4.x series is 4.19' % kernel.strip()
        )
    fatal = {name: text for name, text in errors.items() if name.lower() not in ignored and 'all' not in ignored}
    if fatal:
        lines = ''.join('\t[ERROR %s]: %s\n' % item for item in fatal.items())
        bench.die(
            'error execution phase preflight: [preflight] Some fatal errors occurred:\n%s[preflight] If you know what you are doing, '
            'you can make a check non-fatal with `--ignore-preflight-errors=...`' % lines
        )
