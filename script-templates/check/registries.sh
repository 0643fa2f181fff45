# 401 is an answer too. The runtime trusts what this host trusts, and the given CAs.
check_registries() {
  local url status
  {
    cat /etc/pki/tls/certs/ca-bundle.crt 2>/dev/null || true
    printf '%s\n' "$REGISTRY_CA"
  } >"$RUN/registry-ca"
  for url in "${REGISTRY_URLS[@]}"; do
    retry 3 asks "$url" || fail registry-unreachable "$url: $(head -n 1 "$RUN/said")"
    status=$(cat "$RUN/status")
    case $status in
    200 | 401) log "$url answers" ;;
    000) fail registry-ca "$url: $(head -n 1 "$RUN/said")" ;;
    *) fail registry-unreachable "$url answers with HTTP $status" ;;
    esac
  done
}

# asks URL: leaves the HTTP status in RUN/status, 000 for a certificate that is not trusted.
asks() {
  local code=0 trust=()
  [[ -z $REGISTRY_CA ]] || trust=(--cacert "$RUN/registry-ca")
  curl -sS --max-time 10 -o /dev/null -w '%{http_code}' ${trust[@]+"${trust[@]}"} "$1" >"$RUN/status" 2>"$RUN/said" || code=$?
  # 51 and 60 by curl(1); the former is said of a wrong name by older ones.
  ((code == 0 || code == 51 || code == 60))
}
