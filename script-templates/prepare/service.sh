# A restart that is due survives an end of the script between the file and the restart.
restart_later() {
  mkdir -p "$STATE"
  : >"$STATE/restart-$1"
}

# ensure_running UNIT SOCKET
ensure_running() {
  systemctl daemon-reload
  systemctl enable "$1"
  if [[ -e $STATE/restart-$1 ]] || ! systemctl is-active -q "$1"; then
    systemctl restart "$1" || fail_to_start "$1"
    rm -f "$STATE/restart-$1"
    log "$1 is restarted"
  fi
  for _ in {1..30}; do
    if [[ -S $2 ]] && systemctl is-active -q "$1"; then
      return 0
    fi
    sleep 1
  done
  fail_to_start "$1"
}

fail_to_start() {
  systemctl status --no-pager -ln 20 "$1" || true
  fail runtime-start "$1"
}

write_crictl() {
  printf '%s\n' "$MARK" {runtime,image}"-endpoint: $CRI_ENDPOINT" | write_file /etc/crictl.yaml
}
