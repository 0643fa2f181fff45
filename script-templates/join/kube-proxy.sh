start_kube_proxy() {
  systemctl enable kube-proxy.service
  systemctl start kube-proxy.service || true
  sleep 3
  if ! systemctl is-active -q kube-proxy.service; then
    last_words kube-proxy.service
    fail kube-proxy 'it ended, as it says above'
  fi
}
