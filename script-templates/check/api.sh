# api_get PATH FILE [CURL OPTION …]: prints the HTTP status, 000 when there is no answer.
api_get() {
  local path=$1 file=$2
  shift 2
  [[ -z $API_SERVER_IP ]] || set -- --resolve "$API_SERVER_HOST:$API_SERVER_PORT:$API_SERVER_IP" "$@"
  curl -s --max-time 10 -o "$file" -w '%{http_code}' "$@" "https://$JOIN_ENDPOINT$path" || true
}

# check_server HOST PORT
check_server() {
  getent ahosts "$1" >/dev/null || fail api-name "$1"
  retry 3 connects "$1" "$2" || fail api-unreachable "$1 port $2"
}
connects() {
  # The inner shell expands them: as words of the code they could become code.
  # shellcheck disable=SC2016
  timeout 5 bash -c 'exec 3<>"/dev/tcp/$0/$1"' "$1" "$2" 2>/dev/null
}

# Leaves the certificates that the pins stand for in RUN/ca. Anybody can answer in place of cluster-info, so what it
# says is believed only so far as the pins go; kubeadm does the same.
discover() {
  local status file pin server host
  status=$(api_get /api/v1/namespaces/kube-public/configmaps/cluster-info "$RUN/info" --insecure --dump-header "$RUN/head")
  check_clock
  if [[ $status != 200 ]]; then
    log "warning: cluster-info cannot be read (HTTP $status)"
    return 0
  fi
  sed -n 's/.*certificate-authority-data: *\([A-Za-z0-9+/=]*\).*/\1/p' "$RUN/info" | base64 -d |
    csplit -szf "$RUN/ca-" - '/BEGIN CERT/' '{*}' 2>/dev/null || true
  for file in "$RUN"/ca-*; do
    pin=$(openssl x509 -in "$file" -noout -pubkey 2>/dev/null | openssl pkey -pubin -outform DER 2>/dev/null | sha256sum || true)
    ! in_list "sha256:${pin%% *}" "${JOIN_WORDS[@]}" || cat "$file" >>"$RUN/ca"
  done
  [[ -s $RUN/ca ]] || [[ ${JOIN_WORDS[*]} != *sha256:* ]] || fail ca-pin
  # From here on the node uses this server, whatever the join command says.
  server=$(sed -n 's/.*server: *https:..\([^"\\ /]*\).*/\1/p' "$RUN/info")
  [[ $server =~ :[0-9]+$ ]] || server=$server:443
  if [[ $server != "$JOIN_ENDPOINT" ]]; then
    host=${server%:*}
    check_server "${host//[][]/}" "${server##*:}"
  fi
}

# To a clock that is behind, the cluster's certificates are not valid yet.
check_clock() {
  local date off
  date=$(sed -n 's/^[Dd]ate: *\(.*GMT\).*/\1/p' "$RUN/head" 2>/dev/null || true)
  off=$(($(date +%s) - $(date -d "${date:-now}" +%s)))
  ((off > -300 && off < 300)) || fail clock "$off s from the API server's"
}

# kubelet would take over the Node that a dead machine left, with its old provider id.
check_name() {
  local name status owner
  [[ -n $(provider_id) ]] || return 0
  name=$(node_name)
  # A bootstrap token may get Nodes from 1.18 on.
  if [[ ! -s $RUN/ca ]] || ((${KUBE_MINOR#1.} < 18)); then
    log "whether there is a Node $name cannot be asked"
    return 0
  fi
  # Not on curl's command line, which everybody on the host can read.
  (umask 077 && echo "header = \"Authorization: Bearer $JOIN_TOKEN\"" >"$RUN/curl")
  status=$(api_get "/api/v1/nodes/$name" "$RUN/node" --cacert "$RUN/ca" --config "$RUN/curl")
  if [[ $status == 200 ]]; then
    owner=$(python -c 'import json, sys; print(json.load(sys.stdin)["spec"].get("providerID"))' <"$RUN/node")
    [[ $owner == "$(provider_id)" ]] || fail name-taken "kubectl delete node $name, whose provider id is $owner"
  elif [[ $status != 404 ]]; then
    log "whether there is a Node $name was not answered (HTTP $status)"
  fi
}

check_api() {
  check_server "${API_SERVER_IP:-$API_SERVER_HOST}" "$API_SERVER_PORT"
  discover
  check_name
}
