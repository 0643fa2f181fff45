# kubelet_args FILE GONE LABELS TAINTS FLAG …: makes KUBELET_EXTRA_ARGS in FILE say what shall be said, and keeps what else it
# says. Flags of ours replace those of the same name; labels and taints are merged, ours last, since the last one counts,
# without those of GONE, which an earlier run has put there, maybe for another pool; it may name flags too.
# The one assignment stands at the top, where nothing before it can swallow it. FILE is read as systemd reads it
# (src/basic/env-file.c): comments and values may go on behind a backslash, and quotes count up to the first plain character.
kubelet_args() {
  python -c '
import io, os, re, sys
path, gone, labels, taints = sys.argv[1:5]
flags = [getattr(os, "fsencode", str)(flag).decode("latin-1") for flag in sys.argv[5:]]
text = io.open(path, encoding="latin-1", newline="").read() if os.path.exists(path) else u""
double, single = r"\"(?:\\.|[^\"\\])*\"?", r"\x27[^\x27]*\x27?"
entry = r"(?s)\s*(?:[#;](?:\\.|[^\\\r\n])*|([^=\r\n]*)=((?:[ \t]|%s|%s)*)((?:\\.|[^\\\r\n])*)|[^\r\n]*)(?:[\r\n]|$)" % (double, single)
kept, value = u"", u""
for match in re.finditer(entry, text):
  name, quoted, plain = match.groups()
  if (name or "").strip() != "KUBELET_EXTRA_ARGS":
    kept += match.group()
    continue
  value = u""
  for part in re.findall("(?s)%s|%s" % (double, single), quoted):
    inner = part[1:-1] if part[1:].endswith(part[0]) else part[1:]
    value += inner if part[0] == "\x27" else re.sub(r"(?s)\\([\n\"\\`$])", lambda found: found.group(1).strip("\n"), inner)
  value += re.sub(r"(?s)\\(.)", lambda found: found.group(1).strip("\n"), plain).rstrip()
words = re.findall(r"(?s)(?:[^\s\"\x27\\]|\\.|%s|%s)+" % (double, single), value)
lists = {"--node-labels": [], "--register-with-taints": []}
ours = ["--hostname-override", "--provider-id"] + gone.split(",") + [flag.split("=")[0] for flag in flags]
stay = []
while words:
  word = words.pop(0)
  flag, equals, given = re.sub("[\"\x27]", "", word).partition("=")
  if not equals and (flag in lists or flag in ours) and words and words[0][0] != "-":
    given = re.sub("[\"\x27]", "", words.pop(0))
  if flag in lists:
    lists[flag] += [item for item in given.split(",") if item not in gone.split(",")]
  elif flag not in ours:
    stay.append(word)
def merge(flag, more, key):
  last = []
  for item in lists[flag] + more.split(","):
    last = [other for other in last if key(other) != key(item)] + [item] * (item != "")
  return [flag + "=" + ",".join(last)] * (last != [])
stay += flags + merge("--node-labels", labels, lambda item: item.split("=")[0])
stay += merge("--register-with-taints", taints, lambda item: re.sub("[=:].*:", ":", item))
value = u" ".join(stay)
if re.search(r"[\"\x27\\]", value):
  value = u"\"%s\"" % re.sub(r"([\"\\`$])", r"\\\1", value)
new = u"KUBELET_EXTRA_ARGS=%s\n%s" % (value, kept)
if new != text:
  with io.open(path + ".ackone-join", "w", encoding="latin-1", newline="") as file:
    file.write(new)
  os.rename(path + ".ackone-join", path)
' "$@"
}

# The file from which the installed unit takes KUBELET_EXTRA_ARGS: the last one that it names counts.
kubelet_file() {
  local unit exec
  unit=$(systemctl cat kubelet.service) || fail kubelet-unit 'there is none'
  exec=$(systemctl show -p ExecStart kubelet.service)
  [[ $exec =~ \$KUBELET_EXTRA_ARGS([^A-Za-z0-9_]|$) ]] || fail kubelet-unit 'ExecStart'
  unit=$(sed -n '/kubeadm-flags/d; s/^EnvironmentFile=-\{0,1\}//p' <<<"$unit" | tail -n 1)
  [[ -n $unit ]] || fail kubelet-unit EnvironmentFile
  echo "$unit"
}

configure_kubelet() {
  local file labels taints address flags=(${KUBELET_FLAGS[@]+"${KUBELET_FLAGS[@]}"})
  file=$(kubelet_file)
  labels=$(wanted_labels)
  taints=$(wanted_taints)
  # The unit's own go first, so that the pool's win.
  [[ -z $UNIT_LABELS ]] || labels=$(wanted labels "=($NAME_SHAPE)?" "$UNIT_LABELS"),$labels
  taints=${UNIT_TAINTS:+$UNIT_TAINTS,}$taints
  # kubelet-config may name a file of systemd-resolved, which only some hosts have.
  [[ $OVERRIDE_RESOLV_CONF != yes || -e /run/systemd/resolve/resolv.conf ]] || flags+=(--resolv-conf=/etc/resolv.conf)
  [[ -z ${ALIBABA_CLOUD_NODE_NAME:-} ]] || flags+=("--hostname-override=$(node_name)")
  address=$(run_steps host_address)
  [[ -z $address ]] || flags+=("--node-ip=$address")
  mkdir -p "${file%/*}"
  kubelet_args "$file" "$(state_get kubelet)" "$labels" "$taints" ${flags[@]+"${flags[@]}"} "--provider-id=$(provider_id)"
  state_set kubelet "$labels,$taints${address:+,--node-ip}"
}
