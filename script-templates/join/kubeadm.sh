clear_kubeadm() {
  rm -f /etc/kubernetes/pki/ca.crt /var/lib/kubelet/{config.yaml,kubeadm-flags.env}
}

reset_kubeadm() {
  systemctl stop kubelet.service || true
  kubeadm reset -f --cri-socket "$CRI_SOCKET" || log 'kubeadm reset failed'
}

# The annotation is kubeadm's last deed: with it the join ended, and only its run did not.
join_ended() {
  grep -q kubeadm.alpha.kubernetes.io/cri-socket "$RUN/node"
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

# The Node as the API tells it. kubectl, because the curl of EL7 cannot load the EC keys of kubelet.
node_json() {
  kubectl --kubeconfig "$KUBECONFIG_FILE" --request-timeout=10s get node "$(node_name)" -o json >"$RUN/node"
}
