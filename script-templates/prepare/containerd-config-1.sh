# For containerd before 1.3: configuration version 1.
containerd_config() {
  cat <<TOML
$MARK
[plugins.cri]
sandbox_image = "$SANDBOX_IMAGE"
systemd_cgroup = $SYSTEMD_CGROUP
TOML
  run_steps registry_config
}
