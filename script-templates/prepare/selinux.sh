# disabled takes effect with the next boot; until then SELinux is permissive.
set_selinux() {
  if [[ -f /etc/selinux/config ]]; then
    sed -i "s/^SELINUX=.*/SELINUX=$SELINUX_MODE/" /etc/selinux/config
  fi
  if command -v setenforce >/dev/null; then
    setenforce 0 || log 'setenforce 0 was refused'
  fi
}
