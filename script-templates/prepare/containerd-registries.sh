# What config.toml says of registries.
registry_config() {
  printf '%s\n' "$REGISTRY_TOML"
}

# kept_registries FILE DUMP: a config.toml of the user's stays, if containerd with it looks into a folder of registries, the
# first of which is then used, or has all of it in its tables.
kept_registries() {
  local word
  REGISTRY_ROOT=''
  [[ -z $REGISTRY_FOLDERS ]] || REGISTRY_ROOT=$(awk '/^ *\[/ { inside = /cri.*\.registry\]/ } inside && /^ *config_path *=/' <<<"$2" |
    sed "s/.*= *[\"']//; s/[:\"'].*//")
  [[ -z $REGISTRY_ROOT ]] || return 0
  for word in ${REGISTRY_MIRRORS[@]+"${REGISTRY_MIRRORS[@]}"} ${REGISTRY_CA_HOSTS[@]+"${REGISTRY_CA_HOSTS[@]}"}; do
    [[ $2 == *"$word"* ]] || fail runtime-config "$1 has no config_path for registries, and does not name $word"
  done
}

# hosts_file FOLDER REGISTRY TEXT: containerd looks for HOST_PORT_ before HOST:PORT, and reads these files at each pull.
hosts_file() {
  local folder=$1/$2 file url
  [[ $2 != *:* || ! -d ${folder%:*}_${2##*:}_ ]] || folder=${folder%:*}_${2##*:}_
  file=$folder/hosts.toml
  if [[ $RUNTIME_CONFIG == replace || ! -e $file ]] || grep -qF "$MARK" "$file"; then
    printf '%s\n%s\n' "$MARK" "$3" | write_file "$file"
    return 0
  fi
  for url in $(grep -o 'https\?://[^"]*' <<<"$3" || true); do
    grep -qF "\"$url\"" "$file" || fail runtime-config "$file does not name $url"
  done
  [[ $3 != *'ca = '* ]] || grep -Eq '^\s*(ca|skip_verify)\s*=' "$file" || fail runtime-config "$file names no CA"
  log "$file is the user's and stays"
}

configure_registries() {
  local at root=${REGISTRY_ROOT-$REGISTRY_FOLDERS}
  [[ -z $REGISTRY_CA ]] || printf '%s\n' "$MARK" "$REGISTRY_CA" | write_file "$REGISTRY_CA_FILE"
  [[ -n $root ]] || return 0
  for ((at = 0; at < ${#REGISTRY_HOSTS[@]}; at += 2)); do
    hosts_file "$root" "${REGISTRY_HOSTS[at]}" "${REGISTRY_HOSTS[at + 1]}"
  done
}
