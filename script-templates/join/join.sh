# What makes a host the Node that it was.
clear_identity() {
  systemctl stop kubelet.service || true
  rm -rf /etc/kubernetes/{kubelet.conf,bootstrap-kubelet.conf,pki/ca.crt} \
    /var/lib/kubelet/{pki,config.yaml,kubeadm-flags.env,cpu_manager_state,memory_manager_state}
}

join_cluster() {
  local words=(kubeadm join "${JOIN_WORDS[@]}")
  [[ -z ${ALIBABA_CLOUD_NODE_NAME:-} ]] || words+=(--node-name "$(node_name)")
  # The Node of a half join counts as Ready for a while after its kubelet has stopped.
  for _ in {1..8}; do
    if "${words[@]}" 2>&1 | tee "$RUN/kubeadm"; then
      return 0
    fi
    grep -q 'status "Ready" already exists' "$RUN/kubeadm" || fail join
    log 'waits until the Node of an earlier run is NotReady'
    sleep 15
  done
  fail join
}

phase_join() {
  local what
  what=$(identity)
  # The annotation is kubeadm's last deed: with it the join ended, and only its run did not.
  if [[ $what == half ]] && certificate_of "$(node_name)" && node_json && grep -q kubeadm.alpha.kubernetes.io/cri-socket "$RUN/node"; then
    what=joined
  fi
  case $what in
  joined)
    state_set join finished
    systemctl enable kubelet.service
    systemctl start kubelet.service
    verify_node
    return 0
    ;;
  half)
    log 'an earlier join did not end: it is reset'
    systemctl stop kubelet.service || true
    kubeadm reset -f --cri-socket "$CRI_SOCKET" || log 'kubeadm reset failed'
    clear_identity
    ;;
  foreign)
    log 'this image was made of a node: its identity is cleared'
    clear_identity
    ;;
  esac
  state_set provider_id "$(provider_id)"
  state_set script "$SCRIPT_DIGEST"
  state_set join started
  configure_kubelet
  systemctl daemon-reload
  systemctl enable kubelet.service
  join_cluster
  state_set join finished
  verify_node
}
