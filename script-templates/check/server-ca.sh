# Any HTTP status proves the certificate. The clock goes first, since to a wrong one no certificate is valid.
check_ca() {
  printf '%s\n' "$SERVER_CA" >"$RUN/ca"
  retry 3 answers --insecure --dump-header "$RUN/head" || fail api-unreachable "$JOIN_ENDPOINT: $(head -n 1 "$RUN/said")"
  check_clock
  retry 3 answers --cacert "$RUN/ca" || fail server-ca "$JOIN_ENDPOINT: $(head -n 1 "$RUN/said")"
}

# answers CURL-OPTION …
answers() {
  [[ $(api_get /version /dev/null "$@") != 000 ]]
}
