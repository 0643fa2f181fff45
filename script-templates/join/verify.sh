# The Node as the API tells it. kubectl, because the curl of EL7 cannot load the EC keys of kubelet.
node_json() {
  kubectl --kubeconfig /etc/kubernetes/kubelet.conf --request-timeout=10s get node "$(node_name)" -o json >"$RUN_DIR/node"
}

# node_report PROVIDER-ID LABELS TAINTS: reads the Node; prints whether it is Ready, or why not, and then what is not as it
# was asked for, a line each.
node_report() {
  python -c '
import json, sys
node = json.load(sys.stdin)
provider, labels, taints = sys.argv[1:4]
ready = [c for c in node["status"].get("conditions", []) if c["type"] == "Ready"]
print("".join("Ready" if c["status"] == "True" else "%s, %s" % (c.get("reason"), c.get("message")) for c in ready).replace("\n", " "))
spec = node["spec"]
if spec.get("providerID") != provider:
  print("its provider id is %s" % spec.get("providerID"))
there = ["%s=%s" % pair for pair in node["metadata"].get("labels", {}).items()]
there += ["%s=%s:%s" % (t["key"], t.get("value") or "", t["effect"]) for t in spec.get("taints") or []]
for item in filter(None, labels.split(",") + taints.split(",")):
  if item not in there:
    print("it lacks " + item)
' "$@"
}

verify_node() {
  local report try labels taints
  labels=$(wanted_labels 2>/dev/null)
  taints=$(wanted_taints)
  retry 4 node_json || fail node-unseen "$(node_name)"
  for ((try = 0; try < 20; try++)); do
    report=$(node_report "$(provider_id)" "$labels" "$taints" <"$RUN_DIR/node")
    [[ $report != *$'\n'* ]] || fail node-differs "${report#*$'\n'}"
    if [[ $report == Ready ]]; then
      log 'the Node is Ready, with its provider id, labels and taints'
      return 0
    fi
    sleep 3
    node_json || true
  done
  log "the Node has its provider id, labels and taints, but is not Ready yet: $report"
}
