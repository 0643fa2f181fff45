# The EL major whose packages fit: derivatives number their releases in their own way.
el_major() {
  local id version
  id=$(os_release ID)
  version=$(os_release VERSION_ID)
  case $id:$version in
  alinux:2*) echo 7 ;;
  alinux:3* | openEuler:2[02]*) echo 8 ;;
  openEuler:24*) echo 9 ;;
  anolis:[78]* | centos:[789]* | rhel:[789]* | rocky:[89]* | almalinux:[89]* | ol:[789]*) echo "${version%%.*}" ;;
  centos:10* | rhel:10* | rocky:10* | almalinux:10* | ol:10*) echo 10 ;;
  *) fail os-unknown "$id $version" ;;
  esac
}

os_release() {
  sed -n "s/^$1=//p" /etc/os-release | tr -d "\"'"
}

# The python that YUM itself is written in: 2.7 on EL7, platform-python on EL8, 3 on later ones.
python() {
  local path
  for path in /usr/libexec/platform-python /usr/bin/python{3,2,}; do
    if [[ -x $path ]]; then
      "$path" "$@"
      return
    fi
  done
  fail tool-missing python
}

# in_list WORD WORD …: is the first one among the others?
in_list() {
  local word wanted=$1
  shift
  for word in "$@"; do
    [[ $word != "$wanted" ]] || return 0
  done
  return 1
}

# at_least VERSION LEAST
at_least() {
  [[ $(printf '%s\n' "$2" "$1" | sort -V | sed -n 1p) == "$2" ]]
}
