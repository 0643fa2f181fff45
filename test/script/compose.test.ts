/** What holds of every composed script, whatever is in it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { compose } from '../../src/script/compose.ts';
import { templateFiles } from '../../src/script/templates.ts';
import type { KubeadmInput, Registries } from '../../src/script/types.ts';
import { parseVersion } from '../../src/script/versions.ts';
import { binaries } from '../golden/binary.ts';
import { pairs, scriptOf } from '../golden/pairs.ts';
import { template, templates } from './bash.ts';
import { exampleBinary } from './example-binary.ts';
import { exampleInput, exampleToken } from './example-input.ts';

const closed: Registries = {
  mirrors: [{ registry: undefined, url: 'https://m.example.com' }],
  caPem: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
  caHosts: ['m.example.com', 'registry.example.com:5000'],
};

/** Every way in which a script can differ from another, one or several at a time. */
const inputs: Readonly<Record<string, Partial<KubeadmInput>>> = {
  usual: {},
  'nothing touched': {
    firewall: 'keep',
    selinux: 'keep',
    swap: 'keep',
    kernelModules: 'keep',
    sysctls: [],
    tools: 'keep',
  },
  'everything asked for': {
    ipvs: true,
    overrideResolvConf: true,
    needsCgroupV2: true,
    minKernel: '4.19',
    elMajors: ['8', '9', '10'],
    apiServerIp: '192.0.2.20',
    selinux: 'permissive',
    kubeletExtraArgs: ['--v=2'],
    runtime: 'docker',
    criSocket: 'unix:///var/run/cri-dockerd.sock',
    criDockerdUrl:
      'https://github.com/Mirantis/cri-dockerd/releases/download/v0.3.20/cri-dockerd-0.3.20-3.el9.x86_64.rpm',
    runtimePackages: ['docker-ce-28.3.3', 'docker-ce-cli-28.3.3', 'containerd.io'],
    sysctls: Array.from({ length: 12 }, (_, at) => `net.core.some_setting_${at}=100000`),
    answers: {
      deadline: 1200,
      criDockerdUrl:
        'https://github.com/Mirantis/cri-dockerd/releases/download/v0.3.20/cri-dockerd-0.3.20-3.el9.x86_64.rpm',
    },
    join: {
      endpoint: 'apiserver.cluster.local:6443',
      token: exampleToken,
      pins: Array.from({ length: 3 }, () => exampleInput().join.pins[0]!),
      extraWords: ['--v=5'],
    },
  },
  'a JoinConfiguration': { join: { endpoint: '', token: '', pins: [], extraWords: ['--config=/etc/join.yaml'] } },
  upstream: { mirror: 'upstream' },
  'containerd without a way out': { mirror: 'https://m.example.com/x', registries: closed, apiServerIp: '192.0.2.20' },
  'containerd 1.5 without a way out': {
    registries: closed,
    runtimeVersion: parseVersion('1.5.11')!,
    runtimePackages: ['containerd.io-1.5.11'],
  },
  'docker without a way out': {
    mirror: 'http://m.example.com',
    registries: closed,
    runtime: 'docker',
    runtimeVersion: parseVersion('20.10.24')!,
    runtimePackages: ['docker-ce-20.10.24', 'docker-ce-cli-20.10.24', 'containerd.io'],
  },
};
const scripts = [
  ...pairs.map((pair) => ({ name: pair.name, script: scriptOf(pair) })),
  ...Object.entries(inputs).map(([name, overrides]) => ({ name, script: compose(exampleInput(overrides)) })),
  ...Object.entries(binaries).map(([name, input]) => ({ name, script: compose(input) })),
];

/** Runs a checker on files in a folder of its own; its whole output is the failure. */
function passes(command: string, words: readonly string[], texts: Readonly<Record<string, string>>): void {
  const folder = mkdtempSync(join(tmpdir(), 'ackone-join-composed-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = Object.entries(texts).map(([name, text]) => {
    const path = join(folder, `${name}.sh`);
    writeFileSync(path, text);
    return path;
  });
  const { status, stdout, stderr } = spawnSync(command, [...words, ...files], { encoding: 'utf8' });
  expect({ status, output: stdout + stderr }).toEqual({ status: 0, output: '' });
}

describe('every composed script', () => {
  const texts = Object.fromEntries(scripts.map(({ name, script }) => [name, script.text]));
  test('SH: is clean for shellcheck', () => passes('shellcheck', ['-s', 'bash', '-S', 'style'], texts), 180_000);
  test('SH: is clean for shfmt', () => passes('shfmt', ['-i', '2', '-d'], texts));

  test.each(scripts)('PF F7: $name is under 40 KiB, and its size and digest are told', ({ script }) => {
    expect(script.size).toBe(Buffer.byteLength(script.text));
    expect(script.size).toBeLessThan(40 * 1024);
    expect(script.digest).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each(scripts)('PF: $name names no repository, mirror or tool that is gone (B1 B8 B10)', ({ script }) => {
    expect(script.text).not.toMatch(
      /packages\.cloud\.google\.com|yum\.kubernetes\.io|ustc|yum-config-manager|gpgcheck=0(?<!repo_gpgcheck=0)/,
    );
    expect(script.text).not.toMatch(
      /--network-plugin=cni(?! --pod-infra| \$KUBELET_EXTRA_ARGS)|--container-runtime=|\$releasever(?!\|)/,
    );
  });

  test.each(scripts)('PF: $name calls main on its last line', ({ script }) => {
    expect(script.text.split('\n').slice(-2)).toEqual(['main "$@"', '']);
  });
});

test('PF: the same input gives the same bytes, whatever order its answers come in', () => {
  const one = compose(exampleInput({ answers: { a: 1, b: 'x' } }));
  const two = compose(exampleInput({ answers: { b: 'x', a: 1 } }));
  expect(two).toEqual(one);
});

test('PF: the version of the tool stands in the first comment only', () => {
  const text = (toolVersion: string) => compose(exampleInput({ toolVersion })).text;
  const differing = text('1.2.3')
    .split('\n')
    .flatMap((line, at) => (line === text('9.8.7').split('\n')[at] ? [] : [at]));
  expect(differing).toEqual([1]);
});

test('PF: the last comment holds the answers and a digest of the code, and no secret', () => {
  const { text } = compose(exampleInput({ answers: { mirror: 'auto', note: 'a\nrm -rf / é' } }));
  const line = text.split('\n').at(-3)!;
  const { digest, answers } = JSON.parse(line.replace('# ackone-join: ', ''));
  expect(answers).toEqual({ mirror: 'auto', note: 'a\nrm -rf / é' });
  expect(text).toContain(`SCRIPT_DIGEST='${digest}'\n`);
  expect(line).not.toContain(exampleToken.slice(7));
  expect(line).toMatch(/^[\x20-\x7e]*$/);
});

test('PF: a cluster name cannot end its comment', () => {
  const { text } = compose(exampleInput({ clusterName: 'x\nrm -rf /\r\u2028y', toolVersion: '1\n2' }));
  expect(text.split('\n')[1]).toBe('# Made by ackone-join 1?2 for cluster x?rm -rf /??y: joins this host to it.');
});

test('PF: a runtime’s files only, and constants that are used only', () => {
  const docker = scriptOf(pairs.find(({ name }) => name === 'docker-1.21')!).text;
  const containerd = scriptOf(pairs.find(({ name }) => name === 'containerd-1.21')!).text;
  expect(docker).not.toMatch(/config\.toml|CRI_DOCKERD/);
  expect(containerd).not.toContain('daemon.json');
  for (const { script } of scripts) {
    for (const [, name] of script.text.matchAll(/^([A-Z0-9_]+)=/gm)) {
      expect(script.text.match(new RegExp(`\\b${name}\\b`, 'g'))!.length).toBeGreaterThan(1);
    }
  }
});

test('PF: dropping the comments changes no function', () => {
  const declared = (text: string) =>
    spawnSync('bash', ['--norc', '-s'], { input: `${text}\ndeclare -f`, encoding: 'utf8' }).stdout;
  for (const input of [...Object.values(inputs).map(exampleInput), ...Object.values(binaries)]) {
    const whole = templateFiles(input).map(template).join('\n');
    expect(declared(compose(input).text.replace(/main "\$@"\n$/, ''))).toBe(declared(whole));
  }
});

test.each([
  ['apiserver.cluster.local:6443', true],
  ['192.0.2.10:6443', false],
  ['[2001:db8::1]:6443', false],
  ['', false],
])('PF: --api-server-ip is a hosts line for a name only: %j', (endpoint, written) => {
  const { text } = compose(exampleInput({ apiServerIp: '192.0.2.20', join: { ...exampleInput().join, endpoint } }));
  expect(text.includes('\nname_api_server() {')).toBe(written);
  expect(text.includes("API_SERVER_IP='192.0.2.20'")).toBe(written);
});

test('PF: a sandbox image that is no image reference never gets into a configuration', () => {
  expect(() => compose(exampleInput({ sandboxImage: 'x"\n[plugins]' }))).toThrow('image reference');
});

describe.each([
  ['kubeadm', compose(exampleInput())],
  ['binary', compose(exampleBinary({ postScript: 'id\n' }))],
])('SH: half a script runs nothing, %s', (_style, { text }) => {
  /** Before the last line's own word is whole. */
  const end = text.length - 'ain "$@"\n'.length;
  test.each(Array.from({ length: 40 }, (_, at) => Math.floor((end * (at + 1)) / 40)))(
    'the first %i characters',
    (length) => {
      const folder = mkdtempSync(join(tmpdir(), 'ackone-join-half-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      // Without a PATH nothing but bash's own commands could run at all.
      const { stdout } = spawnSync('/bin/bash', ['--norc', '-s'], {
        input: text.slice(0, length),
        encoding: 'utf8',
        cwd: folder,
        env: { PATH: '/nonexistent' },
      });
      expect(stdout).toBe('');
      expect(readdirSync(folder)).toEqual([]);
    },
  );
  test('outside of functions there are assignments only', () => {
    const traced = spawnSync('/bin/bash', ['--norc', '-x', '-s'], {
      input: text.slice(0, end - 1),
      encoding: 'utf8',
      env: { PATH: '/nonexistent' },
    });
    const ran = traced.stderr.split('\n').filter((line) => line.startsWith('+ '));
    expect(ran.length).toBeGreaterThan(20);
    for (const line of ran) expect(line).toMatch(/^\+ [A-Z0-9_]+=/);
  });
});

describe('PF: bash 4.2 and the tools of EL 7', () => {
  const all = templates.map((file) => [file, template(file).replace(/^\s*#.*$/gm, '')] as const);
  const newer: readonly (readonly [what: string, pattern: RegExp])[] = [
    ['local -n (4.3)', /\b(local|declare|typeset) -\w*n/],
    ['${x@Q} (4.4)', /\$\{[^}]*@[A-Za-z]\}/],
    ['inherit_errexit (4.4)', /inherit_errexit/],
    ['mapfile -d (4.4)', /\b(mapfile|readarray) -\w*d/],
    ['a negative index (4.3)', /\$\{\w+\[-\d/],
    ['wait -n (4.3)', /\bwait -n/],
    ['EPOCHSECONDS (5.0)', /EPOCH(SECONDS|REALTIME)/],
    ['[[ -v array[x] ]] (4.3)', /\[\[ -v /],
    ['declare -g with -A, printf %()T without an argument (4.3)', /printf '%\([^)]*\)T[^']*'(?! -?\d)/],
    ['systemctl enable --now, is-system-running --wait (220)', /systemctl[^\n]*--(now|wait|value)/],
    ['jq, ip -j', /\bjq\b|\bip -j/],
    ['curl options after 7.29', /--(fail-with-body|retry-all-errors|retry-connrefused|parallel)/],
    ['&>> and |& are fine, but wait -p is not (5.1)', /\bwait -p/],
  ];
  test.each(newer)('no %s', (_what, pattern) => {
    expect(all.filter(([, text]) => pattern.test(text)).map(([file]) => file)).toEqual([]);
  });

  test('an array that may be empty is never expanded bare, which set -u of 4.2 dies of', () => {
    const never = [
      'RUNTIME_PACKAGES',
      'KUBE_PACKAGES',
      'JOIN_WORDS',
      'EL_MAJORS',
      'SYSCTLS',
      'MODULES',
      'TOOLS',
      'REGISTRY_URLS',
      'modules',
      'missing',
      'secrets',
      'words',
      'yum',
      '@',
    ];
    for (const [file, text] of all) {
      for (const [, name] of text.matchAll(/(?<!\+)"\$\{([\w@]+)\[@\]\}"/g)) expect([file, ...never]).toContain(name);
    }
  });
  test('a function that can fail is called where its failure is seen: in an assignment, not among words', () => {
    const failing = 'el_major|located|wanted_labels|wanted_taints|kubelet_file|mirror';
    for (const [, text] of all) {
      const among = text
        .split('\n')
        .filter(
          (line) =>
            new RegExp(`\\$\\((${failing})\\b`).test(line) && !/^\s*[a-z_]+=("?)(\$\(|\$\{url\/@\w+\/\$\()/.test(line),
        );
      expect(among).toEqual([]);
    }
  });
});

test('PF: a disabled check of shellcheck has its reason in front of it', () => {
  for (const { script } of scripts) {
    const lines = script.text.split('\n');
    lines.forEach((line, at) => {
      if (/# shellcheck /.test(line)) expect(lines[at - 1]).toMatch(/^\s*# .{20,}/);
    });
  }
});

test('PF: bash itself takes every script', () => {
  for (const { script } of scripts) execFileSync('bash', ['-n'], { input: script.text });
});
