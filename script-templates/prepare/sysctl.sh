set_sysctls() {
  local file=/etc/sysctl.d/99-ackone-join.conf
  printf '%s\n' "$MARK" "${SYSCTLS[@]}" | write_file "$file"
  sysctl -qp "$file" || fail sysctl "in $file, as it says above"
}
