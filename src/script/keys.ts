/**
 * Fingerprints of the keys that sign packages. A key comes from the same mirror as the packages, maybe over plain http,
 * so a script accepts it for its fingerprint alone.
 */

/** "Docker Release (CE rpm)": docker-ce and containerd.io; as yum and dnf print it when they import docker's gpg file. */
export const dockerKey = '060A61C51B558A7F742B77AAC52FEB6B621E9F35';

/**
 * "Google Cloud Packages RPM Signing Key", rpm-package-key.gpg: the packages of the legacy repository, seen in logs of
 * installs from 1.8.2 (2017) to 1.28.2 (2023), from the Aliyun mirror too. The keys in yum-key.gpg, which changed every
 * year, sign the repository's metadata alone, and that signature is known to fail (kubernetes#60134).
 */
export const legacyKubernetesKey = '3749E1BA95A86CE054546ED2F09C394C3E1BA8D5';

/** "isv:kubernetes OBS Project": every per-minor repository of pkgs.k8s.io; its validity is extended every other year. */
export const kubernetesKey = 'DE15B14486CD377B9E876E1A234654DA9A296436';
