# Everything is asked with a configuration and a cache of our own, so that nothing stays on the host.
check_packages() {
  if installed "${RUNTIME_PACKAGES[@]}" ${KUBE_PACKAGES[@]+"${KUBE_PACKAGES[@]}"}; then
    return 0
  fi
  mkdir -p "$RUN/yum"
  printf '%s\n' '[main]' plugins=0 {reposdir,cachedir,persistdir,logdir}="$RUN/yum" "logfile=$RUN/yum/log" >"$RUN/yum/conf"
  check_repository docker-ce-stable "$RUNTIME_REPOSITORY" "${RUNTIME_PACKAGES[@]}"
  ((${#KUBE_PACKAGES[@]} == 0)) || check_repository kubernetes "$KUBE_REPOSITORY" "${KUBE_PACKAGES[@]}"
}

# check_repository ID URL SPEC …
check_repository() {
  local id=$1 url spec
  url=$(located "$2")
  shift 2
  fetch "$url/repodata/repomd.xml" /dev/null || fail repository-unreachable "$url"
  repository_file "$id" "$url" '' | sed /^exclude/d >"$RUN/yum/$id.repo"
  for spec in "$@"; do
    installed "$spec" || retry 2 lists "$spec" || fail package-missing "$spec in $url"
  done
  log "$url has $*"
}
lists() {
  yum -q -c "$RUN/yum/conf" list --showduplicates "$1" >/dev/null 2>&1
}
