# Once for each machine. What it leaves running must hold neither the output nor the lock of this run open.
run_post_script() {
  local status=0
  [[ $(state_get post) != "$(provider_id)" ]] || return 0
  log 'runs the post script'
  printf '%s' "$POST_SCRIPT" >"$RUN/post-script"
  : >"$RUN/post-output"
  (export PATH "${!ALIBABA_CLOUD_@}" && cd / && exec bash "$RUN/post-script") >"$RUN/post-output" 2>&1 </dev/null 8>&- &
  tail -n +1 -f -s 0.2 --pid=$! "$RUN/post-output" || true
  wait $! || status=$?
  ((status == 0)) || fail post-script "it ended with status $status"
  state_set post "$(provider_id)"
}
