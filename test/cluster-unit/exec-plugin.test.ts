import { existsSync, readFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../src/cluster/connect.ts';
import { runPlugin } from '../../src/cluster/exec-plugin.ts';
import { createAuthority } from './certificates.ts';
import { type FakeApi, startFakeApi } from './fake-api.ts';
import { asksVersion, options, write } from './lab.ts';
import { rejection } from './rejection.ts';

let api: FakeApi;
beforeAll(async () => {
  api = await startFakeApi();
});
afterEach(() => api.reset());
afterAll(() => api.close());

describe('H5 credential plugins', () => {
  const credential = (status: object) => JSON.stringify({ apiVersion, kind: 'ExecCredential', status });
  const apiVersion = 'client.authentication.k8s.io/v1';
  const plugin = async (name: string, body: string) => {
    const path = await write(api, `plugins/${name}`, `#!/bin/sh\n${body}\n`);
    await chmod(path, 0o755);
    return path;
  };
  const withPlugin = (exec: object) => api.kubeconfig({}, { exec: { apiVersion, interactiveMode: 'Never', ...exec } });

  test('its token is used; it gets arguments, variables and what it must know', async () => {
    const command = await plugin(
      'good',
      `printf '%s %s\\n' "$1" "$TEAM" >&2\necho "$KUBERNETES_EXEC_INFO" >&2\ncat <<X\n${credential({ token: 'from-plugin' })}\nX`,
    );
    const kubeconfig = await withPlugin({
      command,
      args: ['--get'],
      env: [{ name: 'TEAM', value: 'blue' }],
      provideClusterInfo: true,
    });
    let said = '';
    const onPluginOutput = (text: string) => {
      said += text;
    };
    expect(await asksVersion(api, { kubeconfig, onPluginOutput })).toBe('v1.28.3');
    expect(api.seen[0]?.headers.authorization).toBe('Bearer from-plugin');
    const [first, info] = said.split('\n');
    expect(first).toBe('--get blue');
    expect(JSON.parse(info ?? '')).toMatchObject({
      apiVersion,
      kind: 'ExecCredential',
      spec: { interactive: false, cluster: { server: api.url } },
    });
  });

  test('a relative command lies beside the kubeconfig', async () => {
    await plugin('near', `echo '${credential({ token: 'near' })}'`);
    expect(await asksVersion(api, { kubeconfig: await withPlugin({ command: './plugins/near' }) })).toBe('v1.28.3');
  });

  test('where somebody can be asked it is told so, with interactiveMode Always as well', async () => {
    const command = await plugin('tells', `echo "$KUBERNETES_EXEC_INFO" >&2\necho '${credential({ token: 'x' })}'`);
    let said = '';
    const onOutput = (text: string) => {
      said += text;
    };
    const run = {
      folder: undefined,
      userName: 'lab',
      env: {},
      interactive: true,
      timeoutMs: 5000,
      cluster: {},
      onOutput,
    };
    const exec = { command, apiVersion, args: [], env: [], installHint: undefined };
    expect(await runPlugin({ ...run, exec: { ...exec, interactiveMode: 'Always' } })).toMatchObject({ token: 'x' });
    expect(JSON.parse(said)).toEqual({ apiVersion, kind: 'ExecCredential', spec: { interactive: true } });
    said = '';
    await runPlugin({ ...run, exec: { ...exec, interactiveMode: 'Never' } });
    expect(JSON.parse(said)).toMatchObject({ spec: { interactive: false } });
  });

  test('one that is not on PATH is named, with its installHint', async () => {
    const kubeconfig = await withPlugin({
      command: 'kubectl-nowhere',
      installHint: 'Install it by: brew install nowhere',
    });
    const failure = await rejection(connect(options({ kubeconfig })));
    expect(failure.code).toBe('CredentialPluginFailed');
    expect(failure.message).toBe('the command kubectl-nowhere of user lab in the kubeconfig is not on this machine');
    expect(failure.next[0]).toBe('Install it by: brew install nowhere');
  });

  test('interactiveMode Always without a terminal fails before it is started', async () => {
    const marker = join(api.folder, 'started');
    const command = await plugin('asks', `touch ${marker}`);
    const failure = await rejection(
      connect(options({ kubeconfig: await withPlugin({ command, interactiveMode: 'Always' }) })),
    );
    expect(failure.code).toBe('CredentialPluginNeedsTerminal');
    expect(existsSync(marker)).toBe(false);
  });

  test('one that hangs is ended at the time limit with all that it started, and what it asked is shown', async () => {
    const pidFile = join(api.folder, 'pid');
    const command = await plugin(
      'hangs',
      `echo 'Open https://login.example.com and type ABCD' >&2\nsleep 600 &\necho $! > ${pidFile}\nwait`,
    );
    let shown = '';
    const onPluginOutput = (text: string) => {
      shown += text;
    };
    const kubeconfig = await withPlugin({ command });
    const failure = await rejection(connect(options({ kubeconfig, timeoutMs: 700, onPluginOutput })));
    expect(failure.code).toBe('CredentialPluginFailed');
    expect(failure.message).toContain('did not finish within 0.7 s');
    expect(failure.causes).toEqual(['Open https://login.example.com and type ABCD']);
    expect(shown).toBe('Open https://login.example.com and type ABCD\n');
    const pid = Number(readFileSync(pidFile, 'utf8'));
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  test('one that fails tells its exit code and what it said', async () => {
    const command = await plugin('fails', "echo 'session expired' >&2\nexit 3");
    const failure = await rejection(connect(options({ kubeconfig: await withPlugin({ command }) })));
    expect(failure.message).toMatch(/ended with exit code 3$/);
    expect(failure.causes).toEqual(['session expired']);
  });

  const answers: readonly [string, string, string][] = [
    ['no JSON', 'hello', 'gives no ExecCredential with a status'],
    [
      'no status',
      '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1"}',
      'gives no ExecCredential with a status',
    ],
    ['nothing in it', credential({}), 'gives neither a token nor a certificate'],
    ['half a pair', credential({ clientCertificateData: 'x' }), 'gives only one of certificate and key'],
    [
      'another version',
      '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1","status":{"token":"t"}}',
      'answers in another apiVersion than the one in the kubeconfig',
    ],
  ];
  test.each(answers)('an answer with %s is CredentialPluginFailed', async (_, answer, reason) => {
    const command = await plugin('odd', `cat <<'X'\n${answer}\nX`);
    const failure = await rejection(connect(options({ kubeconfig: await withPlugin({ command }) })));
    expect(failure.code).toBe('CredentialPluginFailed');
    expect(failure.message).toContain(reason);
  });

  test('a client certificate from it is used as one', async () => {
    const pair = await (await createAuthority('clients')).issue(['jane']);
    const status = { clientCertificateData: pair.cert, clientKeyData: pair.key };
    const command = await plugin('pair', `cat <<'X'\n${credential(status)}\nX`);
    expect(await asksVersion(api, { kubeconfig: await withPlugin({ command }) })).toBe('v1.28.3');
  });
});

/** A zombie that nobody waits for runs no more. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
