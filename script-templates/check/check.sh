# run_steps FUNCTION …: a step that is not needed, or that the user has kept the script from, is not in the script.
run_steps() {
  local step
  for step in "$@"; do
    ! declare -F "$step" >/dev/null || "$step"
  done
}

check_image() {
  check_host
  run_steps check_el check_kernel check_cgroup
  check_no_control_plane
}

phase_check() {
  check_image
  # Before there is a node pool, a host of its VPC has none of the variables.
  if [[ ${ACKONE_JOIN_PHASE:-} == check && -z $(provider_id)${ALIBABA_CLOUD_NODE_NAME:-} ]]; then
    log 'the ALIBABA_CLOUD_* variables are not set here and not checked'
  else
    check_variables
    if [[ $(identity) == joined ]]; then
      log 'this host has joined already'
      : >"$RUN/joined"
      return 0
    fi
  fi
  run_steps check_api check_packages check_base_repositories check_registries check_registry check_kubelet check_cni check_kube_proxy
}
