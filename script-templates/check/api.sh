# api_get PATH FILE [CURL OPTION …]: prints the HTTP status, 000 when there is no answer, for which curl's reason is in
# RUN/said.
api_get() {
  local path=$1 file=$2
  shift 2
  [[ -z $API_SERVER_IP ]] || set -- --resolve "$API_SERVER_HOST:$API_SERVER_PORT:$API_SERVER_IP" "$@"
  curl -sS --max-time 10 -o "$file" -w '%{http_code}' "$@" "https://$JOIN_ENDPOINT$path" 2>"$RUN/said" || true
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
  # A bootstrap token may get Nodes from 1.18 on. A bootstrap kubeconfig may hold none.
  if [[ ! -s $RUN/ca || -z $JOIN_TOKEN ]] || ((${KUBE_MINOR#1.} < 18)); then
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
  run_steps discover check_ca
  check_name
}
