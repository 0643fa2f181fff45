/** Nothing that a user or a cluster says can become code. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { quote } from '../../src/quote.ts';
import { compose } from '../../src/script/compose.ts';
import type { BinaryInput, ScriptInput } from '../../src/script/types.ts';
import { Host } from './bash.ts';
import { exampleBinary } from './example-binary.ts';
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

/** The same for what only binary style has. */
function everywhereBinary(value: string): BinaryInput {
  const paths = { kubelet: value, kubeconfig: value, bootstrapKubeconfig: value, config: value, certDir: value };
  return exampleBinary({
    endpoint: 'api.example.com:6443',
    apiServerIp: value,
    caPem: value,
    kubelet: { kind: 'url', url: value, sha256: value },
    kubeletConfig: value,
    unit: { text: value, ...paths, labels: value, taints: value },
    bootstrap: { kubeconfig: value, token: value },
    postScript: value,
  });
}

const usual = ['RUNTIME_PACKAGES[@]', 'MIN_KERNEL', 'JOIN_TOKEN', 'SYSCTLS[@]', 'KUBELET_FLAGS[@]'];
const files = ['SERVER_CA', 'BOOTSTRAP_KUBECONFIG', 'KUBELET_CONFIG', 'KUBELET_UNIT', 'POST_SCRIPT'];
const places = ['KUBELET_URL', 'KUBELET_SHA256', 'KUBELET_PROGRAM', 'KUBECONFIG_FILE', 'BOOTSTRAP_FILE', 'CONFIG_FILE'];
const binary = [...files, ...places, 'CERT_DIR', 'UNIT_LABELS', 'UNIT_TAINTS', 'JOIN_TOKEN', 'API_SERVER_IP'];

/** Runs all of a script but its last line, then prints some constants; the folder must stay empty. */
function constantsOf(input: ScriptInput, names: readonly string[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'ackone-join-hostile-'));
  try {
    const script = compose(input).text.replace(/main "\$@"\n$/, '');
    const print = `printf '%s\\0' ${names.map((name) => `"\${${name}}"`).join(' ')}`;
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

function expectInert(value: string): void {
  // RUNTIME_PACKAGES are two.
  expect(constantsOf(everywhere(value), usual)).toEqual(Array.from({ length: usual.length + 1 }, () => value));
  expect(constantsOf(everywhereBinary(value), binary)).toEqual(binary.map(() => value));
}

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
  'first\n  \'second\' "third" \\\n$(touch pwned) `touch pwned`\nEOF\nTOML\nUNIT\n\n',
];

test.each(attacks)('SH: %j in every field is inert and arrives as it is', (value) => {
  expectInert(value);
});

test('SH: any text at all', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary-ascii', maxLength: 40 }).map((text) => text.replaceAll('\0', '')),
      expectInert,
    ),
    { numRuns: 60 },
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

test.each(attacks)('SH: %j as the text of a file gets into the file, and nowhere else', (value) => {
  const host = new Host();
  const constants = Object.entries({
    SERVER_CA: value,
    KUBELET_CONFIG: value,
    BOOTSTRAP_KUBECONFIG: value,
    KUBELET_UNIT: `ExecStart=/x\n${value}`,
  })
    .map(([name, text]) => `${name}=${quote(text)}`)
    .join('\n');
  const systemctl = `systemctl() { [[ $1 != show ]] || echo "path=$KUBELET_PROGRAM ; $BOOTSTRAP_FILE $KUBECONFIG_FILE $CONFIG_FILE"; [[ $1 != cat ]] || printf '%s\\n' ExecStart=1 ExecStart=2; }`;
  const script = `${constants}\nKUBELET_PROGRAM=/x\n${systemctl}\nwrite_bootstrap\ninstall_unit`;
  expect(host.run(['lib/files.sh', 'join/unit.sh', 'join/bootstrap.sh'], script)).toMatchObject({
    status: 0,
    stderr: '',
  });
  expect(host.read('/etc/kubernetes/bootstrap-kubelet.conf')).toBe(value);
  expect(host.read('/etc/kubernetes/pki/ca.crt')).toBe(`${value}\n`);
  expect(host.read('/var/lib/kubelet/config.yaml')).toBe(`# Written by ackone-join\n${value}\n`);
  expect(host.read('/etc/systemd/system/kubelet.service')).toBe(`# Written by ackone-join\nExecStart=/x\n${value}\n`);
  expect(readdirSync(host.root).sort()).toEqual(['etc', 'scratch', 'var']);
});
