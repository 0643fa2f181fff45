# The image brings it.
check_kubelet() {
  local trouble
  [[ -f $KUBELET_PROGRAM && -x $KUBELET_PROGRAM ]] || fail kubelet-program "$KUBELET_PROGRAM is no program here"
  trouble=$(program_trouble "$KUBELET_PROGRAM")
  [[ -z $trouble ]] || fail kubelet-program "$KUBELET_PROGRAM: $trouble"
}
install_kubelet() {
  check_kubelet
}
