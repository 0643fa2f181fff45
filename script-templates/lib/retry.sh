# retry TRIES COMMAND …: again after 2, 4, 8 … seconds.
retry() {
  local tries=$1 try pause=2
  shift
  for ((try = 1; ; try++)); do
    if "$@"; then return 0; fi
    ((try < tries)) || return 1
    log "$1: try $try of $tries failed, again in $pause s"
    sleep "$pause"
    pause=$((pause * 2))
  done
}

# fetch URL FILE [SECONDS]
fetch() {
  retry 5 curl -fsSL --connect-timeout 10 --max-time "${3:-120}" -o "$2" "$1"
}
