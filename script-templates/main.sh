main() {
  set -Eeuo pipefail
  export LC_ALL=C PATH="$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
  umask 022
  RUN=$(mktemp -d /run/ackone-join.XXXXXX 2>/dev/null || mktemp -d)
  trap 'rm -rf "$RUN"' EXIT
  trap 'on_error "$?" "$LINENO" "$BASH_COMMAND"' ERR
  trap interrupted INT TERM HUP
  ((EUID == 0)) || fail not-root
  case ${ACKONE_JOIN_PHASE:-} in
  check) run_phase check 100 ;;
  prepare)
    begin
    run_phase prepare 100
    ;;
  '')
    begin
    run_phase check 20
    [[ -e $RUN/joined ]] || run_phase prepare 75
    run_phase join 100
    ;;
  *) fail phase-unknown ;;
  esac
  say "done${SUMMARY}"
}

# One run at a time, and from here on into the log file.
begin() {
  exec 8>/run/ackone-join.lock
  flock -w 10 8 || fail already-running
  open_log
}
