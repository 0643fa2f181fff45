# The URL without what may be a secret: a signature, or a password.
kubelet_place() {
  sed 's|?.*||; s|//[^/]*@|//|' <<<"$KUBELET_URL"
}

check_kubelet() {
  [[ -z $(program_trouble "$KUBELET_PROGRAM") ]] || retry 3 offered "$KUBELET_URL" || fail download "$(kubelet_place)"
}

# offered URL: a signed one may be good for GET only.
offered() {
  curl -fsIL --max-time 10 -o /dev/null "$1" || curl -fsSL --max-time 60 -r 0-0 -o /dev/null "$1"
}

# It is tried beside its place, since no program may run from /run.
install_kubelet() {
  local new=$KUBELET_PROGRAM.ackone-join trouble
  if [[ -z $(program_trouble "$KUBELET_PROGRAM") ]]; then
    return 0
  fi
  log "fetches $(kubelet_place)"
  mkdir -p "${new%/*}"
  fetch "$KUBELET_URL" "$new" 600 || fail download "$(kubelet_place)"
  chmod 755 "$new"
  trouble=$(program_trouble "$new")
  if [[ -n $trouble ]]; then
    rm -f "$new"
    fail kubelet-program "$(kubelet_place): $trouble"
  fi
  mv -f "$new" "$KUBELET_PROGRAM"
}
