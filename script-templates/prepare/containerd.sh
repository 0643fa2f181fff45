# Nobody has decided anything in it: it is as a package or containerd itself made it, or it only switches CRI off, as
# the package does.
default_config() {
  local package content
  if package=$(rpm -qf "$1" 2>/dev/null) && [[ $(rpm -Vc "$package" || true) != *" $1"* ]]; then
    return 0
  fi
  content=$(grep -Ev '^\s*(#|$)' "$1" || true)
  [[ -z $content || $content == 'disabled_plugins = ["cri"]' ]] || containerd config default 2>/dev/null | cmp -s - "$1"
}

configure_containerd() {
  local file=/etc/containerd/config.toml
  if [[ $RUNTIME_CONFIG == replace || ! -e $file ]] || grep -qF "$MARK" "$file" || default_config "$file"; then
    containerd_config | write_file "$file" restart_later containerd.service
  else
    check_containerd "$file"
  fi
}

# check_containerd FILE: the user's stays, if containerd with it does what the cluster needs.
check_containerd() {
  local config driver=cgroupfs
  config=$(containerd config dump) || fail runtime-config "containerd cannot read $1"
  ! grep -Eq "^\s*disabled_plugins\s*=.*[\"'](io\.containerd\.grpc\.v1\.)?cri[\"']" <<<"$config" || fail runtime-config "$1 disables cri"
  ! grep -Eq '^\s*(SystemdCgroup|systemd_cgroup)\s*=\s*true' <<<"$config" || driver=systemd
  [[ $driver == "$CGROUP_DRIVER" ]] || fail runtime-config "$1 has the cgroup driver $driver, not $CGROUP_DRIVER"
  [[ $config == *"$SANDBOX_IMAGE"* ]] || log "warning: $1 has another sandbox image than $SANDBOX_IMAGE"
  ! declare -F kept_registries >/dev/null || kept_registries "$1" "$config"
  log "$1 is the user's and stays"
}

prepare_runtime() {
  configure_containerd
  run_steps configure_registries
  ensure_running containerd.service /run/containerd/containerd.sock
  write_crictl
}
