"""What kubelet makes of its arguments, and which it dies of. V: its version as numbers."""

import re

import bench

# Flag → minor that no longer has it (facts/versions.md).
REMOVED = {
    'network-plugin': 24,
    'cni-bin-dir': 24,
    'cni-conf-dir': 24,
    'cni-cache-dir': 24,
    'docker-endpoint': 24,
    'image-pull-progress-deadline': 24,
    'network-plugin-mtu': 24,
    'container-runtime': 27,
    'cloud-config': 34,
    'pod-infra-container-image': 35,
}
# kubernetes cmd/kubelet/app/options/options.go, those that a node script may use.
KNOWN = set(REMOVED) | set('''
    address allow-privileged anonymous-auth authentication-token-webhook authorization-mode bootstrap-kubeconfig cert-dir cgroup-driver
    cgroup-root cgroups-per-qos client-ca-file cloud-provider cluster-dns cluster-domain config config-dir container-log-max-files
    container-log-max-size container-runtime-endpoint enforce-node-allocatable event-qps eviction-hard eviction-soft
    fail-cgroupv1 fail-swap-on feature-gates hairpin-mode healthz-bind-address healthz-port hostname-override
    image-gc-high-threshold image-gc-low-threshold image-service-endpoint kube-api-burst kube-api-qps kube-reserved
    kubeconfig kubelet-cgroups logtostderr max-open-files max-pods node-ip node-labels node-status-update-frequency pod-cidr
    pod-manifest-path pod-max-pids protect-kernel-defaults provider-id read-only-port register-node register-with-taints
    registry-burst registry-qps resolv-conf root-dir rotate-certificates rotate-server-certificates runtime-cgroups
    serialize-image-pulls streaming-connection-idle-timeout system-reserved tls-cert-file tls-private-key-file v volume-plugin-dir
    '''.split())
SWITCHES = {
    'anonymous-auth',
    'authentication-token-webhook',
    'allow-privileged',
    'cgroups-per-qos',
    'fail-cgroupv1',
    'fail-swap-on',
    'protect-kernel-defaults',
    'register-node',
    'rotate-certificates',
    'rotate-server-certificates',
    'serialize-image-pulls',
    'logtostderr',
}
# Labels of the kubernetes.io and k8s.io domains that kubelet may set itself (kubernetes pkg/apis/core/v1 … node/labels.go).
OWN_LABELS = re.compile(
    r'''(kubernetes\.io/(hostname|arch|os)|beta\.kubernetes\.io/(arch|os|instance-type)|node\.kubernetes\.io/instance-type
    |(failure-domain\.beta|topology)\.kubernetes\.io/(zone|region)|([\w.-]+\.)?(kubelet|node)\.kubernetes\.io/.+)$''',
    re.X,
)


def parse(V, words):
    """Flags in the order given, as (name, value)."""
    flags, words = [], list(words)
    while words:
        word = words.pop(0)
        if not word.startswith('-'):
            bench.die('Error: unknown command "%s" for "kubelet"' % word)
        name, equals, value = word.lstrip('-').partition('=')
        if name not in KNOWN or V[1] >= REMOVED.get(name, 99):
            bench.die('Error: failed to parse kubelet flag: unknown flag: --%s' % name)
        if not equals:
            value = (
                'true'
                if name in SWITCHES
                else words.pop(0) if words else bench.die('flag needs an argument: --' + name)
            )
        flags.append((name, value))
    return flags


def labels(V, flags):
    found = {}
    for name, value in flags:
        if name == 'node-labels':
            for pair in filter(None, value.split(',')):
                key, _, label = pair.partition('=')
                found[key] = label
    foreign = [key for key in found if re.search(r'(^|\.)(kubernetes|k8s)\.io/', key) and not OWN_LABELS.match(key)]
    if foreign and V >= (1, 16):
        bench.die("Error: unknown 'kubernetes.io' or 'k8s.io' labels specified with --node-labels: %s" % foreign)
    return found


def taints(text):
    found = []
    for taint in text.split(',') if text else []:
        match = re.fullmatch(r'([A-Za-z0-9][\w./-]*)(?:=([\w.-]*))?:(NoSchedule|PreferNoSchedule|NoExecute)', taint)
        if not match:
            bench.die(
                'Error: invalid argument "%s" for "--register-with-taints" flag: invalid taint spec: %s' % (text, taint)
            )
        found.append({'key': match[1], 'value': match[2] or '', 'effect': match[3]})
    return found
