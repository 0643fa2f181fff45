/** Nothing that a user or a cluster says can become code. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { compose } from '../../src/script/compose.ts';
import type { ScriptInput } from '../../src/script/types.ts';
import { exampleInput } from './example-input.ts';

/** An input in which every text is `value`, but for what compose itself checks or only compares. */
function everywhere(value: string): ScriptInput {
  const version = { raw: value, base: '1.28.2', major: 1, minor: 28, patch: 2, suffix: value };
  return exampleInput({
    toolVersion: value,
    clusterName: value,
    kubeVersion: version,
    runtimePackages: [value, value],
    kubePackages: [value],
    elMajors: [value],
    criSocket: value,
    minKernel: value,
    join: { endpoint: `${value}:${value}`, token: value, pins: [value], extraWords: [value] },
    apiServerIp: value,
    kubeletExtraArgs: [value],
    sysctls: [value],
    overrideResolvConf: true,
    answers: { [`a${value}`]: value },
  });
}

/** Runs all of a script but its last line, then prints some constants; the folder must stay empty. */
function constantsOf(input: ScriptInput): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'ackone-join-hostile-'));
  try {
    const script = compose(input).text.replace(/main "\$@"\n$/, '');
    const print = `printf '%s\\0' "\${RUNTIME_PACKAGES[@]}" "$MIN_KERNEL" "$JOIN_TOKEN" "$API_SERVER_IP" "\${SYSCTLS[@]}" "\${KUBELET_FLAGS[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-s'], {
      input: `${script}${print}`,
      encoding: 'utf8',
      cwd: folder,
      env: { PATH: process.env.PATH },
    });
    expect(stderr).toBe('');
    expect(readdirSync(folder)).toEqual([]);
    return stdout.split('\0').slice(0, -1);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
const seven = (value: string) => Array.from({ length: 7 }, () => value);

const attacks = [
  "'; touch pwned; '",
  '$(touch pwned)',
  '`touch pwned`',
  '"; touch pwned; "',
  "x'\ntouch pwned\n'",
  '\\',
  "\\'; touch pwned #",
  '@&|;<>(){}[]*?~!%^',
  'a\nmain "$@"\nTABLE\nREPO\n',
  '\u001b[2J\u0007\r',
  '${IFS}$((1))',
];

test.each(attacks)('SH: %j in every field is inert and arrives as it is', (value) => {
  expect(constantsOf(everywhere(value))).toEqual(seven(value));
});

test('SH: any text at all', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary-ascii', maxLength: 40 }).map((text) => text.replaceAll('\0', '')),
      (value) => {
        expect(constantsOf(everywhere(value))).toEqual(seven(value));
      },
    ),
    { numRuns: 80 },
  );
});

/** What main does before its first phase. */
const asMain = 'RUN=.\nset -Eeuo pipefail\ntrap \'on_error "$?" "$LINENO" "$BASH_COMMAND"\' ERR';

test('SH: hostile variables of the registered cluster run nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ackone-join-hostile-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const script = compose(exampleInput()).text.replace(/main "\$@"\n$/, '');
  for (const value of attacks) {
    for (const name of ['PROVIDER_ID', 'NODE_NAME', 'LABELS', 'TAINTS']) {
      const env = {
        PATH: process.env.PATH,
        ALIBABA_CLOUD_PROVIDER_ID: 'cn-hangzhou.i-1',
        [`ALIBABA_CLOUD_${name}`]: value,
      };
      const { status } = spawnSync('bash', ['--norc', '-s'], {
        input: `${script}${asMain}\ncheck_variables`,
        cwd: folder,
        env,
      });
      expect([name, value, status]).not.toEqual([name, value, 0]);
      expect(readdirSync(folder)).toEqual(['failed']);
    }
  }
});
