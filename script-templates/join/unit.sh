# own_start: every ExecStart of KUBELET_UNIT, with the lines on which it goes on.
own_start() {
  awk '/^[ \t]*ExecStart[ \t]*=/ { on = 1 } on { print } !/^[ \t]*[#;]/ && !/\\$/ { on = 0 }' <<<"$KUBELET_UNIT"
}

# What a drop-in says wins over the unit, and kubeadm's package brings one. Where one starts something else, ours comes last.
install_unit() {
  local file=/etc/systemd/system/kubelet.service exec part
  local override=$file.d/99-ackone-join.conf
  printf '%s\n' "$MARK" "$KUBELET_UNIT" | write_file "$file"
  rm -f "$override"
  systemctl daemon-reload
  if (($(systemctl cat kubelet.service | grep -Ec '^\s*ExecStart\s*=') > $(own_start | grep -Ec '^\s*ExecStart\s*='))); then
    printf '%s\n' "$MARK" '[Service]' ExecStart= "$(own_start)" | write_file "$override"
    systemctl daemon-reload
  fi
  exec=$(systemctl show -p ExecStart kubelet.service)
  for part in "path=$KUBELET_PROGRAM ;" "$BOOTSTRAP_FILE" "$KUBECONFIG_FILE" "$CONFIG_FILE"; do
    [[ $exec == *"$part"* ]] || fail kubelet-unit "ExecStart lacks $part"
  done
}
