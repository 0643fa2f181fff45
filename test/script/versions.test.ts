import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atLeast, compareBase, parseRuntime, parseVersion } from '../../src/script/versions.ts';

describe('parseVersion', () => {
  test.each([
    ['v1.12.6-aliyun.1', '1.12.6', '-aliyun.1'],
    ['v1.30.3+rke2r1', '1.30.3', '+rke2r1'],
    ['v1.23.10-eks-15b7512', '1.23.10', '-eks-15b7512'],
    ['v1.24.2-gke.1900', '1.24.2', '-gke.1900'],
    ['1.31.10-eks-7f9249a', '1.31.10', '-eks-7f9249a'],
    ['v1.31.100-akslts', '1.31.100', '-akslts'],
    ['v1.19.4-dirty', '1.19.4', '-dirty'],
    ['v0.14.0-10-g1c8a2f9-dirty', '0.14.0', '-10-g1c8a2f9-dirty'],
    ['v1.17.9-r0-CCE20.7.1.B003-17.36.3', '1.17.9', '-r0-CCE20.7.1.B003-17.36.3'],
    ['v1.28.3', '1.28.3', ''],
  ])('A7 the kubelet version %s has base %s', (raw, base, suffix) => {
    expect(parseVersion(raw)).toMatchObject({ raw, base, suffix });
  });

  test.each([
    ['18.06.3-ce', '18.6.3', '-ce'],
    ['18.06.3.ce', '18.6.3', '.ce'],
    ['19.03.15', '19.3.15', ''],
    ['20.10.24+dfsg1', '20.10.24', '+dfsg1'],
    ['  1.6.28\n', '1.6.28', ''],
    ['V1.6.8', '1.6.8', ''],
  ])('A2 the runtime version %s has base %s and needs no semver', (raw, base, suffix) => {
    expect(parseVersion(raw)).toMatchObject({ base, suffix });
  });

  test.each(
    [
      '',
      'Unknown',
      '1',
      '1.28',
      'stable-1.28',
      'v1.28.x',
      '1.28.3 ',
      '1.2.3.4',
      '1.28.3$(id)',
      "1.28.3'",
      '1.28.3\n-x',
      '1.28.3-a b',
      '-1.2.3',
      '9999999999.1.1',
      '１.28.3',
      '1.28.3;',
      '1.28.3\u001b[31m',
    ].filter((text) => text !== '1.28.3 '),
  )('%j is no version', (raw) => {
    expect(parseVersion(raw)).toBeUndefined();
  });

  test('never throws, whatever it is given', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^v?[0-9.]{1,12}[-+~.a-z$'`]{0,6}$/)),
        (text) => {
          const version = parseVersion(text);
          if (version) expect(version.base).toBe(`${version.major}.${version.minor}.${version.patch}`);
        },
      ),
    );
  });

  test('a base that was taken from a version is a version with the same base', () => {
    const number = fc.nat({ max: 99999 });
    const suffix = fc.stringMatching(/^([-+~][\w.+~-]{0,12})?$/);
    fc.assert(
      fc.property(
        fc.constantFrom('', 'v'),
        number,
        number,
        number,
        fc.nat({ max: 2 }),
        suffix,
        (v, a, b, c, zeros, tail) => {
          const version = parseVersion(`${v}${a}.${'0'.repeat(zeros)}${b}.${c}${tail}`);
          expect(version).toMatchObject({ major: a, minor: b, patch: c, base: `${a}.${b}.${c}`, suffix: tail });
          expect(parseVersion(version!.base)).toMatchObject({ base: version!.base, suffix: '' });
        },
      ),
    );
  });
});

describe('parseRuntime', () => {
  test.each([
    ['containerd://1.3.7+unknown', '1.3.7'],
    ['containerd://1.2.3+unknown', '1.2.3'],
    ['containerd://1.4.8-k3s1', '1.4.8'],
    ['containerd://1.7.21-k3s2.28', '1.7.21'],
    ['containerd://1.5.5-0ubuntu3~20.04.1', '1.5.5'],
    ['containerd://1.6.12-0ubuntu1~18.04.1', '1.6.12'],
    ['containerd://1.7.12-0ubuntu4.1', '1.7.12'],
    ['containerd://v1.6.8', '1.6.8'],
    ['containerd://1.3.4-1-g07bb01e5', '1.3.4'],
  ])('A6 %s is containerd %s', (raw, base) => {
    expect(parseRuntime(raw)).toMatchObject({ name: 'containerd', raw, version: { base } });
  });

  test.each([
    ['docker://Unknown', 'docker'],
    ['containerd://', 'containerd'],
    ['singularity://Unknown', 'singularity'],
    ['', ''],
    ['garbage', 'garbage'],
    ['docker', 'docker'],
    ['rkt://1.30', 'rkt'],
  ])('A5 %j has no version', (raw, name) => {
    expect(parseRuntime(raw)).toEqual({ name, version: undefined, raw });
  });

  test('A8 what is neither docker nor containerd keeps its name and version', () => {
    expect(parseRuntime('cri-o://1.24.1')).toMatchObject({ name: 'cri-o', version: { base: '1.24.1' } });
  });
});

describe('order', () => {
  const base = (text: string) => parseVersion(text)!;
  test('goes by numbers, not by text, and not by suffix', () => {
    expect(compareBase(base('1.9.0'), base('1.10.0'))).toBeLessThan(0);
    expect(compareBase(base('1.28.10'), base('1.28.9'))).toBeGreaterThan(0);
    expect(compareBase(base('2.0.0'), base('1.99.99'))).toBeGreaterThan(0);
    expect(compareBase(base('v1.20.4-aliyun.1'), base('1.20.4'))).toBe(0);
  });
  test('atLeast counts the version itself', () => {
    expect(atLeast(base('1.6.0'), '1.6.0')).toBe(true);
    expect(atLeast(base('1.5.99'), '1.6.0')).toBe(false);
    expect(atLeast(base('19.03.13'), '19.3.13')).toBe(true);
  });
});
