# hosts_line FILE: the API server's name leads to API_SERVER_IP, and to no other address.
hosts_line() {
  [[ -e $1 ]] || return 0
  NAME=$API_SERVER_HOST ADDRESS=$API_SERVER_IP awk '
    / # ackone-join$/ { next }
    $1 !~ /^#/ { for (i = 2; i <= NF && $i !~ /^#/; i++) if ($i == ENVIRON["NAME"] && $1 != ENVIRON["ADDRESS"]) { print "#ackone-join# " $0; next } }
    { print }
    END { print ENVIRON["ADDRESS"] " " ENVIRON["NAME"] " # ackone-join" }
  ' "$1" >"$RUN/hosts"
  if ! cmp -s "$RUN/hosts" "$1"; then
    cat "$RUN/hosts" >"$1"
    log "$1 leads $API_SERVER_HOST to $API_SERVER_IP"
  fi
}

# cloud-init may write /etc/hosts anew at each boot (manage_etc_hosts). Its templates are what that is made from;
# a setting in cloud.cfg.d would lose against user data.
name_api_server() {
  local file
  for file in /etc/hosts /etc/cloud/templates/hosts.*.tmpl; do
    hosts_line "$file"
  done
}
