# From Kubernetes 1.24 on cri-dockerd stands between kubelet and docker. Its own unit names no pause image.
prepare_runtime() {
  configure_docker
  if ! installed cri-dockerd; then
    fetch "$CRI_DOCKERD_URL" "$RUN/cri-dockerd.rpm" || fail download "$CRI_DOCKERD_URL"
    yum -yq install "$RUN/cri-dockerd.rpm" || fail package-install "$CRI_DOCKERD_URL"
  fi
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
