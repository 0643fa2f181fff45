# A warning only: the runtime may have a mirror or a proxy that curl does not know, or the image already.
check_registry() {
  curl -s --max-time 5 -o /dev/null "https://${SANDBOX_IMAGE%%/*}/v2/" ||
    log "warning: the registry of $SANDBOX_IMAGE does not answer from here"
}
