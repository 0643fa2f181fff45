# The variables of the registered cluster. Older agents wrote the first without its R.
provider_id() {
  echo "${ALIBABA_CLOUD_PROVIDER_ID:-${ALIBABA_CLOUD_PROVIDE_ID:-}}"
}

# The one name for kubeadm and kubelet, which both lower it (component-helpers node/util/hostname.go).
node_name() {
  local name=${ALIBABA_CLOUD_NODE_NAME:-$(uname -n)}
  echo "${name,,}"
}

# The shapes that the API takes: prefix/name for keys, at most 63 characters a name or value.
NAME_SHAPE='[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?'
KEY_SHAPE="([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?/)?$NAME_SHAPE"

# wanted labels|taints SHAPE LIST: prints the comma list LIST as kubelet shall get it. A taint KEY:EFFECT is written
# KEY=:EFFECT, which old kubelets know too.
wanted() {
  local item items list=()
  IFS=, read -ra items <<<"${3//$'\n'/?}"
  for item in ${items[@]+"${items[@]}"}; do
    read -r item <<<"$item"
    [[ -n $item ]] || continue
    [[ $item =~ ^$KEY_SHAPE$2$ ]] || fail "$1" "$item"
    if [[ $1 == labels ]] && refused "${item%%=*}"; then
      log "warning: kubelet from 1.16 on refuses the label $item"
      ((${KUBE_MINOR#1.} < 16)) || continue
    fi
    [[ $item == *=* ]] || item=${item/:/=:}
    list+=("$item")
  done
  (IFS=, && echo "${list[*]-}")
}
wanted_labels() {
  wanted labels "=($NAME_SHAPE)?" "${ALIBABA_CLOUD_LABELS:-}"
}
wanted_taints() {
  wanted taints "(=($NAME_SHAPE)?)?:(NoSchedule|PreferNoSchedule|NoExecute)" "${ALIBABA_CLOUD_TAINTS:-}"
}

# Labels in Kubernetes' own namespaces that kubelet does not own (kubelet pkg/apis/well_known_labels.go): it would die of
# them at every start.
refused() {
  [[ $1 =~ ^([^/]*\.)?(kubernetes|k8s)\.io/ && ! $1 =~ ^([^/]*\.)?(kubelet|node)\.kubernetes\.io/ &&
    ! $1 =~ ^(kubernetes\.io/(hostname|os|arch)|beta\.kubernetes\.io/(os|arch|instance-type)|(topology|failure-domain\.beta)\.kubernetes\.io/(zone|region))$ ]]
}

check_variables() {
  local id name labels taints
  id=$(provider_id)
  name=$(node_name)
  [[ $id =~ ^[a-z0-9-]+\.i-[A-Za-z0-9]+$ ]] || fail provider-id "$id"
  [[ $name =~ ^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$ && $name != *[.-].* && $name != *.-* ]] || fail node-name "$name"
  labels=$(wanted_labels)
  taints=$(wanted_taints)
  log "$id will be Node $name, labels $labels, taints $taints"
}
