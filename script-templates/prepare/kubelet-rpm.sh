# With kubeadm and kubectl, where the cluster is kubeadm's.
install_kubelet() {
  install_packages kubernetes "$KUBE_REPOSITORY" "$KUBE_KEY_URL" "$KUBE_KEY" "${KUBE_PACKAGES[@]}"
}
