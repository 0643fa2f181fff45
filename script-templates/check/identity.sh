# certificate_of NAME: is there a client certificate for this Node, still valid?
certificate_of() {
  local file=$CERT_DIR/kubelet-client-current.pem subject
  [[ -s $KUBECONFIG_FILE ]] && subject=$(openssl x509 -in "$file" -noout -subject -nameopt RFC2253 2>/dev/null) || return 1
  # OpenSSL before 1.1 puts a space behind "subject=".
  [[ ,${subject#subject=}, == *[,\ ]"CN=system:node:$1,"* ]] && openssl x509 -in "$file" -noout -checkend 0 >/dev/null
}

# What this host is to the cluster: joined, half (our join did not end), foreign (an image of another node), or new.
# The certificate alone would give every machine made from one image the same identity.
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
