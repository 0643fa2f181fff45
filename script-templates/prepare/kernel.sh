# The bridge's sysctls exist only once br_netfilter is there, so modules come first.
load_modules() {
  local module modules=("${MODULES[@]}")
  # Its name up to kernel 4.18.
  [[ ${modules[*]} != *ip_vs* ]] || ! modprobe nf_conntrack_ipv4 2>/dev/null || modules+=(nf_conntrack_ipv4)
  for module in "${modules[@]}"; do
    modprobe "$module" || fail kernel-module "$module"
  done
  printf '%s\n' "$MARK" "${modules[@]}" | write_file /etc/modules-load.d/ackone-join.conf
}
