# base_repositories FILE MIRROR KEYS GPGCHECK: prints FILE with what leads to a mirror of Alibaba Cloud leading to MIRROR, which
# is laid out alike, and to keys of the image, folder KEYS, where it has them. To standard error go sections whose packages
# would come over http unchecked, as `!ID: why`, and those that lead elsewhere. GPGCHECK is what counts where a section says none.
base_repositories() {
  python -c '
import io, os, re, sys
path, mirror, keys, check = sys.argv[1:5]
def local(url):
  name = url.group(1)
  return "file://" + os.path.join(keys, name) if os.path.isfile(os.path.join(keys, name)) else url.group()
def lead(line):
  line = re.sub(r"https?://mirrors\.(?:aliyun|cloud\.aliyuncs)\.com(?=/|\s|$)", mirror, line.group())
  return re.sub(re.escape(mirror) + r"/(?:\S*/)?(RPM-GPG-KEY-\S+)", local, line)
def values(section, option):
  return " ".join(re.findall(r"(?ms)^%s[ \t]*=(.*?)(?=^\S|\Z)" % option, section)).split()
with io.open(path, encoding="latin-1") as file:
  text = re.sub(r"(?m)^(?!\s*[#;]).+$", lead, file.read())
for section in re.split(r"(?m)^(?=\[)", re.sub(r"(?m)^\s*[#;].*$", "", text))[1:]:
  name = section[1:].split("]")[0]
  urls = [url for option in ("baseurl", "mirrorlist", "metalink") for url in values(section, option)]
  ours = [url for url in urls if url.startswith(mirror + "/")]
  remote = [key for key in values(section, "gpgkey") if key.startswith("http:")]
  if (values(section, "enabled") or ["1"])[-1].lower() in ("0", "no", "false"):
    continue
  if ours and mirror.startswith("http:"):
    if (values(section, "gpgcheck") or [check])[-1].lower() not in ("1", "yes", "true"):
      sys.stderr.write("!%s is used without gpgcheck=1\n" % name)
    for key in remote:
      sys.stderr.write("!%s takes its key from %s\n" % (name, key))
  elif urls and not ours:
    sys.stderr.write("repository %s stays: it leads to %s\n" % (name, urls[0]))
getattr(sys.stdout, "buffer", sys.stdout).write(text.encode("latin-1"))
' "$@"
}

# How YUM itself is configured.
yum_config() {
  cat /etc/yum.conf 2>/dev/null || cat /etc/dnf/dnf.conf 2>/dev/null || echo '[main]'
}

# REPOSITORIES is a copy, in which the check looks at what would come of it.
lead_base_repositories() {
  local file trouble check folder=/etc/yum.repos.d
  check=$(yum_config | sed -n 's/^gpgcheck *= *//p' | tail -n 1)
  for file in "${REPOSITORIES:-$folder}"/*.repo; do
    if [[ ! -e $file ]] || grep -qF "$MARK" "$file"; then
      continue
    fi
    base_repositories "$file" "$MIRROR" /etc/pki/rpm-gpg "$check" >"$RUN/repository" 2>"$RUN/said"
    trouble=$(sed -n 's/^!//p' "$RUN/said")
    [[ -z $trouble ]] || fail key-unpinned "$trouble, in ${file##*/}"
    [[ ! -s $RUN/said ]] || log "$(cat "$RUN/said")"
    if [[ -n ${REPOSITORIES-} ]]; then
      cat "$RUN/repository" >"$file"
    else
      write_file "$file" <"$RUN/repository"
    fi
  done
}
