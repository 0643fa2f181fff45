phase_prepare() {
  # An image is built without phase check, and without a cluster.
  if [[ ${ACKONE_JOIN_PHASE:-} == prepare ]]; then
    check_image
    check_packages
  fi
  run_steps disable_firewall set_selinux disable_swap load_modules set_sysctls name_api_server mend_centos7 lead_base_repositories install_tools
  install_packages docker-ce-stable "$RUNTIME_REPOSITORY" "$RUNTIME_KEY_URL" "$RUNTIME_KEY" "${RUNTIME_PACKAGES[@]}"
  prepare_runtime
  install_kubelet
}
