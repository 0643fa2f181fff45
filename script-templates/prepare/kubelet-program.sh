# The RPM brings the usual plugins along. A CNI that needs none of them is fine, so this is said only.
check_cni() {
  [[ -e /opt/cni/bin/loopback ]] ||
    log 'warning: /opt/cni/bin has no CNI plugins: the CNI must bring what it needs, or the image'
}

# program_trouble FILE: prints why it is not the kubelet asked for, nothing when it is. A vendor's build has more behind the
# version; a program of another architecture says nothing of the kind.
program_trouble() {
  local said
  if [[ -n $KUBELET_SHA256 ]] && ! echo "$KUBELET_SHA256  $1" | sha256sum -c --status 2>/dev/null; then
    echo "its sha256 is not $KUBELET_SHA256"
    return 0
  fi
  said=$(timeout 60 "$1" --version 2>&1 || true)
  said=${said##*$'\n'}
  [[ $said == "Kubernetes v$KUBE_VERSION" || $said == "Kubernetes v$KUBE_VERSION"[-+]* ]] ||
    echo "on $(uname -m) it should say version $KUBE_VERSION, and says ${said:-nothing}"
}
