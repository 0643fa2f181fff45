# For containerd 2: configuration version 3.
containerd_config() {
  cat <<TOML
$MARK
version = 3
[plugins."io.containerd.cri.v1.images".pinned_images]
sandbox = "$SANDBOX_IMAGE"
[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options]
SystemdCgroup = $SYSTEMD_CGROUP
TOML
  run_steps registry_config
}
