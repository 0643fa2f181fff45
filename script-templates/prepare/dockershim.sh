# Before Kubernetes 1.24 kubelet itself speaks to docker.
prepare_runtime() {
  configure_docker
  ensure_running docker.service /var/run/docker.sock
  check_docker
  write_crictl
}
