import { describe, expect, test } from 'vitest';
import { decideKubeletSource, programOf } from '../../src/script/kubelet-source.ts';
import { answersOf } from './fixtures.ts';

const sha256 = 'ab'.repeat(32);
const url = 'https://dl.example.com/v1.28.3/bin/kubelet';
const decided = (kubeletSource?: string, kubeletSha256?: string) =>
  decideKubeletSource(answersOf({ kubeletSource, kubeletSha256 }));

test.each([
  [url, sha256, { kind: 'url', url, sha256 }, '/usr/local/bin/kubelet'],
  [
    'http://192.0.2.5/kubelet?v=1.tar',
    sha256,
    { kind: 'url', url: 'http://192.0.2.5/kubelet?v=1.tar', sha256 },
    '/usr/local/bin/kubelet',
  ],
  ['/opt/k/kubelet', undefined, { kind: 'path', path: '/opt/k/kubelet', sha256: undefined }, '/opt/k/kubelet'],
  ['/opt/k/kubelet', sha256, { kind: 'path', path: '/opt/k/kubelet', sha256 }, '/opt/k/kubelet'],
  ['rpm', undefined, { kind: 'rpm' }, '/usr/bin/kubelet'],
])('%s with digest %s', (source, digest, value, program) => {
  const decision = decided(source, digest);
  expect(decision).toEqual({ value, source: '--kubelet-source', findings: [] });
  expect(programOf(decision.value!)).toBe(program);
});

test('nothing said is nothing found', () => {
  expect(decided()).toEqual({ value: undefined, source: '--kubelet-source', findings: [] });
});

describe('refused', () => {
  const stopOf = (...given: Parameters<typeof decided>) => {
    const { value, findings } = decided(...given);
    expect(value).toBeUndefined();
    expect(findings).toHaveLength(1);
    return findings[0];
  };

  test.each([
    'kubernetes-node-linux-amd64.tar.gz',
    'kubelet.tar',
    'kubelet.tar.zst',
    'kubelet.tgz',
    'kubelet.txz',
    'kubelet.tbz2',
    'kubelet.ZIP',
    'kubelet.gz',
    'kubelet.xz',
    'kubelet.zst',
    'kubelet-1.28.3-0.x86_64.rpm',
    'kubelet_1.28.3_amd64.deb',
  ])('an archive, %s', (name) => {
    const what = `--kubelet-source names ${name}, an archive or a package, and the kubelet program itself is needed`;
    expect(stopOf(`https://user:secret@dl.example.com/a/${name}?key=secret`, sha256)).toEqual({
      severity: 'stop',
      code: 'AnswerInvalid',
      what,
      next: ['Unpack it, and give the URL of the program kubelet.'],
    });
    expect(stopOf(`/opt/${name}`)).toMatchObject({
      what,
      next: ['Unpack it, and give the path of the program kubelet.'],
    });
  });

  test('a URL without a digest', () => {
    expect(stopOf(url)).toMatchObject({
      code: 'AnswerInvalid',
      what: 'a kubelet that is fetched from a URL is run as root, and nothing says that it is the right one',
      next: [expect.stringContaining('--kubelet-sha256')],
    });
  });

  test('a URL that is none', () => {
    expect(stopOf('https://a b', sha256)).toMatchObject({ what: 'the value of --kubelet-source is no URL' });
  });

  test('an RPM with the digest of a program', () => {
    expect(stopOf('rpm', sha256)).toMatchObject({ code: 'AnswerInvalid', next: ['Leave --kubelet-sha256 out.'] });
  });
});
