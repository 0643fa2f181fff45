check_kernel() {
  at_least "$(uname -r)" "$MIN_KERNEL" || fail kernel "$MIN_KERNEL, and this is $(uname -r)"
}
