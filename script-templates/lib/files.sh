# The line that tells a file of ours from one of the user's.
MARK='# Written by ackone-join'
# What is known of this host from earlier runs.
STATE=/var/lib/ackone-join

# write_file FILE [COMMAND …]: makes stdin the content of FILE. If that changes it, COMMAND runs before, and what
# stood there, unless it was ours, is kept beside it.
write_file() {
  local file=$1
  shift
  cat >"$RUN/new"
  if cmp -s "$RUN/new" "$file"; then
    return 0
  fi
  "$@"
  mkdir -p "${file%/*}"
  if [[ -e $file ]] && ! grep -qF "$MARK" "$file"; then
    cp -p "$file" "$file.before-ackone-join"
    log "$file is replaced and kept as $file.before-ackone-join"
  fi
  cat "$RUN/new" >"$file.ackone-join"
  mv -f "$file.ackone-join" "$file"
}

state_get() {
  sed -n "s/^$1=//p" "$STATE/state" 2>/dev/null || true
}

state_set() {
  [[ $(state_get "$1") != "$2" ]] || return 0
  mkdir -p "$STATE"
  sed "/^$1=/d" "$STATE/state" >"$STATE/state.new" 2>/dev/null || true
  echo "$1=$2" >>"$STATE/state.new"
  mv -f "$STATE/state.new" "$STATE/state"
}
