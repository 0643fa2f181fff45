# From Kubernetes 1.24 on cri-dockerd stands between kubelet and docker. Its unit names no pause image.
install_cri_dockerd() {
  if installed cri-dockerd; then
    return 0
  fi
  fetch "$CRI_DOCKERD_URL" "$RUN_DIR/cri-dockerd.rpm" || fail download "$CRI_DOCKERD_URL"
  retry 3 yum -y -q install "$RUN_DIR/cri-dockerd.rpm" || fail package-install cri-dockerd
  installed cri-dockerd || fail package-install cri-dockerd
}

prepare_runtime() {
  configure_docker
  ensure_running docker.service /var/run/docker.sock
  check_docker
  install_cri_dockerd
  write_file /etc/systemd/system/cri-docker.service.d/10-ackone-join.conf restart_later cri-docker.service <<UNIT
$MARK
[Service]
ExecStart=
ExecStart=/usr/bin/cri-dockerd --container-runtime-endpoint fd:// --network-plugin=cni --pod-infra-container-image=$SANDBOX_IMAGE
UNIT
  ensure_running cri-docker.socket /var/run/cri-dockerd.sock
  ensure_running cri-docker.service /var/run/cri-dockerd.sock
  write_crictl
}
