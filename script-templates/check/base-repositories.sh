# What the system's repositories will be, in a folder of our own.
check_base_repositories() {
  local REPOSITORIES=$RUN/repositories tool
  mkdir -p "$REPOSITORIES"
  cp /etc/yum.repos.d/*.repo "$REPOSITORIES" 2>/dev/null || true
  run_steps mend_centos7 2>/dev/null
  lead_base_repositories
  printf '%s\n' plugins=0 {cachedir,persistdir,logdir}="$RUN/yum" "logfile=$RUN/yum/log" "reposdir=$REPOSITORIES" >"$RUN/main"
  yum_config | sed -E -e '/^(plugins|(repos|cache|persist|log)dir|logfile) *=/d' -e "/^\[main\]/r $RUN/main" >"$RUN/base"
  for tool in $(run_steps missing_tools); do
    retry 2 offers "$tool" || fail package-missing "$tool in the repositories of this system: $(tail -n 1 "$RUN/said")"
  done
}

# offers NAME: as a package's name, or as what one provides.
offers() {
  yum -q -c "$RUN/base" list "$1" >/dev/null 2>"$RUN/said" || [[ -n $(yum -q -c "$RUN/base" provides "$1" 2>/dev/null) ]]
}
