disable_firewall() {
  if systemctl cat firewalld.service >/dev/null 2>&1; then
    systemctl stop firewalld.service
    systemctl disable firewalld.service
    log 'firewalld is off'
  fi
}
