/** The user's own script, which runs once on a node that has joined, in either style. */
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { exitCode, Host } from './bash.ts';

const files = ['lib/files.sh', 'check/variables.sh', 'join/post-script.sh'];
const env = {
  ALIBABA_CLOUD_PROVIDER_ID: 'cn-hangzhou.i-1',
  ALIBABA_CLOUD_NODE_NAME: 'cn-hangzhou.192.0.2.10',
  ALIBABA_CLOUD_LABELS: 'a=b',
};
const bash = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const post = (text: string, host = new Host(), after = '', variables: Readonly<Record<string, string>> = env) => ({
  host,
  ...host.run(files, `readonly POST_SCRIPT=${bash(text)}\nrun_post_script\n${after}`, variables),
});

describe('SH: the post script', () => {
  test('runs by bash, on its own, with the variables and nothing on stdin', () => {
    const { status, stdout } = post(
      'set +e; false; cat; echo "$BASH_VERSION" | cut -c1; shopt -o errexit; set | grep ^ALIBABA; echo ${POST_SCRIPT-unset}; pwd',
    );
    expect(status).toBe(0);
    expect(stdout).toBe(
      'x\nerrexit        \toff\nALIBABA_CLOUD_LABELS=a=b\nALIBABA_CLOUD_NODE_NAME=cn-hangzhou.192.0.2.10\nALIBABA_CLOUD_PROVIDER_ID=cn-hangzhou.i-1\nunset\n/\n'.replace(
        'x',
        spawnSync('bash', ['-c', 'echo "$BASH_VERSION" | cut -c1'], { encoding: 'utf8' }).stdout.trim(),
      ),
    );
  });
  test('gets variables that were never exported', () => {
    const host = new Host();
    const script = `readonly POST_SCRIPT='echo "$ALIBABA_CLOUD_TAINTS"'\nALIBABA_CLOUD_TAINTS=k=v:NoSchedule\nrun_post_script`;
    expect(host.run(files, script, env).stdout).toBe('k=v:NoSchedule\n');
  });
  test('what it prints on either stream is shown in order, the last line without a newline too', () => {
    expect(post('echo one; echo two >&2; printf three').stdout).toBe('one\ntwo\nthree');
  });
  test('that fails has its own code, and is run again next time', () => {
    const { host, status, stderr, stdout } = post('echo almost; exit 7');
    expect(status).toBe(exitCode('post-script'));
    expect(stderr).toContain('it ended with status 7');
    expect(stdout).toBe('almost\n');
    expect(post('echo again', host).stdout).toBe('again\n');
  });
  test('is run once for a machine, and again on one that is made from its image', () => {
    const { host } = post('echo ran');
    expect(post('echo ran', host).stdout).toBe('');
    expect(post('echo ran', host, '', { ...env, ALIBABA_CLOUD_PROVIDER_ID: 'cn-hangzhou.i-2' }).stdout).toBe('ran\n');
  });
  test('whatever is in it', () => {
    const text = `cat <<'EOF'\n$(id) \`id\` "' \\\nEOF\nprintf '%s|' "$0" '\\n'\n`;
    const { stdout } = post(text.replace('"$0" ', ''));
    expect(stdout).toBe('$(id) `id` "\' \\\n\\n|');
  });
  test('what it leaves running holds up neither this run nor the next one', () => {
    const host = new Host();
    const script = `
      exec 8>"$ROOT/lock"
      flock -n 8
      readonly POST_SCRIPT='sleep 20 & echo "$!" >"$ROOT/pid"; echo done'
      run_post_script | cat
      exec 8>&-
      flock -n "$ROOT/lock" echo free
      kill "$(cat "$ROOT/pid")"`;
    const began = Date.now();
    expect(host.run(files, script, env).stdout).toBe('done\nfree\n');
    expect(Date.now() - began).toBeLessThan(15_000);
  });
});
