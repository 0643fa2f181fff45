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
