# Before Kubernetes 1.24 kubelet itself speaks to docker.
prepare_runtime() {
  configure_docker
  write_crictl
}
