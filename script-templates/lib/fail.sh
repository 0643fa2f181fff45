# Every way in which the script can end badly: exit code, name, sentence. The
# documentation is made from this table.
exit_codes() {
  cat <<'TABLE'
20 unforeseen A command failed
21 deadline The time ran out
22 interrupted The script was interrupted from outside
23 phase-unknown ACKONE_JOIN_PHASE is neither check nor prepare
24 not-root The script must run as root
25 already-running Another run is under way on this host
26 provider-id ALIBABA_CLOUD_PROVIDER_ID is not of the form REGION.i-ID
27 node-name ALIBABA_CLOUD_NODE_NAME is no name for a Node
28 labels ALIBABA_CLOUD_LABELS holds something that is no label
29 taints ALIBABA_CLOUD_TAINTS holds something that is no taint
30 os-unknown No packages are known to fit this operating system
31 arch-unknown Packages exist for x86_64 and aarch64 only
32 os-unfit The container runtime has no packages for this EL major
33 kernel kubeadm needs a newer kernel
34 cgroup kubelet needs cgroup v2: boot the image with systemd.unified_cgroup_hierarchy=1
35 disk There is too little space
36 tool-missing A program is missing
37 clock The clock of this host is off
38 control-plane This host is part of a control plane and is left alone
39 api-name The API server's name does not resolve
40 api-unreachable The API server takes no connections
41 ca-pin The CA in cluster-info is not the pinned one
42 name-taken Another machine has left a Node of this name: delete it
43 repository-unreachable A package repository does not answer
44 package-missing A package cannot be had in this version
45 package-install YUM could not install a package
46 package-version A package has another version than the one needed
47 key-unreachable A signing key cannot be fetched
48 key-unpinned A signing key is none of the pinned ones
49 kernel-module A kernel module cannot be loaded
50 sysctl A kernel setting was refused
51 runtime-config A runtime configuration contradicts the cluster
52 runtime-start The container runtime does not start
53 kubelet-unit The kubelet unit does not pass on KUBELET_EXTRA_ARGS
54 download A file cannot be fetched
55 join The host could not join, as it says above
56 node-unseen The API server does not show this Node
57 node-differs The Node is not as it was asked for
58 server-ca The certificate of the API server does not come from the given CA
59 kubelet-program The kubelet program is missing, or is not the one asked for
60 kube-proxy kube-proxy.service is not on the image, or does not run
61 post-script The post script failed
62 registry-unreachable A registry or its mirror does not answer
63 registry-ca The certificate of a registry is not trusted by this host, nor by the CA given for it
TABLE
}

# fail NAME [DETAIL]: says what went wrong and ends the script.
fail() {
  local row
  row=$(exit_codes | grep "^.. $1 ")
  log "FAILED: ${row#* * }${2:+: $2} ($1, exit code ${row%% *})"
  : >"$RUN/failed"
  exit "${row%% *}"
}

# Runs for each command that fails without anybody looking. In a subshell that fail has ended, fail has spoken already.
on_error() {
  local status=$1
  trap - ERR
  [[ ! -e $RUN/failed ]] || exit "$status"
  fail unforeseen "line $2, status $status, ${3%%$'\n'*}"
}
