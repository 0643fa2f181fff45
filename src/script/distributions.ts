/** What a version's suffix says of who built the kubelet (case A7). */
import type { Finding } from '../errors.ts';
import { note, stop, warning } from './findings.ts';
import type { ReportedVersion } from './types.ts';

/**
 * Distributions whose nodes never join by kubeadm: the kubelet is inside another program, or the control plane is
 * hosted and its nodes are made by the provider.
 */
const foreign: readonly (readonly [suffix: RegExp, name: string])[] = [
  [/[-+]k3s/i, 'K3s'],
  [/[-+]rke2/i, 'RKE2'],
  [/[-+]k0s/i, 'k0s'],
  [/^\+[0-9a-f]{7,}$/i, 'OpenShift'],
  [/[-+.]eks/i, 'Amazon EKS'],
  [/[-+.]gke/i, 'Google GKE'],
  [/[-+.]aks/i, 'Azure AKS'],
  [/[-+]iks/i, 'IBM Cloud Kubernetes Service'],
  [/[-+.]tke/i, 'Tencent TKE'],
  [/[-+.]cce/i, 'CCE'],
  [/[-+.]vke/i, 'VKE'],
];

/**
 * `-10-g1a2b3c4`: commits after a tag, as git describe writes it; `-10+1a2b3c4`: as Kubernetes' own build does
 * (hack/lib/version.sh); `-dirty`: with changes that were never committed.
 */
const localBuild = /-dirty\b|[-.]\d+(-g|\+)[0-9a-f]{7,}/i;
const preRelease = /^-(alpha|beta|rc)\.?\d/i;

/** What has to be said of whoever built this version; nothing for an upstream release. */
export function buildFindings(version: ReportedVersion): readonly Finding[] {
  const { raw, base, suffix } = version;
  const distribution = foreign.find(([pattern]) => pattern.test(suffix))?.[1];
  if (distribution !== undefined) {
    return [
      stop(
        'UnsupportedDistribution',
        `the version ${raw} is one of ${distribution}, whose nodes cannot join by kubeadm`,
      ),
    ];
  }
  if (localBuild.test(suffix)) {
    return [warning('LocalBuild', `the version ${raw} is a local build; nodes get the packages of ${base}`)];
  }
  if (preRelease.test(suffix)) {
    return [warning('PreRelease', `the version ${raw} is a pre-release; nodes get the packages of ${base}`)];
  }
  if (suffix !== '') {
    return [note('VendorBuild', `the version ${raw} is a vendor's build; nodes get the upstream packages of ${base}`)];
  }
  return [];
}
