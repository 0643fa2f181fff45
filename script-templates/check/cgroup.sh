check_cgroup() {
  [[ $(stat -fc %T /sys/fs/cgroup) == cgroup2fs ]] || fail cgroup
}
