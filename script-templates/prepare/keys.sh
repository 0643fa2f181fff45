# trust_key URL FILE FINGERPRINT: the key comes from the same place as the packages, maybe over plain http, so it is
# worth what its fingerprint says. An older copy, which may have expired, gives way.
trust_key() {
  local url=$1 file=$2 home=$RUN/gpg found id
  rm -rf "$home"
  mkdir -m 700 "$home"
  fetch "$url" "$home/key" || fail key-unreachable "$url"
  gpg --homedir "$home" --batch -q --import "$home/key" 2>/dev/null || fail key-unpinned "$url has none"
  found=$(gpg --homedir "$home" --batch --with-colons --fingerprint |
    awk -F: '$1 == "pub" { primary = 1 } $1 == "fpr" && primary { print $10; primary = 0 }')
  [[ $found == "$3" ]] || fail key-unpinned "$url has $found"
  id=gpg-pubkey-${found:32}
  ! installed "${id,,}" || rpm -e --allmatches "${id,,}"
  mkdir -p "${file%/*}"
  cat "$home/key" >"$file"
  rpm --import "$file"
}
