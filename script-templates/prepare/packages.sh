# add_repository ID URL KEY-URL FINGERPRINT …: in the usual file, so that an older one does not stand beside it.
add_repository() {
  local id=$1 key=/etc/pki/rpm-gpg/RPM-GPG-KEY-ackone-join-$1 url key_url
  url=$(located "$2")
  key_url=$(located "$3")
  shift 3
  trust_key "$key_url" "$key" "$@"
  repository_file "$id" "$url" "$key" | write_file "/etc/yum.repos.d/${id%-stable}.repo"
}

# yum_install OPTION … -- SPEC …: YUM 3 goes on without a package that it does not find, so what counts is what is
# installed afterwards. A version that is there already is changed, upwards or downwards.
yum_install() {
  local spec options=()
  while [[ $1 != -- ]]; do
    options+=("$1")
    shift
  done
  shift
  log "installs $*"
  retry 3 yum -yq ${options[@]+"${options[@]}"} install "$@" || fail package-install "$*"
  installed "$@" || yum -yq ${options[@]+"${options[@]}"} downgrade "$@" || true
  for spec in "$@"; do
    installed "$spec" || fail package-version "$spec"
  done
}

install_runtime() {
  local options=()
  if installed "${RUNTIME_PACKAGES[@]}"; then
    return 0
  fi
  add_repository docker-ce-stable "$RUNTIME_REPOSITORY" "$RUNTIME_KEY_URL" "${RUNTIME_KEYS[@]}"
  # podman and buildah of EL 8 and later bring a runc that conflicts; YUM 3 does not know the option.
  ! command -v dnf >/dev/null || options+=(--allowerasing)
  # Newer packages obsolete the docker-ce-selinux that 17.03 needs.
  [[ ${RUNTIME_PACKAGES[*]} != *docker-ce-selinux* ]] || options+=(--setopt=obsoletes=0)
  yum_install ${options[@]+"${options[@]}"} -- "${RUNTIME_PACKAGES[@]}"
}

install_kubernetes() {
  if installed "${KUBE_PACKAGES[@]}"; then
    return 0
  fi
  add_repository kubernetes "$KUBE_REPOSITORY" "$KUBE_KEY_URL" "${KUBE_KEYS[@]}"
  yum_install --disableexcludes=kubernetes -- "${KUBE_PACKAGES[@]}"
}
