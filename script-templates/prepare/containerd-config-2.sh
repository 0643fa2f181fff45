# For containerd 1.3 to 1.7: configuration version 2.
containerd_config() {
  cat <<TOML
$MARK
version = 2
[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "$SANDBOX_IMAGE"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
SystemdCgroup = $SYSTEMD_CGROUP
TOML
  run_steps registry_config
}
