# docker_config FILE DRIVER OVERLAY-CHECK KEEP-OR-REPLACE [MIRROR …]: prints the daemon.json that shall stand in FILE, nothing
# if what stands there will do. A file of the user's only gets the cgroup driver, and the mirrors in front of its own; if it has
# another driver, the script ends, or that gives way.
docker_config() {
  python -c '
import io, json, os, sys
path, driver, check, policy = sys.argv[1:5]
mirrors = sys.argv[5:]
wanted = "native.cgroupdriver=" + driver
config = {"log-driver": "json-file", "log-opts": {"max-size": "100m"}, "storage-driver": "overlay2"}
if check == "yes":
  config["storage-opts"] = ["overlay2.override_kernel_check=true"]
if os.path.exists(path):
  with io.open(path, encoding="utf-8") as file:
    config = json.loads(file.read().strip() or "{}")
options = config.get("exec-opts", [])
said = [option for option in options if option.startswith("native.cgroupdriver=")]
own = config.get("registry-mirrors", [])
bare = [url.rstrip("/") for url in own]
done = all(url in bare for url in mirrors)
if not done:
  config["registry-mirrors"] = mirrors + [url for url in own if url.rstrip("/") not in mirrors]
if said[-1:] != [wanted]:
  if said and policy != "replace":
    sys.exit("it has " + said[-1])
  config["exec-opts"] = [option for option in options if option not in said] + [wanted]
if not done or said[-1:] != [wanted]:
  print(json.dumps(config, indent=2, sort_keys=True))
' "$@"
}

configure_docker() {
  local file=/etc/docker/daemon.json check=$OVERLAY_CHECK config
  # From kernel 4 on docker takes overlay2 without being told to.
  ! at_least "$(uname -r)" 4.0 || check=no
  config=$(docker_config "$file" "$CGROUP_DRIVER" "$check" "$RUNTIME_CONFIG" ${REGISTRY_MIRRORS[@]+"${REGISTRY_MIRRORS[@]}"} 2>&1) ||
    fail runtime-config "$file: ${config##*$'\n'}"
  [[ -z $config ]] || write_file "$file" restart_later docker.service <<<"$config"
  run_steps trust_registries
  ensure_running docker.service /var/run/docker.sock
  # What docker itself says is what counts.
  config=$(docker info --format '{{.CgroupDriver}}' 2>/dev/null || true)
  case $config in
  "$CGROUP_DRIVER") ;;
  systemd | cgroupfs) fail runtime-config "docker has the cgroup driver $config, not $CGROUP_DRIVER" ;;
  *) log 'warning: docker does not say which cgroup driver it has' ;;
  esac
  run_steps check_mirrors
}
