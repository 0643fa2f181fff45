check_el() {
  in_list "$(el_major)" "${EL_MAJORS[@]}" || fail os-unfit "EL $(el_major); there are some for EL ${EL_MAJORS[*]}"
}
