/** From reported versions to what YUM calls them (facts/versions.md, cases A1 A2 A4 A6 B3 B4). */
import { Failure } from '../errors.ts';
import type { ReportedVersion, Runtime } from './types.ts';
import { atLeast } from './versions.ts';

const padded = ({ major, minor, patch }: ReportedVersion) => `${major}.${String(minor).padStart(2, '0')}.${patch}`;

/**
 * `docker-ce` and what goes with it, in install order. Docker reports 18.06.3 as 18.6.3; up to 18.06 the package's
 * version ends in `.ce` and brings its own client and containerd; 17.03 needs an SELinux package of the same version.
 * @throws Failure PackageImpossible for versions that were never packaged as docker-ce.
 */
function dockerPackages(version: ReportedVersion): readonly string[] {
  if (version.major === 1) {
    throw new Failure(
      'PackageImpossible',
      `Docker ${version.base} is the package docker of CentOS 7's extras, not docker-ce, and ackone-join cannot install it`,
      { next: ['Give --runtime-version with a version of docker-ce, for example 19.03.15, or --runtime containerd.'] },
    );
  }
  if (version.major < 17) throw new Failure('PackageImpossible', `there is no docker-ce ${version.base}`);
  if (version.major >= 20) return [`docker-ce-${version.base}`, `docker-ce-cli-${version.base}`, 'containerd.io'];
  if (atLeast(version, '18.9.0')) {
    return [`docker-ce-${padded(version)}`, `docker-ce-cli-${padded(version)}`, 'containerd.io'];
  }
  const ce = `${padded(version)}.ce`;
  return padded(version).startsWith('17.03.') ? [`docker-ce-${ce}`, `docker-ce-selinux-${ce}`] : [`docker-ce-${ce}`];
}

/**
 * `name-version` as YUM takes them, in install order.
 * @throws Failure PackageImpossible when no repository has ever carried such a package.
 */
export function runtimePackages(runtime: Runtime, version: ReportedVersion): readonly string[] {
  if (runtime === 'docker') return dockerPackages(version);
  if (!atLeast(version, '1.2.0')) {
    throw new Failure('PackageImpossible', `there is no containerd.io ${version.base}: the package begins at 1.2.0`);
  }
  return [`containerd.io-${version.base}`];
}

/**
 * EL majors that Docker publishes the runtime's packages for; empty when no limit is known.
 * EL 8 began with docker-ce 19.03.13 and containerd.io 1.3.7, EL 9 with 20.10.15 and 1.5 at the earliest; EL 7 ended at
 * 26.1.4 and 1.6.33. (In Docker's centos tree EL 8 ended at 26.1.3 and 1.6.32; its rhel tree goes on: docker/for-linux#1517.)
 */
export function elMajors(runtime: Runtime, version: ReportedVersion): readonly string[] {
  const [el8, el9, pastEl7] = runtime === 'docker' ? ['19.3.13', '20.10.15', '26.1.5'] : ['1.3.7', '1.5.0', '1.6.34'];
  if (!atLeast(version, el8!)) return ['7'];
  if (!atLeast(version, el9!)) return ['7', '8'];
  return atLeast(version, pastEl7!) ? ['8', '9', '10'] : [];
}

/**
 * Docker's folder of EL 8: its centos tree ended with docker-ce 26.1.3 and containerd.io 1.6.32 when CentOS Stream 8 did,
 * and its rhel tree goes on, for the same hosts (docker/for-linux#1517, docker/docker-ce-packaging#1024).
 */
export const el8Tree = (runtime: Runtime, version: ReportedVersion): 'centos/8' | 'rhel/8' =>
  atLeast(version, runtime === 'docker' ? '26.1.4' : '1.6.33') ? 'rhel/8' : 'centos/8';

/** Ranges of containerd.io that were packaged: it skips many upstream releases (containerd#3670, docker/for-linux#1358). */
const containerdPackaged: readonly (readonly [first: string, beyond: string])[] = [
  ['1.2.0', '1.2.7'],
  ['1.2.10', '1.2.11'],
  ['1.2.13', '1.2.14'],
  ['1.3.7', '1.3.8'],
  ['1.3.9', '1.3.10'],
  ['1.4.3', '1.4.14'],
  ['1.5.10', '1.5.12'],
  ['1.6.4', '1.6.34'],
  ['1.7.18', '1.8.0'],
  ['2.0.0', '999.0.0'],
];

/**
 * What to offer in place of a containerd.io that was probably never packaged (B4).
 * @returns undefined when it was packaged as far as is known; otherwise the nearest later one.
 */
export function packagedInstead(runtime: Runtime, version: ReportedVersion): string | undefined {
  if (runtime === 'docker') return undefined;
  if (containerdPackaged.some(([first, beyond]) => atLeast(version, first) && !atLeast(version, beyond)))
    return undefined;
  return containerdPackaged.find(([first]) => !atLeast(version, first))?.[0];
}

/** These kubelets want exactly one kubernetes-cni, and yum would take a newer (B3, kubernetes#57334, #75683, #92586). */
function cniPin(version: ReportedVersion): readonly string[] {
  if (version.minor > 13) return [];
  if (version.minor <= 8) return ['kubernetes-cni-0.5.1'];
  const since075 = version.minor === 13 ? '1.13.5' : '1.12.7';
  return [atLeast(version, since075) ? 'kubernetes-cni-0.7.5' : 'kubernetes-cni-0.6.0'];
}

/** kubelet, kubeadm and kubectl of one version, and the kubernetes-cni that an old kubelet insists on. */
export const kubePackages = (version: ReportedVersion): readonly string[] => [
  ...['kubelet', 'kubeadm', 'kubectl'].map((name) => `${name}-${version.base}`),
  ...cniPin(version),
];

/** The frozen repository for everything up to 1.23; from 1.24 one repository a minor, as the old one lacks patches. */
export const kubeRepository = (version: ReportedVersion): 'legacy' | 'minor' =>
  version.minor < 24 ? 'legacy' : 'minor';
