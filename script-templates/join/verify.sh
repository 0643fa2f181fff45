# The Node as the API tells it. kubectl, because the curl of EL7 cannot load the EC keys of kubelet.
node_json() {
  kubectl --kubeconfig /etc/kubernetes/kubelet.conf --request-timeout=10s get node "$(node_name)" -o json >"$RUN/node"
}

# node_report PROVIDER-ID LABELS TAINTS: reads the Node; prints whether it is Ready, or why not, and then what is not as it
# was asked for, a line each.
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

verify_node() {
  local report labels taints
  labels=$(wanted_labels 2>/dev/null)
  taints=$(wanted_taints)
  retry 4 node_json || fail node-unseen "$(node_name)"
  for _ in {1..20}; do
    report=$(node_report "$(provider_id)" "$labels" "$taints" <"$RUN/node")
    [[ $report != *$'\n'* ]] || fail node-differs "${report#*$'\n'}"
    if [[ $report == Ready ]]; then
      log 'the Node is Ready'
      return 0
    fi
    sleep 3
    node_json || true
  done
  log "the Node is not Ready yet: $report"
}
