# What kubelet and kube-proxy call.
install_tools() {
  local tool missing=()
  for tool in conntrack-tools socat ethtool iptables "${TOOLS[@]}"; do
    rpm -q --quiet --whatprovides "$tool" || missing+=("$tool")
  done
  ((${#missing[@]} == 0)) || yum_install -- "${missing[@]}"
}
