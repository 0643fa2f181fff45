import { describe, expect, test } from 'vitest';
import { pauseImage, pauseTag } from '../../src/script/images.ts';
import { elMajors, kubePackages, kubeRepository, packagedInstead, runtimePackages } from '../../src/script/packages.ts';
import { parseVersion } from '../../src/script/versions.ts';

const of = (text: string) => parseVersion(text)!;

describe('docker-ce', () => {
  test.each([
    ['18.6.3', ['docker-ce-18.06.3.ce']],
    ['18.06.3-ce', ['docker-ce-18.06.3.ce']],
    ['18.3.1', ['docker-ce-18.03.1.ce']],
    ['17.12.1', ['docker-ce-17.12.1.ce']],
    ['17.3.2', ['docker-ce-17.03.2.ce', 'docker-ce-selinux-17.03.2.ce']],
  ])('A1 %s is one package of the .ce era, without a client of its own', (version, packages) => {
    expect(runtimePackages('docker', of(version))).toEqual(packages);
  });

  test.each([
    ['18.9.1', '18.09.1'],
    ['18.09.9', '18.09.9'],
    ['19.3.15', '19.03.15'],
    ['19.03.15', '19.03.15'],
    ['19.3.14+azure', '19.03.14'],
    ['20.10.24', '20.10.24'],
    ['23.0.6', '23.0.6'],
    ['28.3.3', '28.3.3'],
  ])('A2 %s is docker-ce and docker-ce-cli %s with containerd.io', (version, spec) => {
    expect(runtimePackages('docker', of(version))).toEqual([
      `docker-ce-${spec}`,
      `docker-ce-cli-${spec}`,
      'containerd.io',
    ]);
  });

  test.each(['1.13.1', '1.12.6', '1.6.2'])('A4 %s is the package docker, which is refused by name', (version) => {
    expect(() => runtimePackages('docker', of(version))).toThrow(
      expect.objectContaining({ code: 'PackageImpossible', message: expect.stringMatching(/\bpackage docker\b/) }),
    );
  });

  test.each(['3.0.8', '16.0.0'])('A4 %s was never packaged', (version) => {
    expect(() => runtimePackages('docker', of(version))).toThrow(
      expect.objectContaining({ code: 'PackageImpossible' }),
    );
  });

  test.each([
    ['18.06.3', ['7']],
    ['19.03.12', ['7']],
    ['19.03.13', ['7', '8']],
    ['20.10.14', ['7', '8']],
    ['20.10.15', []],
    ['26.1.4', []],
    ['27.0.1', ['8', '9', '10']],
  ])('A1 %s is packaged for EL %j', (version, majors) => {
    expect(elMajors('docker', of(version))).toEqual(majors);
  });
});

describe('containerd.io', () => {
  test.each([
    ['1.3.7+unknown', '1.3.7'],
    ['1.6.12-0ubuntu1~18.04.1', '1.6.12'],
    ['v1.6.8', '1.6.8'],
    ['2.1.4', '2.1.4'],
  ])('A6 %s is one package %s', (version, spec) => {
    expect(runtimePackages('containerd', of(version))).toEqual([`containerd.io-${spec}`]);
  });

  test('there is none before 1.2', () => {
    expect(() => runtimePackages('containerd', of('1.1.5'))).toThrow(
      expect.objectContaining({ code: 'PackageImpossible' }),
    );
    expect(runtimePackages('containerd', of('1.2.0'))).toEqual(['containerd.io-1.2.0']);
  });

  test.each([
    ['1.2.8', '1.2.10'],
    ['1.3.0', '1.3.7'],
    ['1.5.5', '1.5.10'],
    ['1.6.2', '1.6.4'],
    ['1.7.12', '1.7.18'],
  ])('B4 %s is asked for as it is, with %s as what was packaged', (version, instead) => {
    expect(runtimePackages('containerd', of(version))).toEqual([`containerd.io-${version}`]);
    expect(packagedInstead('containerd', of(version))).toBe(instead);
  });

  test.each(['1.2.6', '1.2.13', '1.4.3', '1.6.28', '1.6.33', '1.7.27', '2.2.0'])('B4 %s was packaged', (version) => {
    expect(packagedInstead('containerd', of(version))).toBeUndefined();
  });

  test.each([
    ['1.2.13', ['7']],
    ['1.3.7', ['7', '8']],
    ['1.4.13', ['7', '8']],
    ['1.6.33', []],
    ['1.7.18', ['8', '9', '10']],
    ['2.1.0', ['8', '9', '10']],
  ])('%s is packaged for EL %j', (version, majors) => {
    expect(elMajors('containerd', of(version))).toEqual(majors);
  });
});

describe('kubelet, kubeadm, kubectl', () => {
  test('A7 the specs have neither v nor suffix', () => {
    expect(kubePackages(of('v1.21.0-aliyun.1'))).toEqual(['kubelet-1.21.0', 'kubeadm-1.21.0', 'kubectl-1.21.0']);
  });

  test.each([
    ['1.8.4', 'kubernetes-cni-0.5.1'],
    ['1.10.11', 'kubernetes-cni-0.6.0'],
    ['v1.12.6-aliyun.1', 'kubernetes-cni-0.6.0'],
    ['1.12.7', 'kubernetes-cni-0.7.5'],
    ['1.13.4', 'kubernetes-cni-0.6.0'],
    ['1.13.5', 'kubernetes-cni-0.7.5'],
  ])('B3 kubelet %s insists on %s', (version, pin) => {
    const { base } = of(version);
    expect(kubePackages(of(version))).toEqual([`kubelet-${base}`, `kubeadm-${base}`, `kubectl-${base}`, pin]);
  });

  test('B3 from 1.14 on none is pinned', () => {
    expect(kubePackages(of('1.14.10'))).toHaveLength(3);
  });

  test.each([
    ['1.20.4', 'legacy'],
    ['1.23.17', 'legacy'],
    ['1.24.0', 'minor'],
    ['1.27.3', 'minor'],
    ['1.36.1', 'minor'],
  ])('B1 %s comes from the %s repository', (version, repository) => {
    expect(kubeRepository(of(version))).toBe(repository);
  });
});

describe('pause image', () => {
  test.each([
    [12, '3.1'],
    [17, '3.1'],
    [18, '3.2'],
    [20, '3.2'],
    [21, '3.4.1'],
    [22, '3.5'],
    [23, '3.6'],
    [24, '3.7'],
    [25, '3.8'],
    [26, '3.9'],
    [28, '3.9'],
    [30, '3.9'],
    [31, '3.10'],
    [33, '3.10'],
    [34, '3.10.1'],
    [35, '3.10.1'],
    [36, '3.10.2'],
    [37, '3.10.2'],
    [41, '3.10.2'],
  ])('C6 Kubernetes 1.%i has tag %s', (minor, tag) => {
    expect(pauseTag(minor)).toBe(tag);
  });

  test('C6 it comes from the Aliyun mirror unless a repository is named', () => {
    expect(pauseImage(20)).toBe('registry.aliyuncs.com/google_containers/pause:3.2');
    expect(pauseImage(28, 'harbor.example.com:5000/k8s/')).toBe('harbor.example.com:5000/k8s/pause:3.9');
  });
});
