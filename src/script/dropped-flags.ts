/**
 * What kubelet's command line knows on Linux, 1.10 to 1.37. Source: k8s.io/kubernetes at vX.Y.0, cmd/kubelet/app/options
 * and pkg/kubelet/config/flags.go, and what these register of klog, cadvisor and k8s.io/component-base (logs, verflag);
 * each of the versions read. Names are as pflag compares them, with dashes where klog and cadvisor write underscores.
 */

/** By the first minor that lacks them: most of 24 went with dockershim, those of 26 are klog's, those of 37 cadvisor's. */
const byMinor: Readonly<Record<number, string>> = {
  11: `--enable-custom-metrics --experimental-allowed-unsafe-sysctls --experimental-qos-reserved --rkt-api-endpoint
    --rkt-path --rkt-stage1-image`,
  12: '--cadvisor-port --docker-disable-shared-pid',
  13: '--google-json-key',
  14: '--experimental-fail-swap-on',
  15: '--allow-privileged --host-ipc-sources --host-network-sources --host-pid-sources',
  16: '--containerized',
  19: '--bootstrap-checkpoint-path --experimental-dockershim',
  21: '--enable-cadvisor-json-endpoints',
  22: '--chaos-chance --redirect-container-streaming',
  23: '--experimental-bootstrap-kubeconfig --seccomp-profile-root',
  24: `--cni-bin-dir --cni-cache-dir --cni-conf-dir --docker --docker-endpoint --docker-env-metadata-whitelist
    --docker-only --docker-root --docker-tls --docker-tls-ca --docker-tls-cert --docker-tls-key --dynamic-config-dir
    --experimental-check-node-capabilities-before-mount --experimental-dockershim-root-directory
    --experimental-logging-sanitization --image-pull-progress-deadline --network-plugin --network-plugin-mtu
    --non-masquerade-cidr --really-crash-for-testing`,
  25: '--experimental-kernel-memcg-notification',
  26: `--add-dir-header --alsologtostderr --log-backtrace-at --log-dir --log-file --log-file-max-size --logtostderr
    --one-output --skip-headers --skip-log-headers --stderrthreshold`,
  27: '--container-runtime --master-service-namespace',
  30: '--azure-container-registry-config',
  31: '--iptables-drop-bit --iptables-masquerade-bit --keep-terminated-pod-volumes',
  34: '--cloud-config --register-schedulable',
  35: '--pod-infra-container-image',
  37: `--application-metrics-count-limit --boot-id-file --container-hints --containerd --containerd-namespace
    --enable-load-reader --event-storage-age-limit --event-storage-event-limit --global-housekeeping-interval
    --log-cadvisor-usage --machine-id-file --storage-driver-buffer-duration --storage-driver-db --storage-driver-host
    --storage-driver-password --storage-driver-secure --storage-driver-table --storage-driver-user`,
};

const namesOf = (list: string) => list.split(/\s+/);

/** First minor in which kubelet does not know the flag any more; it exits on a flag that it does not know. */
export const droppedIn: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(byMinor).flatMap(([minor, list]) => namesOf(list).map((flag) => [flag, Number(minor)])),
);

/** @param flag With its two dashes, and with dashes for underscores. */
export const isDropped = (flag: string, minor: number): boolean =>
  Object.hasOwn(droppedIn, flag) && minor >= droppedIn[flag]!;

/** Flags of any of these versions that take no next word as their value (pflag's NoOptDefVal); `--flag=false` they do take. */
export const booleanFlags: ReadonlySet<string> = new Set(
  namesOf(`--add-dir-header --allow-privileged --alsologtostderr --anonymous-auth --authentication-token-webhook
    --cgroups-per-qos --containerized --contention-profiling --cpu-cfs-quota --docker-disable-shared-pid --docker-only
    --docker-tls --enable-cadvisor-json-endpoints --enable-controller-attach-detach --enable-custom-metrics
    --enable-debugging-handlers --enable-load-reader --enable-server --exit-on-lock-contention
    --experimental-allocatable-ignore-eviction --experimental-check-node-capabilities-before-mount
    --experimental-dockershim --experimental-fail-swap-on --experimental-kernel-memcg-notification
    --experimental-logging-sanitization --fail-cgroupv1 --fail-swap-on --help --keep-terminated-pod-volumes
    --kernel-memcg-notification --local-storage-capacity-isolation --log-cadvisor-usage --log-json-split-stream
    --log-text-split-stream --logtostderr --make-iptables-util-chains --one-output --protect-kernel-defaults
    --really-crash-for-testing --redirect-container-streaming --register-node --register-schedulable
    --rotate-certificates --rotate-server-certificates --runonce --seccomp-default --serialize-image-pulls
    --skip-headers --skip-log-headers --storage-driver-secure --version`),
);
