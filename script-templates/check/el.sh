check_el() {
  local el
  el=$(el_major)
  in_list "$el" "${EL_MAJORS[@]}" || fail os-unfit "EL $el, not ${EL_MAJORS[*]}"
}
