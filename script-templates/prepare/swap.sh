# For now and for the next boot: fstab, and units that stand outside of it (zram, GPT partitions).
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
