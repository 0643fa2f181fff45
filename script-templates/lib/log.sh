# Set once the log file may be written: a run of check alone writes none.
LOG_FILE=''

# Standard error, so that a function whose output is taken can still speak. What comes from elsewhere may hold escapes.
log() {
  local text=${*//$'\n'/; }
  printf 'ackone-join: %s\n' "${text//[^[:print:]]/?}" >&2
}

# Copies lines to stdout and to the log file, without what the host shows to the API server: kubeadm may print its token.
record() {
  local line secret secrets=("${JOIN_TOKEN#*.}") key="client-key-data:[[:space:]]*[\"']?([A-Za-z0-9+/=]+)"
  if [[ ${BOOTSTRAP_KUBECONFIG-} =~ $key ]]; then
    secrets+=("${BASH_REMATCH[1]}")
  fi
  # A reader that goes away must not end the work.
  trap '' PIPE
  while IFS= read -r line || [[ -n $line ]]; do
    for secret in "${secrets[@]}"; do
      line=${line//"$secret"/****************}
    done
    printf '%s\n' "$line" || true
    [[ -z $LOG_FILE ]] || printf '%(%Y-%m-%dT%H:%M:%S%z)T %s\n' -1 "$line" >>"$LOG_FILE"
  done
}

open_log() {
  LOG_FILE=/var/log/ackone-join.log
  : >>"$LOG_FILE"
  chmod 600 "$LOG_FILE"
}
