# What kubelet and kube-proxy call.
missing_tools() {
  local tool
  for tool in "${TOOLS[@]}"; do
    rpm -q --quiet --whatprovides "$tool" || echo "$tool"
  done
}

install_tools() {
  local missing
  mapfile -t missing < <(missing_tools)
  if ((${#missing[@]} > 0)); then
    log "installs ${missing[*]}"
    retry 3 yum -yq install "${missing[@]}" || fail package-install "${missing[*]}"
  fi
}
