#!/bin/bash
# Made by ackone-join 0.0.0-test for cluster lab: joins this host to it.
# It holds a bootstrap token: whoever reads it can join nodes.

DEADLINE_SECONDS='900'
KUBE_MINOR='1.28'
KUBE_PACKAGES=('kubelet-1.28.2' 'kubeadm-1.28.2' 'kubectl-1.28.2')
KUBE_KEY='DE15B14486CD377B9E876E1A234654DA9A296436'
RUNTIME_PACKAGES=('docker-ce-24.0.9' 'docker-ce-cli-24.0.9' 'containerd.io')
RUNTIME_KEY='060A61C51B558A7F742B77AAC52FEB6B621E9F35'
MIRROR='auto'
RUNTIME_REPOSITORY='@mirror/docker-ce/linux/centos/@el/@arch/stable'
RUNTIME_TREE='centos/8'
RUNTIME_KEY_URL='@mirror/docker-ce/linux/centos/gpg'
KUBE_REPOSITORY='@mirror/kubernetes-new/core/stable/v1.28/rpm'
KUBE_KEY_URL='@mirror/kubernetes-new/core/stable/v1.28/rpm/repodata/repomd.xml.key'
CENTOS_VAULT='@mirror/centos-vault'
SELINUX_MODE='disabled'
MODULES=('overlay' 'br_netfilter')
SYSCTLS=('net.bridge.bridge-nf-call-ip6tables=1' 'net.bridge.bridge-nf-call-iptables=1' 'net.ipv4.ip_forward=1' 'vm.swappiness=0')
TOOLS=('conntrack-tools' 'socat' 'ethtool' 'iptables')
CRI_SOCKET='unix:///var/run/cri-dockerd.sock'
CRI_ENDPOINT='unix:///var/run/cri-dockerd.sock'
CRI_DOCKERD_URL='https://files.example.com/cri-dockerd-0.3.20-3.el9.x86_64.rpm'
CGROUP_DRIVER='systemd'
SANDBOX_IMAGE='registry.aliyuncs.com/google_containers/pause:3.9'
RUNTIME_CONFIG='keep'
REGISTRY_MIRRORS=()
OVERLAY_CHECK='no'
API_SERVER_IP=''
API_SERVER_HOST='192.0.2.10'
API_SERVER_PORT='6443'
JOIN_ENDPOINT='192.0.2.10:6443'
JOIN_TOKEN='abcdef.0123456789abcdef'
JOIN_WORDS=('192.0.2.10:6443' '--token' 'abcdef.0123456789abcdef' '--discovery-token-ca-cert-hash' 'sha256:a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1' '--cri-socket' 'unix:///var/run/cri-dockerd.sock')
KUBECONFIG_FILE='/etc/kubernetes/kubelet.conf'
BOOTSTRAP_FILE='/etc/kubernetes/bootstrap-kubelet.conf'
CONFIG_FILE='/var/lib/kubelet/config.yaml'
CERT_DIR='/var/lib/kubelet/pki'
UNIT_LABELS=''
UNIT_TAINTS=''
KUBELET_FLAGS=()
OVERRIDE_RESOLV_CONF='no'

# ---- lib
exit_codes() {
  cat <<'TABLE'
20 unforeseen A command failed
21 deadline The time ran out
22 interrupted The script was interrupted from outside
23 phase-unknown ACKONE_JOIN_PHASE is neither check nor prepare
24 not-root The script must run as root
25 already-running Another run is under way on this host
26 provider-id ALIBABA_CLOUD_PROVIDER_ID is not of the form REGION.i-ID
27 node-name ALIBABA_CLOUD_NODE_NAME is no name for a Node
28 labels ALIBABA_CLOUD_LABELS holds something that is no label
29 taints ALIBABA_CLOUD_TAINTS holds something that is no taint
30 os-unknown No packages are known to fit this operating system
31 arch-unknown Packages exist for x86_64 and aarch64 only
32 os-unfit The container runtime has no packages for this EL major
33 kernel kubeadm needs a newer kernel
34 cgroup kubelet needs cgroup v2: boot the image with systemd.unified_cgroup_hierarchy=1
35 disk There is too little space
36 tool-missing A program is missing
37 clock The clock of this host is off
38 control-plane This host is part of a control plane and is left alone
39 api-name The API server's name does not resolve
40 api-unreachable The API server takes no connections
41 ca-pin The CA in cluster-info is not the pinned one
42 name-taken Another machine has left a Node of this name: delete it
43 repository-unreachable A package repository does not answer
44 package-missing A package cannot be had in this version
45 package-install YUM could not install a package
46 package-version A package has another version than the one needed
47 key-unreachable A signing key cannot be fetched
48 key-unpinned A signing key is none of the pinned ones
49 kernel-module A kernel module cannot be loaded
50 sysctl A kernel setting was refused
51 runtime-config A runtime configuration contradicts the cluster
52 runtime-start The container runtime does not start
53 kubelet-unit The kubelet unit does not pass on KUBELET_EXTRA_ARGS
54 download A file cannot be fetched
55 join The host could not join, as it says above
56 node-unseen The API server does not show this Node
57 node-differs The Node is not as it was asked for
58 server-ca The certificate of the API server does not come from the given CA
59 kubelet-program The kubelet program is missing, or is not the one asked for
60 kube-proxy kube-proxy.service is not on the image, or does not run
61 post-script The post script failed
62 registry-unreachable A registry or its mirror does not answer
63 registry-ca The certificate of a registry is not trusted by this host, nor by the CA given for it
TABLE
}

fail() {
  local row
  row=$(exit_codes | grep "^.. $1 ")
  log "FAILED: ${row#* * }${2:+: $2} ($1, exit code ${row%% *})"
  : >"$RUN/failed"
  exit "${row%% *}"
}

on_error() {
  local status=$1
  trap - ERR
  [[ ! -e $RUN/failed ]] || exit "$status"
  fail unforeseen "line $2, status $status, ${3%%$'\n'*}"
}

LOG_FILE=''

log() {
  local text=${*//$'\n'/; }
  printf 'ackone-join: %s\n' "${text//[^[:print:]]/?}" >&2
}

record() {
  local line secret secrets=("${JOIN_TOKEN#*.}") key="client-key-data:[[:space:]]*[\"']?([A-Za-z0-9+/=]+)"
  if [[ ${BOOTSTRAP_KUBECONFIG-} =~ $key ]]; then
    secrets+=("${BASH_REMATCH[1]}")
  fi
  trap '' PIPE
  while IFS= read -r line || [[ -n $line ]]; do
    for secret in "${secrets[@]}"; do
      line=${line//"$secret"/****************}
    done
    printf '%s\n' "$line" || true
    [[ -z $LOG_FILE ]] || printf '%(%Y-%m-%dT%H:%M:%S%z)T %s\n' -1 "$line" >>"$LOG_FILE"
  done
}

open_log() {
  LOG_FILE=/var/log/ackone-join.log
  : >>"$LOG_FILE"
  chmod 600 "$LOG_FILE"
}

WORKER=''
SUMMARY=''

watchdog() {
  local left=$2
  set +eE
  trap - ERR INT TERM HUP
  exec >/dev/null 2>&1 8>&-
  while ((left-- > 0)) && kill -0 $$; do
    sleep 1
  done
  : >"$RUN/deadline"
  kill -TERM -- "-$1"
  sleep 3
  kill -KILL -- "-$1"
}

phase_worker() {
  set +m
  trap - INT TERM HUP
  "phase_$1" </dev/null 2>&1 | record
}

run_phase() {
  local name=$1 limit=$((DEADLINE_SECONDS * $2 / 100 - SECONDS)) began=$SECONDS status=0 watcher
  ((limit > 0)) || limit=1
  say "phase $name begins and has $limit s"
  set -m
  phase_worker "$name" &
  WORKER=$!
  watchdog "$WORKER" "$limit" &
  watcher=$!
  set +m
  wait "$WORKER" || status=$?
  [[ -e $RUN/deadline ]] || kill -KILL -- "-$watcher" || true
  wait "$watcher" 2>/dev/null || true
  WORKER=''
  SUMMARY="$SUMMARY, $name $((SECONDS - began)) s"
  ((status == 0)) || say "phases${SUMMARY/,/:}"
  [[ ! -e $RUN/deadline ]] || end deadline "phase $name, $((SECONDS - began)) s"
  if ((status != 0)); then
    [[ -e $RUN/failed ]] || end unforeseen "phase $name, status $status"
    exit "$status"
  fi
}

say() {
  log "$@" 2>&1 | record
}
end() {
  local status=0
  (fail "$@") 2>&1 | record || status=$?
  exit "$status"
}

interrupted() {
  trap - ERR
  trap '' INT TERM HUP
  [[ -z $WORKER ]] || kill -TERM -- "-$WORKER" 2>/dev/null || true
  end interrupted
}

retry() {
  local tries=$1 try pause=2
  shift
  for ((try = 1; ; try++)); do
    if "$@"; then return 0; fi
    ((try < tries)) || return 1
    log "$1: try $try of $tries failed, again in $pause s"
    sleep "$pause"
    pause=$((pause * 2))
  done
}

fetch() {
  retry 5 curl -fsSL --connect-timeout 10 --max-time "${3:-120}" -o "$2" "$1"
}

MARK='# Written by ackone-join'
STATE=/var/lib/ackone-join

write_file() {
  local file=$1
  shift
  cat >"$RUN/new"
  if cmp -s "$RUN/new" "$file"; then
    return 0
  fi
  "$@"
  mkdir -p "${file%/*}"
  if [[ -e $file ]] && ! grep -qF "$MARK" "$file"; then
    cp -p "$file" "$file.before-ackone-join"
    log "$file is replaced and kept as $file.before-ackone-join"
  fi
  cat "$RUN/new" >"$file.ackone-join"
  mv -f "$file.ackone-join" "$file"
}

state_get() {
  sed -n "s/^$1=//p" "$STATE/state" 2>/dev/null || true
}

state_set() {
  [[ $(state_get "$1") != "$2" ]] || return 0
  mkdir -p "$STATE"
  sed "/^$1=/d" "$STATE/state" >"$STATE/state.new" 2>/dev/null || true
  echo "$1=$2" >>"$STATE/state.new"
  mv -f "$STATE/state.new" "$STATE/state"
}

el_major() {
  local id version
  id=$(os_release ID)
  version=$(os_release VERSION_ID)
  case $id:$version in
  alinux:2*) echo 7 ;;
  alinux:3* | openEuler:2[02]*) echo 8 ;;
  openEuler:24*) echo 9 ;;
  anolis:[78]* | centos:[789]* | rhel:[789]* | rocky:[89]* | almalinux:[89]* | ol:[789]*) echo "${version%%.*}" ;;
  centos:10* | rhel:10* | rocky:10* | almalinux:10* | ol:10*) echo 10 ;;
  *) fail os-unknown "$id $version" ;;
  esac
}

os_release() {
  sed -n "s/^$1=//p" /etc/os-release | tr -d "\"'"
}

python() {
  local path
  for path in /usr/libexec/platform-python /usr/bin/python{3,2,}; do
    if [[ -x $path ]]; then
      "$path" "$@"
      return
    fi
  done
  fail tool-missing python
}

in_list() {
  local word wanted=$1
  shift
  for word in "$@"; do
    [[ $word != "$wanted" ]] || return 0
  done
  return 1
}

at_least() {
  [[ $(printf '%s\n' "$2" "$1" | sort -V | sed -n 1p) == "$2" ]]
}

mirror() {
  local file=$RUN/mirror internal=http://mirrors.cloud.aliyuncs.com
  if [[ ! -s $file ]]; then
    if [[ $MIRROR == http* ]]; then
      echo "$MIRROR" >"$file"
    elif [[ $MIRROR == aliyun-internal ]] || { [[ $MIRROR == auto ]] && curl -fs --max-time 2 -o /dev/null "$internal/"; }; then
      echo "$internal" >"$file"
    else
      echo https://mirrors.aliyun.com >"$file"
    fi
  fi
  cat "$file"
}

located() {
  local url=$1
  url=${url/@mirror/$(mirror)}
  url=${url/@el/$(el_major)}
  url=${url/centos\/8\//$RUNTIME_TREE\/}
  echo "${url/@arch/$(uname -m)}"
}

repository_file() {
  printf '%s\n' "$MARK" "[$1]" "name=$1" "baseurl=$2" enabled=1 gpgcheck=1 repo_gpgcheck=0 "gpgkey=file://$3"
  [[ $1 != kubernetes ]] || echo 'exclude=kubelet kubeadm kubectl'
}

installed() {
  rpm -q --quiet "$@"
}

# ---- check
check_host() {
  local tool el
  for tool in curl openssl rpm yum gpg systemctl awk; do
    command -v "$tool" >/dev/null || fail tool-missing "$tool"
  done
  in_list "$(uname -m)" x86_64 aarch64 || fail arch-unknown "$(uname -m)"
  el=$(el_major)
  log "$(os_release PRETTY_NAME), EL $el, $(uname -mr)"
  check_space /var/lib 3072
}

check_space() {
  local free
  free=$(df -Pm "$1" | awk 'NR == 2 { print $4 }')
  ((free >= $2)) || fail disk "$1 has $free MiB and needs $2"
}

check_no_control_plane() {
  local path unit
  for path in /etc/kubernetes/{admin.conf,manifests/{kube-apiserver,kube-controller-manager,kube-scheduler,etcd}.yaml} /var/lib/etcd/member; do
    [[ ! -e $path ]] || fail control-plane "$path"
  done
  for unit in {kube-{apiserver,controller-manager,scheduler},etcd}.service; do
    if systemctl is-active -q "$unit" 2>/dev/null || [[ $(systemctl is-enabled "$unit" 2>/dev/null || true) == enabled* ]]; then
      fail control-plane "$unit"
    fi
  done
}

provider_id() {
  echo "${ALIBABA_CLOUD_PROVIDER_ID:-${ALIBABA_CLOUD_PROVIDE_ID:-}}"
}

node_name() {
  local name=${ALIBABA_CLOUD_NODE_NAME:-$(uname -n)}
  echo "${name,,}"
}

NAME_SHAPE='[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?'
KEY_SHAPE="([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?/)?$NAME_SHAPE"

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

certificate_of() {
  local file=$CERT_DIR/kubelet-client-current.pem subject
  [[ -s $KUBECONFIG_FILE ]] && subject=$(openssl x509 -in "$file" -noout -subject -nameopt RFC2253 2>/dev/null) || return 1
  [[ ,${subject#subject=}, == *[,\ ]"CN=system:node:$1,"* ]] && openssl x509 -in "$file" -noout -checkend 0 >/dev/null
}

identity() {
  local path
  if [[ -n $(state_get join) && $(state_get provider_id) == "$(provider_id)" ]]; then
    if [[ $(state_get join) == finished ]] && certificate_of "$(node_name)"; then
      echo joined
    else
      echo half
    fi
    return 0
  fi
  for path in "$KUBECONFIG_FILE" "$BOOTSTRAP_FILE" "$CONFIG_FILE" "$CERT_DIR"/kubelet{-client*,.crt} /etc/kubernetes/pki/ca.crt; do
    if [[ -e $path ]]; then
      echo foreign
      return 0
    fi
  done
  echo new
}

api_get() {
  local path=$1 file=$2
  shift 2
  [[ -z $API_SERVER_IP ]] || set -- --resolve "$API_SERVER_HOST:$API_SERVER_PORT:$API_SERVER_IP" "$@"
  curl -sS --max-time 10 -o "$file" -w '%{http_code}' "$@" "https://$JOIN_ENDPOINT$path" 2>"$RUN/said" || true
}

check_server() {
  getent ahosts "$1" >/dev/null || fail api-name "$1"
  retry 3 connects "$1" "$2" || fail api-unreachable "$1 port $2"
}
connects() {
  # The inner shell expands them: as words of the code they could become code.
  # shellcheck disable=SC2016
  timeout 5 bash -c 'exec 3<>"/dev/tcp/$0/$1"' "$1" "$2" 2>/dev/null
}

check_clock() {
  local date off
  date=$(sed -n 's/^[Dd]ate: *\(.*GMT\).*/\1/p' "$RUN/head" 2>/dev/null || true)
  off=$(($(date +%s) - $(date -d "${date:-now}" +%s)))
  ((off > -300 && off < 300)) || fail clock "$off s from the API server's"
}

check_name() {
  local name status owner
  [[ -n $(provider_id) ]] || return 0
  name=$(node_name)
  if [[ ! -s $RUN/ca || -z $JOIN_TOKEN ]] || ((${KUBE_MINOR#1.} < 18)); then
    log "whether there is a Node $name cannot be asked"
    return 0
  fi
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
  server=$(sed -n 's/.*server: *https:..\([^"\\ /]*\).*/\1/p' "$RUN/info")
  [[ $server =~ :[0-9]+$ ]] || server=$server:443
  if [[ $server != "$JOIN_ENDPOINT" ]]; then
    host=${server%:*}
    check_server "${host//[][]/}" "${server##*:}"
  fi
}

check_packages() {
  if installed "${RUNTIME_PACKAGES[@]}" ${KUBE_PACKAGES[@]+"${KUBE_PACKAGES[@]}"}; then
    return 0
  fi
  mkdir -p "$RUN/yum"
  printf '%s\n' '[main]' plugins=0 {reposdir,cachedir,persistdir,logdir}="$RUN/yum" "logfile=$RUN/yum/log" >"$RUN/yum/conf"
  check_repository docker-ce-stable "$RUNTIME_REPOSITORY" "${RUNTIME_PACKAGES[@]}"
  ((${#KUBE_PACKAGES[@]} == 0)) || check_repository kubernetes "$KUBE_REPOSITORY" "${KUBE_PACKAGES[@]}"
}

check_repository() {
  local id=$1 url spec
  url=$(located "$2")
  shift 2
  fetch "$url/repodata/repomd.xml" /dev/null || fail repository-unreachable "$url"
  repository_file "$id" "$url" '' | sed /^exclude/d >"$RUN/yum/$id.repo"
  for spec in "$@"; do
    installed "$spec" || retry 2 lists "$spec" || fail package-missing "$spec in $url"
  done
  log "$url has $*"
}
lists() {
  yum -q -c "$RUN/yum/conf" list --showduplicates "$1" >/dev/null 2>&1
}

check_registry() {
  curl -s --max-time 5 -o /dev/null "https://${SANDBOX_IMAGE%%/*}/v2/" ||
    log "warning: the registry of $SANDBOX_IMAGE does not answer from here"
}

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

# ---- prepare
disable_firewall() {
  if systemctl cat firewalld.service >/dev/null 2>&1; then
    systemctl stop firewalld.service
    systemctl disable firewalld.service
    log 'firewalld is off'
  fi
}

set_selinux() {
  if [[ -f /etc/selinux/config ]]; then
    sed -i "s/^SELINUX=.*/SELINUX=$SELINUX_MODE/" /etc/selinux/config
  fi
  if command -v setenforce >/dev/null; then
    setenforce 0 || log 'setenforce 0 was refused'
  fi
}

disable_swap() {
  local unit
  if grep -Eq '^\s*[^#[:space:]]\S*\s+\S+\s+swap\s' /etc/fstab; then
    sed -Ei.before-ackone-join 's/^\s*[^#[:space:]]\S*\s+\S+\s+swap\s/#ackone-join# &/' /etc/fstab
    log 'swap is taken out of /etc/fstab'
  fi
  swapoff -a
  while read -r unit; do
    if [[ -n $unit && $(systemctl show -p SourcePath "$unit") != */etc/fstab ]]; then
      systemctl mask "$unit"
      log "$unit is masked"
    fi
  done < <(systemctl show -p Id '*.swap' | sed -n 's/^Id=//p' || true)
}

load_modules() {
  local module modules=("${MODULES[@]}")
  [[ ${modules[*]} != *ip_vs* ]] || ! modprobe nf_conntrack_ipv4 2>/dev/null || modules+=(nf_conntrack_ipv4)
  for module in "${modules[@]}"; do
    modprobe "$module" || fail kernel-module "$module"
  done
  printf '%s\n' "$MARK" "${modules[@]}" | write_file /etc/modules-load.d/ackone-join.conf
}

set_sysctls() {
  local file=/etc/sysctl.d/99-ackone-join.conf
  printf '%s\n' "$MARK" "${SYSCTLS[@]}" | write_file "$file"
  sysctl -qp "$file" || fail sysctl "in $file, as it says above"
}

mend_centos7() {
  local file vault folder=/etc/yum.repos.d
  [[ $(os_release ID):$(os_release VERSION_ID) == centos:7 ]] || return 0
  vault=$(located "$CENTOS_VAULT")
  for file in "${REPOSITORIES:-$folder}"/*.repo; do
    if [[ -e $file ]] && grep -Eq '^(mirrorlist=http://mirrorlist|baseurl=http://mirror)\.centos\.org' "$file"; then
      sed -Ei.before-ackone-join -e 's|^mirrorlist=http://mirrorlist\.centos\.org|#&|' \
        -e "s|^#? *baseurl=http://mirror\.centos\.org/(centos/\|(altarch/))\\\$releasever|baseurl=$vault/\27.9.2009|" "$file"
      log "CentOS 7 is past its end: ${file##*/} leads to $vault now"
    fi
  done
}

trust_key() {
  local url=$1 file=$2 home=$RUN/gpg found id
  rm -rf "$home"
  mkdir -m 700 "$home"
  fetch "$url" "$home/key" || fail key-unreachable "$url"
  gpg --homedir "$home" --batch -q --import "$home/key" 2>/dev/null || fail key-unpinned "$url has none"
  found=$(gpg --homedir "$home" --batch --with-colons --fingerprint |
    awk -F: '$1 == "pub" { primary = 1 } $1 == "fpr" && primary { print $10; primary = 0 }')
  [[ $found == "$3" ]] || fail key-unpinned "$url has $found"
  id=gpg-pubkey-${found:32}
  ! installed "${id,,}" || rpm -e --allmatches "${id,,}"
  mkdir -p "${file%/*}"
  cat "$home/key" >"$file"
  rpm --import "$file"
}

install_packages() {
  local id=$1 key=/etc/pki/rpm-gpg/RPM-GPG-KEY-ackone-join-$1 fingerprint=$4 url key_url spec
  local yum=(yum -yq --disableexcludes=kubernetes)
  url=$(located "$2")
  key_url=$(located "$3")
  shift 4
  if installed "$@"; then
    return 0
  fi
  trust_key "$key_url" "$key" "$fingerprint"
  repository_file "$id" "$url" "$key" | write_file "/etc/yum.repos.d/${id%-stable}.repo"
  ! command -v dnf >/dev/null || yum+=(--allowerasing)
  [[ $* != *docker-ce-selinux* ]] || yum+=(--setopt=obsoletes=0)
  log "installs $*"
  retry 3 "${yum[@]}" install "$@" || fail package-install "$*"
  installed "$@" || "${yum[@]}" downgrade "$@" || true
  for spec in "$@"; do
    installed "$spec" || fail package-version "$spec"
  done
}

missing_tools() {
  local tool
  for tool in "${TOOLS[@]}"; do
    rpm -q --quiet --whatprovides "$tool" || echo "$tool"
  done
}

install_tools() {
  local missing
  mapfile -t missing < <(missing_tools)
  if ((${#missing[@]} > 0)); then
    log "installs ${missing[*]}"
    retry 3 yum -yq install "${missing[@]}" || fail package-install "${missing[*]}"
  fi
}

restart_later() {
  mkdir -p "$STATE"
  : >"$STATE/restart-$1"
}

ensure_running() {
  systemctl daemon-reload
  systemctl enable "$1"
  if [[ -e $STATE/restart-$1 ]] || ! systemctl is-active -q "$1"; then
    systemctl restart "$1" || fail_to_start "$1"
    rm -f "$STATE/restart-$1"
    log "$1 is restarted"
  fi
  for _ in {1..30}; do
    if [[ -S $2 ]] && systemctl is-active -q "$1"; then
      return 0
    fi
    sleep 1
  done
  fail_to_start "$1"
}

fail_to_start() {
  systemctl status --no-pager -ln 20 "$1" || true
  fail runtime-start "$1"
}

write_crictl() {
  printf '%s\n' "$MARK" {runtime,image}"-endpoint: $CRI_ENDPOINT" | write_file /etc/crictl.yaml
}

docker_config() {
  python -c '
import io, json, os, sys
path, driver, check, policy = sys.argv[1:5]
mirrors = sys.argv[5:]
wanted = "native.cgroupdriver=" + driver
config = {"log-driver": "json-file", "log-opts": {"max-size": "100m"}, "storage-driver": "overlay2"}
if check == "yes":
  config["storage-opts"] = ["overlay2.override_kernel_check=true"]
if os.path.exists(path):
  with io.open(path, encoding="utf-8") as file:
    config = json.loads(file.read().strip() or "{}")
options = config.get("exec-opts", [])
said = [option for option in options if option.startswith("native.cgroupdriver=")]
own = config.get("registry-mirrors", [])
bare = [url.rstrip("/") for url in own]
done = all(url in bare for url in mirrors)
if not done:
  config["registry-mirrors"] = mirrors + [url for url in own if url.rstrip("/") not in mirrors]
if said[-1:] != [wanted]:
  if said and policy != "replace":
    sys.exit("it has " + said[-1])
  config["exec-opts"] = [option for option in options if option not in said] + [wanted]
if not done or said[-1:] != [wanted]:
  print(json.dumps(config, indent=2, sort_keys=True))
' "$@"
}

configure_docker() {
  local file=/etc/docker/daemon.json check=$OVERLAY_CHECK config
  ! at_least "$(uname -r)" 4.0 || check=no
  config=$(docker_config "$file" "$CGROUP_DRIVER" "$check" "$RUNTIME_CONFIG" ${REGISTRY_MIRRORS[@]+"${REGISTRY_MIRRORS[@]}"} 2>&1) ||
    fail runtime-config "$file: ${config##*$'\n'}"
  [[ -z $config ]] || write_file "$file" restart_later docker.service <<<"$config"
  run_steps trust_registries
  ensure_running docker.service /var/run/docker.sock
  config=$(docker info --format '{{.CgroupDriver}}' 2>/dev/null || true)
  case $config in
  "$CGROUP_DRIVER") ;;
  systemd | cgroupfs) fail runtime-config "docker has the cgroup driver $config, not $CGROUP_DRIVER" ;;
  *) log 'warning: docker does not say which cgroup driver it has' ;;
  esac
  run_steps check_mirrors
}

prepare_runtime() {
  configure_docker
  if ! installed cri-dockerd; then
    fetch "$CRI_DOCKERD_URL" "$RUN/cri-dockerd.rpm" || fail download "$CRI_DOCKERD_URL"
    yum -yq install "$RUN/cri-dockerd.rpm" || fail package-install "$CRI_DOCKERD_URL"
  fi
  write_file /etc/systemd/system/cri-docker.service.d/10-ackone-join.conf restart_later cri-docker.service <<UNIT
$MARK
[Service]
ExecStart=
ExecStart=/usr/bin/cri-dockerd --container-runtime-endpoint fd:// --network-plugin=cni --pod-infra-container-image=$SANDBOX_IMAGE
UNIT
  ensure_running cri-docker.socket /var/run/cri-dockerd.sock
  ensure_running cri-docker.service /var/run/cri-dockerd.sock
  write_crictl
}

install_kubelet() {
  install_packages kubernetes "$KUBE_REPOSITORY" "$KUBE_KEY_URL" "$KUBE_KEY" "${KUBE_PACKAGES[@]}"
}

phase_prepare() {
  if [[ ${ACKONE_JOIN_PHASE:-} == prepare ]]; then
    check_image
    check_packages
  fi
  run_steps disable_firewall set_selinux disable_swap load_modules set_sysctls name_api_server mend_centos7 lead_base_repositories install_tools
  install_packages docker-ce-stable "$RUNTIME_REPOSITORY" "$RUNTIME_KEY_URL" "$RUNTIME_KEY" "${RUNTIME_PACKAGES[@]}"
  prepare_runtime
  install_kubelet
}

# ---- join
kubelet_args() {
  python -c '
import io, os, re, sys
path, gone, labels, taints = sys.argv[1:5]
flags = [getattr(os, "fsencode", str)(flag).decode("latin-1") for flag in sys.argv[5:]]
text = io.open(path, encoding="latin-1", newline="").read() if os.path.exists(path) else u""
double, single = r"\"(?:\\.|[^\"\\])*\"?", r"\x27[^\x27]*\x27?"
entry = r"(?s)\s*(?:[#;](?:\\.|[^\\\r\n])*|([^=\r\n]*)=((?:[ \t]|%s|%s)*)((?:\\.|[^\\\r\n])*)|[^\r\n]*)(?:[\r\n]|$)" % (double, single)
kept, value = u"", u""
for match in re.finditer(entry, text):
  name, quoted, plain = match.groups()
  if (name or "").strip() != "KUBELET_EXTRA_ARGS":
    kept += match.group()
    continue
  value = u""
  for part in re.findall("(?s)%s|%s" % (double, single), quoted):
    inner = part[1:-1] if part[1:].endswith(part[0]) else part[1:]
    value += inner if part[0] == "\x27" else re.sub(r"(?s)\\([\n\"\\`$])", lambda found: found.group(1).strip("\n"), inner)
  value += re.sub(r"(?s)\\(.)", lambda found: found.group(1).strip("\n"), plain).rstrip()
words = re.findall(r"(?s)(?:[^\s\"\x27\\]|\\.|%s|%s)+" % (double, single), value)
lists = {"--node-labels": [], "--register-with-taints": []}
ours = ["--hostname-override", "--provider-id"] + gone.split(",") + [flag.split("=")[0] for flag in flags]
stay = []
while words:
  word = words.pop(0)
  flag, equals, given = re.sub("[\"\x27]", "", word).partition("=")
  if not equals and (flag in lists or flag in ours) and words and words[0][0] != "-":
    given = re.sub("[\"\x27]", "", words.pop(0))
  if flag in lists:
    lists[flag] += [item for item in given.split(",") if item not in gone.split(",")]
  elif flag not in ours:
    stay.append(word)
def merge(flag, more, key):
  last = []
  for item in lists[flag] + more.split(","):
    last = [other for other in last if key(other) != key(item)] + [item] * (item != "")
  return [flag + "=" + ",".join(last)] * (last != [])
stay += flags + merge("--node-labels", labels, lambda item: item.split("=")[0])
stay += merge("--register-with-taints", taints, lambda item: re.sub("[=:].*:", ":", item))
value = u" ".join(stay)
if re.search(r"[\"\x27\\]", value):
  value = u"\"%s\"" % re.sub(r"([\"\\`$])", r"\\\1", value)
new = u"KUBELET_EXTRA_ARGS=%s\n%s" % (value, kept)
if new != text:
  with io.open(path + ".ackone-join", "w", encoding="latin-1", newline="") as file:
    file.write(new)
  os.rename(path + ".ackone-join", path)
' "$@"
}

kubelet_file() {
  local unit exec
  unit=$(systemctl cat kubelet.service) || fail kubelet-unit 'there is none'
  exec=$(systemctl show -p ExecStart kubelet.service)
  [[ $exec =~ \$KUBELET_EXTRA_ARGS([^A-Za-z0-9_]|$) ]] || fail kubelet-unit 'ExecStart'
  unit=$(sed -n '/kubeadm-flags/d; s/^EnvironmentFile=-\{0,1\}//p' <<<"$unit" | tail -n 1)
  [[ -n $unit ]] || fail kubelet-unit EnvironmentFile
  echo "$unit"
}

configure_kubelet() {
  local file labels taints address flags=(${KUBELET_FLAGS[@]+"${KUBELET_FLAGS[@]}"})
  file=$(kubelet_file)
  labels=$(wanted_labels)
  taints=$(wanted_taints)
  [[ -z $UNIT_LABELS ]] || labels=$(wanted labels "=($NAME_SHAPE)?" "$UNIT_LABELS"),$labels
  taints=${UNIT_TAINTS:+$UNIT_TAINTS,}$taints
  [[ $OVERRIDE_RESOLV_CONF != yes || -e /run/systemd/resolve/resolv.conf ]] || flags+=(--resolv-conf=/etc/resolv.conf)
  [[ -z ${ALIBABA_CLOUD_NODE_NAME:-} ]] || flags+=("--hostname-override=$(node_name)")
  address=$(run_steps host_address)
  [[ -z $address ]] || flags+=("--node-ip=$address")
  mkdir -p "${file%/*}"
  kubelet_args "$file" "$(state_get kubelet)" "$labels" "$taints" ${flags[@]+"${flags[@]}"} "--provider-id=$(provider_id)"
  state_set kubelet "$labels,$taints${address:+,--node-ip}"
}

clear_kubeadm() {
  rm -f /etc/kubernetes/pki/ca.crt /var/lib/kubelet/{config.yaml,kubeadm-flags.env}
}

reset_kubeadm() {
  systemctl stop kubelet.service || true
  kubeadm reset -f --cri-socket "$CRI_SOCKET" || log 'kubeadm reset failed'
}

join_ended() {
  grep -q kubeadm.alpha.kubernetes.io/cri-socket "$RUN/node"
}

join_cluster() {
  local words=(kubeadm join "${JOIN_WORDS[@]}")
  [[ -z ${ALIBABA_CLOUD_NODE_NAME:-} ]] || words+=(--node-name "$(node_name)")
  for _ in {1..8}; do
    if "${words[@]}" 2>&1 | tee "$RUN/kubeadm"; then
      return 0
    fi
    grep -q 'status "Ready" already exists' "$RUN/kubeadm" || fail join
    log 'waits until the Node of an earlier run is NotReady'
    sleep 15
  done
  fail join
}

node_json() {
  kubectl --kubeconfig "$KUBECONFIG_FILE" --request-timeout=10s get node "$(node_name)" -o json >"$RUN/node"
}

clear_identity() {
  systemctl stop kubelet.service || true
  rm -rf "$KUBECONFIG_FILE" "$BOOTSTRAP_FILE" "$CERT_DIR"/kubelet{-client*,-server*,.crt,.key} /var/lib/kubelet/{cpu,memory}_manager_state
  run_steps clear_kubeadm
}

phase_join() {
  local what
  what=$(identity)
  if [[ $what == half ]] && certificate_of "$(node_name)" && node_json && join_ended; then
    what=joined
  fi
  case $what in
  joined)
    systemctl enable kubelet.service
    systemctl start kubelet.service
    ;;
  half)
    log 'an earlier join did not end: it is reset'
    run_steps reset_kubeadm
    clear_identity
    ;;
  foreign)
    log 'this image was made of a node: its identity is cleared'
    clear_identity
    ;;
  esac
  if [[ $what != joined ]]; then
    state_set provider_id "$(provider_id)"
    state_set script "$SCRIPT_DIGEST"
    state_set join started
    run_steps install_unit
    configure_kubelet
    systemctl daemon-reload
    systemctl enable kubelet.service
    join_cluster
  fi
  run_steps forget_bootstrap start_kube_proxy
  state_set join finished
  verify_node
  run_steps run_post_script
  await_ready
}

node_report() {
  python -c '
import json, sys
node = json.load(sys.stdin)
spec, provider, ready = node["spec"], sys.argv[1], "it does not say"
for c in node["status"].get("conditions", []):
  if c["type"] == "Ready":
    ready = "Ready" if c["status"] == "True" else "%s, %s" % (c.get("reason"), c.get("message"))
print(ready.replace("\n", " "))
there = ["%s=%s" % pair for pair in node["metadata"].get("labels", {}).items()]
there += ["%s=%s:%s" % (t["key"], t.get("value", ""), t["effect"]) for t in spec.get("taints", [])]
for item in ",".join(sys.argv[2:]).split(","):
  if item and item not in there:
    print("it lacks " + item)
if spec.get("providerID") != provider:
  print("its provider id is %s" % spec.get("providerID"))
' "$@"
}

report() {
  local labels taints
  labels=$(wanted_labels 2>/dev/null)
  taints=$(wanted_taints)
  node_report "$(provider_id)" "$labels" "$taints" <"$RUN/node"
}

verify_node() {
  local report
  retry 4 node_json || fail node-unseen "$(node_name)"
  report=$(report)
  [[ $report != *$'\n'* ]] || fail node-differs "${report#*$'\n'}"
}

await_ready() {
  local report
  report=$(report)
  for _ in {1..20}; do
    if [[ ${report%%$'\n'*} == Ready ]]; then
      log 'the Node is Ready'
      return 0
    fi
    sleep 3
    ! node_json || report=$(report)
  done
  log "the Node is not Ready yet: ${report%%$'\n'*}"
}

# ---- main
main() {
  set -Eeuo pipefail
  export LC_ALL=C PATH="$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
  umask 022
  RUN=$(mktemp -d /run/ackone-join.XXXXXX 2>/dev/null || mktemp -d)
  trap 'rm -rf "$RUN"' EXIT
  trap 'on_error "$?" "$LINENO" "$BASH_COMMAND"' ERR
  trap interrupted INT TERM HUP
  ((EUID == 0)) || fail not-root
  case ${ACKONE_JOIN_PHASE:-} in
  check) run_phase check 100 ;;
  prepare)
    begin
    run_phase prepare 100
    ;;
  '')
    begin
    run_phase check 20
    [[ -e $RUN/joined ]] || run_phase prepare 75
    run_phase join 100
    ;;
  *) fail phase-unknown ;;
  esac
  say "done${SUMMARY}"
}

begin() {
  exec 8>/run/ackone-join.lock
  flock -w 10 8 || fail already-running
  open_log
}

SCRIPT_DIGEST='44ab0f7698c2a000502c10995b23716d64938324a611d5c1a60c52efd5ff9423'
# ackone-join: {"digest":"44ab0f7698c2a000502c10995b23716d64938324a611d5c1a60c52efd5ff9423","answers":{"criDockerdUrl":"https://files.example.com/cri-dockerd-0.3.20-3.el9.x86_64.rpm"}}
main "$@"
