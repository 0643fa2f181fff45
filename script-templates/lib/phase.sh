# The process group at work, and the durations so far.
WORKER=''
SUMMARY=''

# Ends the process group WORKER after SECONDS, or when main is no more: then nobody waits for it. It keeps neither the
# output nor the lock of the run open.
watchdog() {
  local left=$2
  set +eE
  trap - ERR INT TERM HUP
  exec >/dev/null 2>&1 8>&-
  while ((left-- > 0)) && kill -0 $$; do
    sleep 1
  done
  : >"$RUN/deadline"
  kill -TERM -- "-$1"
  sleep 3
  kill -KILL -- "-$1"
}

# A phase runs in a process group of its own, so that all of it can be ended at its deadline.
phase_worker() {
  set +m
  trap - INT TERM HUP
  "phase_$1" </dev/null 2>&1 | record
}

# run_phase NAME SHARE: the phase must be over when SHARE percent of the total time have passed.
run_phase() {
  local name=$1 limit=$((DEADLINE_SECONDS * $2 / 100 - SECONDS)) began=$SECONDS status=0 watcher
  ((limit > 0)) || limit=1
  say "phase $name begins and has $limit s"
  set -m
  phase_worker "$name" &
  WORKER=$!
  watchdog "$WORKER" "$limit" &
  watcher=$!
  set +m
  wait "$WORKER" || status=$?
  [[ -e $RUN/deadline ]] || kill -KILL -- "-$watcher" || true
  wait "$watcher" 2>/dev/null || true
  WORKER=''
  SUMMARY="$SUMMARY, $name $((SECONDS - began)) s"
  ((status == 0)) || say "phases${SUMMARY/,/:}"
  [[ ! -e $RUN/deadline ]] || end deadline "phase $name, $((SECONDS - began)) s"
  if ((status != 0)); then
    [[ -e $RUN/failed ]] || end unforeseen "phase $name, status $status"
    exit "$status"
  fi
}

# log and fail for what is outside of a phase.
say() {
  log "$@" 2>&1 | record
}
end() {
  local status=0
  (fail "$@") 2>&1 | record || status=$?
  exit "$status"
}

interrupted() {
  trap - ERR
  trap '' INT TERM HUP
  [[ -z $WORKER ]] || kill -TERM -- "-$WORKER" 2>/dev/null || true
  end interrupted
}
