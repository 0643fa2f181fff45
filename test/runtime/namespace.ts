/** Bash that makes a mount namespace a node: /etc is a copy, and /run, /opt and /var/lib are empty. */
export const asNode = (scratch: string): string => `set -Eeuo pipefail
    mount -t tmpfs tmpfs '${scratch}'
    cp -a /etc '${scratch}/etc'
    mount --bind '${scratch}/etc' /etc
    for folder in /run /opt /var/lib; do mount -t tmpfs tmpfs "$folder"; done
    rm -rf /etc/containerd /etc/docker
    echo 127.0.0.1 registry.example.com mirror.example.com >>/etc/hosts`;
