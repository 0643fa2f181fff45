check_host() {
  local tool el
  for tool in curl openssl rpm yum gpg systemctl awk; do
    command -v "$tool" >/dev/null || fail tool-missing "$tool"
  done
  in_list "$(uname -m)" x86_64 aarch64 || fail arch-unknown "$(uname -m)"
  el=$(el_major)
  log "$(os_release PRETTY_NAME), EL $el, $(uname -mr)"
  check_space /var/lib 3072
}

# check_space DIRECTORY MIB
check_space() {
  local free
  free=$(df -Pm "$1" | awk 'NR == 2 { print $4 }')
  ((free >= $2)) || fail disk "$1 has $free MiB and needs $2"
}

# As static pods, or as units of the host's own.
check_no_control_plane() {
  local path unit
  for path in /etc/kubernetes/{admin.conf,manifests/{kube-apiserver,kube-controller-manager,kube-scheduler,etcd}.yaml} /var/lib/etcd/member; do
    [[ ! -e $path ]] || fail control-plane "$path"
  done
  for unit in {kube-{apiserver,controller-manager,scheduler},etcd}.service; do
    if systemctl is-active -q "$unit" 2>/dev/null || [[ $(systemctl is-enabled "$unit" 2>/dev/null || true) == enabled* ]]; then
      fail control-plane "$unit"
    fi
  done
}
