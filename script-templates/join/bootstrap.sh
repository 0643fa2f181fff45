# Whoever has a certificate and a Node has joined: nothing else is done by the join itself.
join_ended() { true; }

# What kubelet needs to ask for its certificate. Nobody but root may ever read its credentials. Units often name
# /var/lib/kubelet as WorkingDirectory, and systemd makes no such folder.
write_bootstrap() {
  write_file /etc/kubernetes/pki/ca.crt <<<"$SERVER_CA"
  printf '%s\n' "$MARK" "$KUBELET_CONFIG" | write_file "$CONFIG_FILE"
  mkdir -p /var/lib/kubelet "${BOOTSTRAP_FILE%/*}"
  rm -f "$BOOTSTRAP_FILE"
  (umask 077 && printf '%s' "$BOOTSTRAP_KUBECONFIG" >"$BOOTSTRAP_FILE")
}

# A kubelet that waits for its certificate stays up, or starts again every five minutes at most; one that was seen down
# 15 times dies at each start. SECONDS count from the start of the script, as the deadline does.
join_cluster() {
  local down=0
  write_bootstrap
  log 'kubelet asks for its certificate'
  # Without waiting: a unit of Type=notify is up only when kubelet is.
  systemctl reset-failed kubelet.service 2>/dev/null || true
  systemctl restart --no-block kubelet.service
  while ((down < 15 && SECONDS < DEADLINE_SECONDS - 10)); do
    if certificate_of "$(node_name)" && node_json 2>/dev/null; then
      return 0
    fi
    [[ $(systemctl show -p SubState kubelet.service) != *=@(auto-restart|failed|dead) ]] || down=$((down + 1))
    sleep 2
  done
  last_words kubelet.service
  ((down < 15)) || fail join 'kubelet does not stay up'
  ! certificate_of "$(node_name)" || fail node-unseen "$(node_name)"
  fail join "nobody approved or signed the certificate of $(node_name): see kubectl get csr"
}

last_words() {
  journalctl -u "$1" -n 20 --no-pager -o cat || true
}

# kubelet reads it no more while the certificate in its kubeconfig is valid (certificate/bootstrap, isClientConfigStillValid).
forget_bootstrap() {
  rm -f "$BOOTSTRAP_FILE"
}

# --node-ip: the address in the Node's name, if it is one of this host.
host_address() {
  local address
  [[ ${ALIBABA_CLOUD_NODE_NAME:-} =~ (^|\.)([0-9]{1,3}(\.[0-9]{1,3}){3})$ ]] || return 0
  address=${BASH_REMATCH[2]}
  ! ip -o -4 address | grep -F " $address/" >/dev/null || echo "$address"
}

# The Node as the API tells it. python, because the curl of EL7 cannot load the EC keys of kubelet, and there is no kubectl.
# Python 2 takes no address for a name of the server: there its certificate must still come from the CA.
node_json() {
  python -c '
import ssl, sys
try:
  from http.client import HTTPSConnection
except ImportError:
  from httplib import HTTPSConnection
server, ca, certificate, path = sys.argv[1:]
context = ssl.create_default_context(cafile=ca)
context.check_hostname = sys.version_info > (3,)
context.load_cert_chain(certificate)
connection = HTTPSConnection(server, timeout=10, context=context)
connection.request("GET", path)
answer = connection.getresponse()
body = answer.read()
if answer.status != 200:
  sys.exit("HTTP %d" % answer.status)
getattr(sys.stdout, "buffer", sys.stdout).write(body)
' "$JOIN_ENDPOINT" /etc/kubernetes/pki/ca.crt "$CERT_DIR/kubelet-client-current.pem" "/api/v1/nodes/$(node_name)" >"$RUN/node"
}
