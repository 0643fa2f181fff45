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

# wanted labels|taints LIST: prints the comma list LIST as kubelet shall get it.
wanted() {
  local items item list=()
  IFS=, read -ra items <<<"${2//$'\n'/?}"
  for item in ${items[@]+"${items[@]}"}; do
    item=${item#"${item%%[! ]*}"}
    item=${item%"${item##*[! ]}"}
    [[ -z $item ]] || "$1_item" "$item"
  done
  (IFS=, && echo "${list[*]-}")
}
wanted_labels() {
  wanted labels "${ALIBABA_CLOUD_LABELS:-}"
}
wanted_taints() {
  wanted taints "${ALIBABA_CLOUD_TAINTS:-}"
}

# Kubelets from 1.16 on die of labels in Kubernetes' own namespaces that are not theirs.
labels_item() {
  [[ $1 =~ ^$KEY_SHAPE=($NAME_SHAPE)?$ ]] || fail labels "$(printf %q "$1")"
  if label_allowed "${1%%=*}"; then
    list+=("$1")
  elif ((${KUBE_MINOR#1.} < 16)); then
    log "warning: kubelet 1.16 and later refuse the label $1"
    list+=("$1")
  else
    log "label $1 is left out, since kubelet refuses it"
  fi
}

# kubelet pkg/apis/well_known_labels.go; topology came with 1.17.
label_allowed() {
  case $1 in
  topology.kubernetes.io/zone | topology.kubernetes.io/region) ((${KUBE_MINOR#1.} != 16)) ;;
  kubelet.kubernetes.io/* | *.kubelet.kubernetes.io/* | node.kubernetes.io/* | *.node.kubernetes.io/*) return 0 ;;
  kubernetes.io/* | *.kubernetes.io/* | k8s.io/* | *.k8s.io/*)
    [[ $1 =~ ^(kubernetes.io/hostname|(beta.)?kubernetes.io/(os|arch)|beta.kubernetes.io/instance-type|failure-domain.beta.kubernetes.io/(zone|region))$ ]]
    ;;
  esac
}

# KEY:EFFECT is written KEY=:EFFECT, which old kubelets know too.
taints_item() {
  [[ $1 =~ ^$KEY_SHAPE(=($NAME_SHAPE)?)?:(NoSchedule|PreferNoSchedule|NoExecute)$ ]] || fail taints "$(printf %q "$1")"
  if [[ $1 == *=* ]]; then
    list+=("$1")
  else
    list+=("${1/:/=:}")
  fi
}

check_variables() {
  local id name
  id=$(provider_id)
  name=$(node_name)
  [[ $id =~ ^[a-z0-9-]+\.i-[A-Za-z0-9]+$ ]] || fail provider-id "$(printf %q "$id")"
  [[ $name =~ ^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$ && $name != *[.-].* && $name != *.-* ]] || fail node-name "$(printf %q "$name")"
  log "$id will be Node $name, labels $(wanted_labels), taints $(wanted_taints)"
}
