/** What holds of every composed script, whatever is in it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { compose } from '../../src/script/compose.ts';
import { templateFiles } from '../../src/script/templates.ts';
import type { ScriptInput } from '../../src/script/types.ts';
import { pairs, scriptOf } from '../golden/pairs.ts';
import { template } from './bash.ts';
import { exampleInput, exampleToken } from './example-input.ts';

/** Every way in which a script can differ from another, one or several at a time. */
const inputs: Readonly<Record<string, Partial<ScriptInput>>> = {
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
};
const scripts = [
  ...pairs.map((pair) => ({ name: pair.name, script: scriptOf(pair) })),
  ...Object.entries(inputs).map(([name, overrides]) => ({ name, script: compose(exampleInput(overrides)) })),
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

  test.each(scripts)('PF F7: $name is under 32 KiB, and its size and digest are told', ({ script }) => {
    expect(script.size).toBe(Buffer.byteLength(script.text));
    expect(script.size).toBeLessThan(32 * 1024);
    expect(script.digest).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each(scripts)('PF: $name names no repository, mirror or tool that is gone (B1 B8 B10)', ({ script }) => {
    expect(script.text).not.toMatch(
      /packages\.cloud\.google\.com|yum\.kubernetes\.io|ustc|yum-config-manager|gpgcheck=0(?<!repo_gpgcheck=0)/,
    );
    expect(script.text).not.toMatch(/--network-plugin=cni(?! --pod-infra)|--container-runtime=|\$releasever(?!\|)/);
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
  expect(text).toContain(`readonly SCRIPT_DIGEST='${digest}'\n`);
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
    for (const [, name] of script.text.matchAll(/^readonly (?:-a )?([A-Z_]+)=/gm)) {
      expect(script.text.match(new RegExp(`\\b${name}\\b`, 'g'))!.length).toBeGreaterThan(1);
    }
  }
});

test('PF: dropping the comments changes no function', () => {
  const declared = (text: string) =>
    spawnSync('bash', ['--norc', '-s'], { input: `${text}\ndeclare -f`, encoding: 'utf8' }).stdout;
  for (const overrides of Object.values(inputs)) {
    const input = exampleInput(overrides);
    const whole = templateFiles(input).map(template).join('\n');
    expect(declared(compose(input).text.replace(/main "\$@"\n$/, ''))).toBe(declared(whole));
  }
});

test('PF: a sandbox image that is no image reference never gets into a configuration', () => {
  expect(() => compose(exampleInput({ sandboxImage: 'x"\n[plugins]' }))).toThrow('image reference');
});

describe('SH: half a script runs nothing', () => {
  const { text } = compose(exampleInput());
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
    for (const line of traced.stderr.trimEnd().split('\n')) expect(line).toMatch(/^\+ (readonly |[A-Z_]+=)/);
  });
});

describe('PF: bash 4.2 and the tools of EL 7', () => {
  const all = readdirSync(new URL('../../script-templates/', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sh'))
    .map((file) => [file, template(file).replace(/^\s*#.*$/gm, '')] as const);
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
      'modules',
      'missing',
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
