# The internal mirror costs no traffic, but answers inside a VPC of Alibaba Cloud only.
mirror() {
  local file=$RUN/mirror internal=http://mirrors.cloud.aliyuncs.com
  if [[ ! -s $file ]]; then
    if [[ $MIRROR == http* ]]; then
      echo "$MIRROR" >"$file"
    elif [[ $MIRROR == aliyun-internal ]] || { [[ $MIRROR == auto ]] && curl -fs --max-time 2 -o /dev/null "$internal/"; }; then
      echo "$internal" >"$file"
    else
      echo https://mirrors.aliyun.com >"$file"
    fi
  fi
  cat "$file"
}

# located URL: with the parts that only the node knows.
located() {
  local url=$1
  url=${url/@mirror/$(mirror)}
  url=${url/@el/$(el_major)}
  url=${url/centos\/8\//$RUNTIME_TREE\/}
  echo "${url/@arch/$(uname -m)}"
}

# repository_file ID URL KEY-FILE: the exclude keeps an update of the whole host from kubelet.
repository_file() {
  printf '%s\n' "$MARK" "[$1]" "name=$1" "baseurl=$2" enabled=1 gpgcheck=1 repo_gpgcheck=0 "gpgkey=file://$3"
  [[ $1 != kubernetes ]] || echo 'exclude=kubelet kubeadm kubectl'
}

# installed SPEC …: NAME or NAME-VERSION each
installed() {
  rpm -q --quiet "$@"
}
