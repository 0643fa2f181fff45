#!/usr/bin/env bash
# The steps of ACK One's page on node scripts, as one types them: collect three values, fill in the sample script,
# upload it, register its URL. Two things are quicker than on the page: nobody has to think, and where it opens an
# editor on the ConfigMap, one patch is sent.
#
# by-hand.sh SAMPLE SCRIPT UPLOAD…: SAMPLE has the placeholders, SCRIPT is written, `UPLOAD… SCRIPT` prints a URL.
# KUBECTL, KUBEADM: the programs. KUBECONFIG: for both.
set -euo pipefail
sample=$1 script=$2
shift 2

first_control_plane() {
  "$KUBECTL" get nodes -l node-role.kubernetes.io/control-plane -o json | jq -r '.items[0].metadata.name'
}
kube_version=$("$KUBECTL" get no "$(first_control_plane)" -o json | jq -r '.status.nodeInfo.kubeletVersion')
runtime=$("$KUBECTL" get no "$(first_control_plane)" -o json | jq -r '.status.nodeInfo.containerRuntimeVersion')
join=$("$KUBEADM" token create --ttl 0 --print-join-command)

sed -e "s|<KUBE_VERSION>|${kube_version#v}|" -e "s|<RUNTIME_VERSION>|${runtime#*://}|" \
  -e "s|<KUBEADM_JOIN_CMD>|'$join'|" "$sample" >"$script"
url=$("$@" "$script")
"$KUBECTL" patch cm ack-agent-config -n kube-system --type merge -p "{\"data\":{\"addNodeScriptPath\":\"$url\"}}"
