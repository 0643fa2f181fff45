# What makes a host the Node that it was. CERT_DIR may hold more than what is kubelet's own.
clear_identity() {
  systemctl stop kubelet.service || true
  rm -rf "$KUBECONFIG_FILE" "$BOOTSTRAP_FILE" "$CERT_DIR"/kubelet{-client*,-server*,.crt,.key} /var/lib/kubelet/{cpu,memory}_manager_state
  run_steps clear_kubeadm
}

phase_join() {
  local what
  what=$(identity)
  if [[ $what == half ]] && certificate_of "$(node_name)" && node_json && join_ended; then
    what=joined
  fi
  case $what in
  joined)
    systemctl enable kubelet.service
    systemctl start kubelet.service
    ;;
  half)
    log 'an earlier join did not end: it is reset'
    run_steps reset_kubeadm
    clear_identity
    ;;
  foreign)
    log 'this image was made of a node: its identity is cleared'
    clear_identity
    ;;
  esac
  if [[ $what != joined ]]; then
    state_set provider_id "$(provider_id)"
    state_set script "$SCRIPT_DIGEST"
    state_set join started
    run_steps install_unit
    configure_kubelet
    systemctl daemon-reload
    systemctl enable kubelet.service
    join_cluster
  fi
  run_steps forget_bootstrap start_kube_proxy
  state_set join finished
  verify_node
  run_steps run_post_script
  await_ready
}
