# install_packages REPOSITORY-ID URL KEY-URL FINGERPRINT SPEC …: the repository goes into its usual file, so that an older
# one does not stand beside it. YUM 3 goes on without a package that it does not find, so what counts is what is installed
# afterwards. A version that is there already is changed, upwards or downwards.
install_packages() {
  local id=$1 key=/etc/pki/rpm-gpg/RPM-GPG-KEY-ackone-join-$1 fingerprint=$4 url key_url spec
  local yum=(yum -yq --disableexcludes=kubernetes)
  url=$(located "$2")
  key_url=$(located "$3")
  shift 4
  if installed "$@"; then
    return 0
  fi
  trust_key "$key_url" "$key" "$fingerprint"
  repository_file "$id" "$url" "$key" | write_file "/etc/yum.repos.d/${id%-stable}.repo"
  # podman and buildah of EL 8 and later bring a runc that conflicts; YUM 3 does not know the option.
  ! command -v dnf >/dev/null || yum+=(--allowerasing)
  # Newer packages obsolete the docker-ce-selinux that 17.03 needs.
  [[ $* != *docker-ce-selinux* ]] || yum+=(--setopt=obsoletes=0)
  log "installs $*"
  retry 3 "${yum[@]}" install "$@" || fail package-install "$*"
  installed "$@" || "${yum[@]}" downgrade "$@" || true
  for spec in "$@"; do
    installed "$spec" || fail package-version "$spec"
  done
}
