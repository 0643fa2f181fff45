/** The kubelet program of binary style: from a URL, or on the image. */
import { createHash } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { exitCode, Host } from './bash.ts';

const program = (said: string) => `#!/bin/sh\necho '${said}'\n`;
const good = program('Kubernetes v1.28.2');
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

interface Given {
  readonly sha256?: string;
  /** What stands at the program's place; executable. */
  readonly there?: string;
  /** What the URL gives; undefined: nothing. */
  readonly served?: string;
  readonly more?: string;
}

function run(source: 'url' | 'path', step: string, { sha256 = digestOf(good), there, served, more = '' }: Given) {
  const host = new Host({
    ...(there !== undefined && { '/opt/bin/kubelet': there }),
    ...(served !== undefined && { served }),
  });
  if (there !== undefined) chmodSync(host.path('/opt/bin/kubelet'), 0o755);
  const script = `
    KUBE_VERSION=1.28.2 KUBELET_PROGRAM=$ROOT/opt/bin/kubelet KUBELET_URL=https://files.example.com/kubelet KUBELET_SHA256=${sha256}
    sleep() { true; }
    curl() {
      calls curl "$@"
      [[ -e $ROOT/served ]] || return 22
      while (($# > 0)); do
        [[ $1 != -o ]] || cp "$ROOT/served" "$2" 2>/dev/null || true
        shift
      done
    }
    ${more}
    ${step}`;
  const files = ['lib/retry.sh', 'prepare/kubelet-program.sh', `prepare/kubelet-${source}.sh`];
  const result = host.run(files, script);
  const read = (path: string) => {
    try {
      return host.read(path);
    } catch {
      return undefined;
    }
  };
  return {
    ...result,
    installed: read('/opt/bin/kubelet'),
    beside: read('/opt/bin/kubelet.ackone-join'),
    calls: host.calls(),
  };
}

describe('SH: from a URL', () => {
  test('is fetched, tried, and stands where the unit starts it', () => {
    const { status, installed, beside, calls } = run('url', 'install_kubelet && "$KUBELET_PROGRAM" --version', {
      served: good,
    });
    expect({ status, installed, beside }).toEqual({ status: 0, installed: good, beside: undefined });
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatch(/ https:\/\/files\.example\.com\/kubelet$/);
  });
  test('is left alone when it stands there already', () => {
    const { status, calls } = run('url', 'install_kubelet', { there: good });
    expect({ status, calls }).toEqual({ status: 0, calls: [] });
  });
  test('another one that stands there gives way', () => {
    const { installed } = run('url', 'install_kubelet', { there: program('Kubernetes v1.20.0'), served: good });
    expect(installed).toBe(good);
  });
  test.each([
    ['another digest', { served: good, sha256: '0'.repeat(64) }, `its sha256 is not ${'0'.repeat(64)}`],
    ['half of it', { served: good.slice(0, 9) }, 'its sha256 is not'],
    [
      'another version',
      { served: program('Kubernetes v1.28.20'), sha256: digestOf(program('Kubernetes v1.28.20')) },
      'should say version 1.28.2, and says Kubernetes v1.28.20',
    ],
    [
      'a dot that is any character to a regular expression',
      { served: program('Kubernetes v1.2832'), sha256: digestOf(program('Kubernetes v1.2832')) },
      'and says Kubernetes v1.2832',
    ],
    [
      'another architecture',
      { served: '\u007fELF\u0001', sha256: digestOf('\u007fELF\u0001') },
      'should say version 1.28.2',
    ],
    ['an archive', { served: 'PK', sha256: digestOf('PK') }, 'should say version 1.28.2'],
  ])('%s stops, and nothing of it stays', (_what, given, words) => {
    const there = program('theirs');
    const { status, stderr, installed, beside } = run('url', 'install_kubelet', { ...given, there });
    expect(status).toBe(exitCode('kubelet-program'));
    expect(stderr).toContain(words);
    expect({ installed, beside }).toEqual({ installed: there, beside: undefined });
  });
  test('a vendor’s build has more behind the version', () => {
    const vendor = program('Kubernetes v1.28.2-aliyun.1');
    expect(run('url', 'install_kubelet', { served: vendor, sha256: digestOf(vendor) }).status).toBe(0);
  });
  test('a warning in front of the version is no part of it', () => {
    const wordy = `#!/bin/sh\necho 'Flag --x has been deprecated' >&2\necho Kubernetes v1.28.2\n`;
    expect(run('url', 'install_kubelet', { served: wordy, sha256: digestOf(wordy) }).status).toBe(0);
  });
  test('a program of another digest is never run', () => {
    const { status, calls } = run('url', 'install_kubelet', { served: '#!/bin/sh\necho ran >>"$CALLS"\n' });
    expect(status).toBe(exitCode('kubelet-program'));
    expect(calls.join()).not.toContain('ran');
  });
  test('nothing there is a failed download', () => {
    expect(run('url', 'install_kubelet', {}).status).toBe(exitCode('download'));
  });
  test('what may be secret in the URL is in no message', () => {
    const secret = 'KUBELET_URL="https://me:pass@files.example.com/a/kubelet?Signature=5ecret&x=https://y"';
    const given = { served: program('other'), sha256: digestOf(program('other')), more: secret };
    for (const { stderr } of [
      run('url', 'install_kubelet', given),
      run('url', 'install_kubelet', { more: secret }),
      run('url', 'check_kubelet', { more: secret }),
    ]) {
      expect(stderr).toContain('https://files.example.com/a/kubelet');
      expect(stderr).not.toMatch(/5ecret|pass|y"/);
    }
  });
  test('check asks without fetching, by HEAD, and by a GET of one byte where only that is signed', () => {
    const head = run('url', 'check_kubelet', { served: good });
    expect(head.status).toBe(0);
    expect(head.calls).toEqual([expect.stringMatching(/^curl -fsIL /)]);
    const more = 'curl() { calls curl "$@"; [[ $* != *-fsIL* ]]; }';
    const get = run('url', 'check_kubelet', { served: good, more });
    expect(get.status).toBe(0);
    expect(get.calls).toEqual([expect.stringMatching(/^curl -fsIL /), expect.stringContaining(' -r 0-0 ')]);
  });
  test('check stops when neither is answered, unless the program stands there already', () => {
    const { status, stderr, installed } = run('url', 'check_kubelet', {});
    expect(status).toBe(exitCode('download'));
    expect(stderr).toContain('https://files.example.com/kubelet');
    expect(installed).toBeUndefined();
    expect(run('url', 'check_kubelet', { there: good })).toMatchObject({ status: 0, calls: [] });
  });
});

describe.each(['check_kubelet', 'install_kubelet'])('SH: on the image, %s', (step) => {
  test('passes with the version, and with a digest where one is given', () => {
    expect(run('path', step, { there: good })).toMatchObject({ status: 0, stderr: '' });
    expect(run('path', step, { there: good, sha256: "''" })).toMatchObject({ status: 0, stderr: '' });
  });
  test.each([
    ['is missing', {}, 'is no program here'],
    ['is another version', { there: program('Kubernetes v1.27.2'), sha256: "''" }, 'and says Kubernetes v1.27.2'],
    ['has another digest', { there: good, sha256: '0'.repeat(64) }, 'its sha256 is not'],
    ['may not be run', { there: good, more: 'chmod 644 "$KUBELET_PROGRAM"' }, 'is no program here'],
    ['is a folder', { more: 'mkdir -p "$KUBELET_PROGRAM"' }, 'is no program here'],
  ])('%s: stops', (_what, given, words) => {
    const { status, stderr } = run('path', step, given);
    expect(status).toBe(exitCode('kubelet-program'));
    expect(stderr).toContain(words);
  });
});
