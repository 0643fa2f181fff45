# docker reads these at each pull. The name is ours, so that certificates of the user's stay beside it.
trust_registries() {
  local host
  for host in ${REGISTRY_CA_HOSTS[@]+"${REGISTRY_CA_HOSTS[@]}"}; do
    printf '%s\n' "$MARK" "$REGISTRY_CA" | write_file "/etc/docker/certs.d/$host/ackone-join.crt"
  done
}

check_mirrors() {
  local said url
  said=$(docker info --format '{{json .RegistryConfig.Mirrors}}' 2>/dev/null || true)
  for url in ${REGISTRY_MIRRORS[@]+"${REGISTRY_MIRRORS[@]}"}; do
    [[ $said == *"\"$url/\""* ]] || fail runtime-config "docker has the mirrors ${said:-none}, without $url"
  done
}
