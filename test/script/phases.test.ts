/** How a script runs: phases, their deadline, the log, the ways to end. */
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { exitCode, Host, template, templates } from './bash.ts';
import { exampleToken } from './example-input.ts';

const files = ['lib/phase.sh', 'lib/retry.sh', 'main.sh'];
/** main with phases of the test's own. */
const script = (phases: string, deadline = 30) => `
  JOIN_TOKEN=${exampleToken} DEADLINE_SECONDS=${deadline}
  mktemp() { command mktemp -d "$ROOT/made.XXXXXX"; }
  ${phases}
  main`;
const steps = 'phase_check() { echo one; }\nphase_prepare() { echo two; }\nphase_join() { echo three; }';
const newHost = () => new Host({ '/run/.keep': '', '/var/log/.keep': '' });
const run = (phases: string, env: Readonly<Record<string, string>> = {}, deadline = 30) => {
  const host = newHost();
  return { host, ...host.run(files, script(phases, deadline), env) };
};
const lines = (stdout: string) => stdout.split('\n').filter((line) => !line.startsWith('ackone-join:'));

describe('SH: the exit codes', () => {
  const rows = template('lib/fail.sh').match(/^\d\d \S+ .*$/gm)!;
  test('are 20 to 69, each once, each name once, each with a plain sentence', () => {
    const codes = rows.map((row) => Number(row.slice(0, 2)));
    const names = rows.map((row) => row.split(' ')[1]);
    expect(codes).toEqual([...new Set(codes)].sort());
    expect(Math.min(...codes)).toBeGreaterThanOrEqual(20);
    expect(Math.max(...codes)).toBeLessThanOrEqual(69);
    expect(new Set(names).size).toBe(names.length);
    for (const row of rows) expect(row).toMatch(/^\d\d [a-z0-9-]+ ([A-Z]|kube)[^!]{8,90}$/);
  });
  test('each is used, and no other name is', () => {
    const everything = templates.map((file) => template(file).replace(/^ *#.*$/gm, '')).join('\n');
    const used = new Set([...everything.matchAll(/\b(?:fail|end|wanted) ([a-z][a-z0-9-]*)/g)].map((match) => match[1]));
    expect([...used].sort()).toEqual(rows.map((row) => row.split(' ')[1]!).sort());
  });
});

describe('SH: ACKONE_JOIN_PHASE', () => {
  test('unset runs all three, in order, with a summary of durations', () => {
    const { status, stdout } = run(steps);
    expect(status).toBe(0);
    expect(lines(stdout)).toEqual(['one', 'two', 'three', '']);
    expect(stdout).toMatch(/done, check \d+ s, prepare \d+ s, join \d+ s\n$/);
  });
  test('check runs alone, and writes nothing that stays', () => {
    const { host, stdout } = run(steps, { ACKONE_JOIN_PHASE: 'check' });
    expect(lines(stdout)).toEqual(['one', '']);
    expect(() => statSync(host.path('/var/log/ackone-join.log'))).toThrow();
    expect(() => statSync(host.path('/run/ackone-join.lock'))).toThrow();
    expect(readdirSync(host.root).filter((name) => name.startsWith('made'))).toEqual([]);
  });
  test('prepare runs alone', () => {
    expect(lines(run(steps, { ACKONE_JOIN_PHASE: 'prepare' }).stdout)).toEqual(['two', '']);
  });
  test('another value is refused', () => {
    const { status, stdout } = run(steps, { ACKONE_JOIN_PHASE: 'jion' });
    expect(status).toBe(exitCode('phase-unknown'));
    expect(lines(stdout)).toEqual(['']);
  });
  test('a host that has joined already skips prepare', () => {
    expect(lines(run(steps.replace('echo one', 'echo one; : >"$RUN/joined"')).stdout)).toEqual(['one', 'three', '']);
  });
});

describe('SH: a phase that fails', () => {
  test('by fail: its code and one sentence, nothing after it', () => {
    const { status, stdout } = run(`${steps}\nphase_check() { fail disk 'x has 1'; echo went on; }`);
    expect(status).toBe(exitCode('disk'));
    expect(stdout.match(/FAILED/g)).toHaveLength(1);
    expect(stdout).toContain(`FAILED: There is too little space: x has 1 (disk, exit code ${status})`);
    expect(stdout).not.toMatch(/went on|two/);
    expect(stdout).toMatch(/phases: check \d+ s\n$/);
  });
  test('by fail deep in a substitution: the same, once', () => {
    const { status, stdout } = run(
      `${steps}\ninner() { fail clock; }\nphase_check() { local x; x=$(inner | cat); echo went on; }`,
    );
    expect(status).toBe(exitCode('clock'));
    expect(stdout.match(/FAILED/g)).toHaveLength(1);
    expect(stdout).not.toContain('went on');
  });
  test('by a command that nobody thought of: where and what, even with a code that is in our range', () => {
    const { status, stdout } = run(`${steps}\nphase_check() { (exit 35); echo went on; }`);
    expect(status).toBe(exitCode('unforeseen'));
    expect(stdout).toMatch(/FAILED: A command failed: line \d+, status 35/);
    expect(stdout).not.toContain('went on');
  });
  test('by a signal', () => {
    expect(run(`${steps}\nphase_check() { kill -KILL $BASHPID; }`).status).toBe(exitCode('unforeseen'));
  });
  test('what a detail holds cannot steer the terminal', () => {
    const { stdout } = run(`${steps}\nphase_check() { fail disk $'\\e[2J\\a\\nx'; }`);
    expect(stdout).not.toMatch(/[^\x20-\x7e\n]/);
  });
});

describe('SH: the deadline', () => {
  /** A name in the process list that only this host's sleepers have, and those that carry it still. */
  const nameOf = (host: Host) => host.root.split('-').at(-1)!;
  const alive = (host: Host) => spawnSync('pgrep', ['-f', `^${nameOf(host)}`], { encoding: 'utf8' }).stdout;

  test('ends a phase and all that it started, names it, and has its own code', () => {
    const host = newHost();
    const sleeper = `exec -a ${nameOf(host)} sleep 300`;
    const slow = `${steps}\nphase_check() { (trap '' TERM; ${sleeper}) & (${sleeper}); }`;
    const { status, stdout } = host.run(files, script(slow, 5));
    expect(status).toBe(exitCode('deadline'));
    expect(stdout).toContain('FAILED: The time ran out: phase check');
    expect(stdout).not.toContain('two');
    expect(alive(host)).toBe('');
  });
  test('leaves no watchdog behind', () => {
    const host = newHost();
    const named = `sleep() { (exec -a ${nameOf(host)} sleep "$@"); }`;
    const seen = `phase_join() { until pgrep -f '^${nameOf(host)}' >/dev/null; do :; done; echo seen; }`;
    const { status, stdout } = host.run(files, script(`${steps}\n${named}\n${seen}`, 300));
    expect(status).toBe(0);
    expect(lines(stdout)).toContain('seen');
    expect(alive(host)).toBe('');
  });
  test('a main that is killed takes its phase along, and the next run is not refused', async () => {
    const host = newHost();
    const slow = `${steps}\nphase_check() { echo ready; (exec -a ${nameOf(host)} sleep 300); }`;
    const child = spawn('bash', ['--norc', '-c', host.text(files, script(slow))], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await new Promise<void>((resolve) =>
      child.stdout.on('data', (data) => String(data).includes('ready') && resolve()),
    );
    child.kill('SIGKILL');
    expect(host.run(files, script(steps))).toMatchObject({ status: 0 });
    await vi.waitFor(() => expect(alive(host)).toBe(''), { timeout: 10_000 });
  });
});

test('SH: an interruption from outside ends the phase, and says so', async () => {
  const host = newHost();
  const text = host.text(files, script(`${steps}\nphase_check() { echo ready; exec sleep 300; }`));
  const child = spawn('bash', ['--norc', '-c', text], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
    if (output.endsWith('ready\n')) child.kill('SIGTERM');
  });
  const status = await new Promise((resolve) => child.on('close', resolve));
  expect(status).toBe(exitCode('interrupted'));
  expect(output).toContain('interrupted from outside');
});

describe('SH: the log', () => {
  const loud = steps.replace(
    'echo one',
    `echo "token ${exampleToken} in a line"; echo "again ${exampleToken.slice(7)}" >&2; printf 'no newline'`,
  );
  test('a token’s secret half appears nowhere', () => {
    const { host, stdout } = run(loud);
    const log = host.read('/var/log/ackone-join.log');
    for (const text of [stdout, log]) {
      expect(text).toContain('token abcdef.**************** in a line');
      expect(text).toContain('again ****************');
      expect(text).toContain('no newline');
      expect(text).not.toContain(exampleToken.slice(7));
    }
  });
  test('nor does what else a bootstrap kubeconfig holds, quoted or not', () => {
    const data = Buffer.from('-----BEGIN EC PRIVATE KEY-----').toString('base64');
    for (const value of [data, `"${data}"`, `'${data}'`]) {
      const host = newHost();
      host.write('kubeconfig', `- user:\n    client-certificate-data: Y2VydA==\n    client-key-data: ${value}\n`);
      const print = script(steps.replace('echo one', 'echo "$BOOTSTRAP_KUBECONFIG"; echo "plain line"'));
      const constants = `JOIN_TOKEN='' BOOTSTRAP_KUBECONFIG=$(cat "$ROOT/kubeconfig")`;
      const { stdout } = host.run(files, print.replace(`JOIN_TOKEN=${exampleToken}`, constants));
      for (const text of [stdout, host.read('/var/log/ackone-join.log')]) {
        expect(text).toContain('client-certificate-data: Y2VydA==\n');
        expect(text).toMatch(/client-key-data: ["']?\*{16}["']?\n/);
        expect(text).toContain('plain line\n');
        expect(text).not.toContain(data);
      }
    }
  });
  test('is for root’s eyes, is added to, and has the time in each line', () => {
    const { host } = run(loud);
    expect(statSync(host.path('/var/log/ackone-join.log')).mode & 0o777).toBe(0o600);
    const log = host.read('/var/log/ackone-join.log').trimEnd().split('\n');
    for (const line of log) expect(line).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4} /);
    host.run(files, script(loud));
    expect(host.read('/var/log/ackone-join.log').trimEnd().split('\n')).toHaveLength(log.length * 2);
  });
});

test('SH: stdin is never read', () => {
  const { stdout } = run(steps.replace('echo one', 'cat; echo one'));
  expect(lines(stdout)[0]).toBe('one');
});

test('SH: two runs at once: the second one stops', () => {
  const { status } = run(`${steps}\nflock() { return 1; }`);
  expect(status).toBe(exitCode('already-running'));
});

test('SH: a download is tried again, with longer pauses', () => {
  const host = new Host();
  const { status } = host.run(
    files,
    'sleep() { calls "$1"; }\ncurl() { return 22; }\nfetch https://x /dev/null || exit 9',
  );
  expect(status).toBe(9);
  expect(host.calls()).toEqual(['2', '4', '8', '16']);
});
