check_kube_proxy() {
  systemctl cat kube-proxy.service >/dev/null 2>&1 || fail kube-proxy 'there is none'
}
