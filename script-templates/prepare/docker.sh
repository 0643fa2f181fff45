# docker_config FILE DRIVER OVERLAY-CHECK KEEP-OR-REPLACE MIRROR …: prints daemon.json as it should be. What FILE says stays,
# and what it leaves open is filled in; another cgroup driver in it ends the script or gives way.
docker_config() {
  python -c '
import io, json, os, sys
path, driver, check, policy = sys.argv[1:5]
config = {}
if os.path.exists(path):
  with io.open(path, encoding="utf-8") as file:
    config = json.loads(file.read() or "{}")
key = "native.cgroupdriver="
options = config.get("exec-opts", [])
said = [option for option in options if option.startswith(key)]
if said and said[-1] != key + driver and policy != "replace":
  sys.exit("it has " + said[-1])
config["exec-opts"] = [option for option in options if option not in said] + [key + driver]
if config.setdefault("log-driver", "json-file") == "json-file":
  config.setdefault("log-opts", {"max-size": "100m"})
if config.setdefault("storage-driver", "overlay2") == "overlay2" and check == "yes":
  config.setdefault("storage-opts", ["overlay2.override_kernel_check=true"])
if sys.argv[5:]:
  config.setdefault("registry-mirrors", sys.argv[5:])
print(json.dumps(config, indent=2, sort_keys=True))
' "$@"
}

configure_docker() {
  local file=/etc/docker/daemon.json check=$OVERLAY_CHECK config
  # From kernel 4 on docker takes overlay2 without being told to.
  ! at_least "$(uname -r)" 4.0 || check=no
  config=$(docker_config "$file" "$CGROUP_DRIVER" "$check" "$RUNTIME_CONFIG" ${REGISTRY_MIRRORS[@]+"${REGISTRY_MIRRORS[@]}"} 2>&1) ||
    fail runtime-config "$file: ${config##*$'\n'}"
  write_file "$file" restart_later docker.service <<<"$config"
  ensure_running docker.service /var/run/docker.sock
  # What docker itself says is what counts.
  config=$(docker info --format '{{.CgroupDriver}}' 2>/dev/null || true)
  case $config in
  "$CGROUP_DRIVER") ;;
  systemd | cgroupfs) fail runtime-config "docker has the cgroup driver $config, not $CGROUP_DRIVER" ;;
  *) log 'warning: docker does not say which cgroup driver it has' ;;
  esac
}
