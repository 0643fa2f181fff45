# What kubelet and kube-proxy call.
install_tools() {
  local tool missing=()
  for tool in "${TOOLS[@]}"; do
    rpm -q --quiet --whatprovides "$tool" || missing+=("$tool")
  done
  if ((${#missing[@]} > 0)); then
    log "installs ${missing[*]}"
    retry 3 yum -yq install "${missing[@]}" || fail package-install "${missing[*]}"
  fi
}
