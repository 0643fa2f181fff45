# CentOS 7 has left its mirrors. Only lines that still point there are changed.
mend_centos7() {
  local file vault folder=/etc/yum.repos.d
  [[ $(os_release ID):$(os_release VERSION_ID) == centos:7 ]] || return 0
  vault=$(located "$CENTOS_VAULT")
  for file in "${REPOSITORIES:-$folder}"/*.repo; do
    if [[ -e $file ]] && grep -Eq '^(mirrorlist=http://mirrorlist|baseurl=http://mirror)\.centos\.org' "$file"; then
      sed -Ei.before-ackone-join -e 's|^mirrorlist=http://mirrorlist\.centos\.org|#&|' \
        -e "s|^#? *baseurl=http://mirror\.centos\.org/(centos/\|(altarch/))\\\$releasever|baseurl=$vault/\27.9.2009|" "$file"
      log "CentOS 7 is past its end: ${file##*/} leads to $vault now"
    fi
  done
}
