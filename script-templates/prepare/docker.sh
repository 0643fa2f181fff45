# daemon.json as it should be: what the user's says stays, what it leaves open is filled in; what it says otherwise
# about the cgroup driver counts only with RUNTIME_CONFIG=keep, and then ends the script.
docker_config() {
  "$(yum_python)" -c '
import io, json, os, sys
path, driver, override, replace = sys.argv[1:5]
mirrors = sys.argv[5:]
config = {}
if os.path.exists(path):
    with io.open(path, encoding="utf-8") as file:
        config = json.loads(file.read() or "{}")
key = "native.cgroupdriver="
options = config.get("exec-opts", [])
said = [option for option in options if option.startswith(key)]
if said and said[-1] != key + driver:
    if replace != "replace":
        sys.exit("%s sets %s" % (path, said[-1]))
    said = []
if not said:
    config["exec-opts"] = [option for option in options if not option.startswith(key)] + [key + driver]
config.setdefault("log-driver", "json-file")
if config["log-driver"] == "json-file":
    config.setdefault("log-opts", {"max-size": "100m"})
config.setdefault("storage-driver", "overlay2")
if override == "yes" and config["storage-driver"] == "overlay2":
    config.setdefault("storage-opts", ["overlay2.override_kernel_check=true"])
if mirrors:
    config.setdefault("registry-mirrors", mirrors)
print(json.dumps(config, indent=2, sort_keys=True))
' "$@"
}

configure_docker() {
  local file=/etc/docker/daemon.json override=no config
  # docker before 19.03 takes the overlay2 of EL7's kernel only if told to.
  if [[ $OVERLAY_CHECK == yes ]] && ! at_least "$(uname -r)" 4.0; then
    override=yes
  fi
  config=$(docker_config "$file" "$CGROUP_DRIVER" "$override" "$RUNTIME_CONFIG" ${REGISTRY_MIRRORS[@]+"${REGISTRY_MIRRORS[@]}"} 2>"$RUN_DIR/docker.err") ||
    fail runtime-config "$file: $(tail -n 1 "$RUN_DIR/docker.err")"
  printf '%s\n' "$config" | write_file "$file" restart_later docker.service
}

# What docker itself says is what counts.
check_docker() {
  local driver
  driver=$(docker info --format '{{.CgroupDriver}}' 2>/dev/null || true)
  case $driver in
  "$CGROUP_DRIVER") ;;
  systemd | cgroupfs) fail runtime-config "docker has the cgroup driver $driver, the cluster $CGROUP_DRIVER" ;;
  *) log 'warning: docker does not say which cgroup driver it has' ;;
  esac
}
