import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { type ConnectOptions, connect } from '../../src/cluster/connect.ts';
import { listContexts } from '../../src/cluster/contexts.ts';
import { runPlugin } from '../../src/cluster/exec-plugin.ts';
import { type ConnectProxy, startConnectProxy } from '../support/connect-proxy.ts';
import { createAuthority } from './certificates.ts';
import { type FakeApi, kubeconfigOf, ok, startFakeApi } from './fake-api.ts';
import { rejection } from './rejection.ts';

const version = ok({ gitVersion: 'v1.28.3' });
let api: FakeApi;
beforeAll(async () => {
  api = await startFakeApi();
});
afterEach(() => api.reset());
afterAll(() => api.close());

const options = (more: Partial<ConnectOptions> = {}): ConnectOptions => ({
  timeoutMs: 2000,
  readOnly: true,
  env: { PATH: process.env.PATH },
  ...more,
});
const asksVersion = async (more: Partial<ConnectOptions>) => {
  api.on('GET /version', version);
  return (await (await connect(options(more))).version.getCode()).gitVersion;
};
/** A kubeconfig at `path` below the fake's folder. */
const write = async (path: string, content: object | string) => {
  const full = join(api.folder, path);
  await mkdir(join(full, '..'), { recursive: true });
  await writeFile(full, typeof content === 'string' ? content : stringify(content));
  return full;
};

describe('which kubeconfig', () => {
  test('--kubeconfig that is missing is named with its whole path', async () => {
    const failure = await rejection(connect(options({ kubeconfig: join(api.folder, 'none') })));
    expect(failure.code).toBe('KubeconfigMissing');
    expect(failure.message).toBe(`there is no kubeconfig at ${api.folder}/none`);
  });

  test('KUBECONFIG with several files: the first to define a name wins, missing ones are skipped', async () => {
    const ca = Buffer.from(api.ca).toString('base64');
    const first = {
      contexts: [{ name: 'a', context: { cluster: 'shared', user: 'one' } }],
      clusters: [{ name: 'shared', cluster: { server: api.url, 'certificate-authority-data': ca } }],
    };
    const second = {
      'current-context': 'b',
      contexts: [
        { name: 'a', context: { cluster: 'nowhere', user: 'nobody' } },
        { name: 'b', context: { cluster: 'shared', user: 'one' } },
      ],
      clusters: [{ name: 'shared', cluster: { server: 'https://127.0.0.1:1' } }],
      users: [{ name: 'one', user: { token: 'second-file' } }],
    };
    const third = { 'current-context': 'a', users: [{ name: 'one', user: { token: 'third-file' } }] };
    const files = [
      await write('k/1', first),
      join(api.folder, 'k/missing'),
      await write('k/2', second),
      '',
      await write('k/3', third),
    ];
    const env = { KUBECONFIG: files.join(':') };
    expect(await listContexts({ env })).toEqual({ names: ['a', 'b'], current: 'b' });
    expect(await asksVersion({ env })).toBe('v1.28.3');
    expect(api.seen[0]?.headers.authorization).toBe('Bearer second-file');
    expect((await connect(options({ env, context: 'a' }))).server).toBe(api.url);
  });

  test('without KUBECONFIG it is ~/.kube/config', async () => {
    await write('home/.kube/config', kubeconfigOf('at-home', { server: api.url }, {}));
    expect(await listContexts({ env: { HOME: join(api.folder, 'home') } })).toEqual({
      names: ['at-home'],
      current: 'at-home',
    });
  });

  test('in a pod without a kubeconfig it is the service account', async () => {
    await write('pod/ca.crt', api.ca);
    await write('pod/token', 'pod-token\n');
    const machine = { stdin: Readable.from([]), serviceAccount: join(api.folder, 'pod') };
    const env = { HOME: '/nowhere', KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: String(api.port) };
    api.on('GET /version', version);
    const cluster = await connect(options({ env }), machine);
    await cluster.version.getCode();
    expect(cluster.context).toBe('in-cluster');
    expect(api.seen[0]?.headers.authorization).toBe('Bearer pod-token');
  });

  test('with neither, every place that was looked at is named', async () => {
    const env = { KUBECONFIG: '/nowhere/a:/nowhere/b' };
    const failure = await rejection(connect(options({ env })));
    expect(failure.code).toBe('KubeconfigMissing');
    expect(failure.message).toBe('there is no kubeconfig at /nowhere/a, nor at /nowhere/b');
  });

  test('what is not YAML is told by its line, and no line of it is shown', async () => {
    const kubeconfig = await write('broken', 'users:\n- name: x\n  user: {token: geheim\ncontexts: [');
    const failure = await rejection(connect(options({ kubeconfig })));
    expect(failure.code).toBe('KubeconfigInvalid');
    expect(failure.message).toMatch(/broken is not YAML at line \d$/);
    expect(failure.message + failure.causes.join()).not.toContain('geheim');
  });

  test('what has another shape is told by its place', async () => {
    const kubeconfig = await write('shape', { clusters: [{ name: 'x', cluster: { server: 17 } }] });
    const failure = await rejection(connect(options({ kubeconfig })));
    expect(failure.code).toBe('KubeconfigInvalid');
    expect(failure.message).toContain('clusters.0.cluster.server');
  });
});

describe('which context', () => {
  const odd = [
    'kubernetes-admin@kubernetes',
    'arn:aws:eks:r:000000000000:cluster/x',
    'my lab',
    '../../x',
    '生产集群',
    'x'.repeat(120),
  ];

  test.each(odd)('H6 %s is selected by its exact name', async (name) => {
    const kubeconfig = await api.kubeconfig({}, { token: 't' }, name);
    expect((await connect(options({ kubeconfig, context: name }))).context).toBe(name);
  });

  test('an unknown one is ContextUnknown, with what was probably meant and the list', async () => {
    const entries = ['prod-hz', 'prod-sh'].map((name) => ({ name, context: { cluster: 'c', user: 'u' } }));
    const kubeconfig = await write('two', { contexts: entries });
    const failure = await rejection(connect(options({ kubeconfig, context: 'prod-hx' })));
    expect(failure.code).toBe('ContextUnknown');
    expect(failure.message).toBe('the kubeconfig has no context prod-hx');
    expect(failure.next).toEqual(["Did you mean --context 'prod-hz'?", 'Choose one by --context: prod-hz, prod-sh']);
  });

  test('without a current one the list is shown', async () => {
    const kubeconfig = await write('no-current', { contexts: [{ name: 'a', context: { cluster: 'c', user: 'u' } }] });
    const failure = await rejection(connect(options({ kubeconfig })));
    expect(failure.code).toBe('ContextUnknown');
    expect(failure.message).toBe('the kubeconfig has no current context');
    expect(failure.next).toEqual(['Choose one by --context: a']);
  });

  test('one whose cluster is not there is KubeconfigInvalid', async () => {
    const entries = [{ name: 'a', context: { cluster: 'gone', user: 'u' } }];
    const kubeconfig = await write('no-cluster', { 'current-context': 'a', contexts: entries });
    const failure = await rejection(connect(options({ kubeconfig })));
    expect(failure.code).toBe('KubeconfigInvalid');
    expect(failure.message).toBe('context a of the kubeconfig names cluster gone, which is not there');
  });
});

describe('H3 certificate files', () => {
  test('relative ones lie beside the kubeconfig, wherever the program runs', async () => {
    await write('lab/pki/ca.pem', api.ca);
    const cluster = { server: api.url, 'certificate-authority': 'pki/ca.pem' };
    const kubeconfig = await write('lab/config', kubeconfigOf('lab', cluster, {}));
    expect(await asksVersion({ kubeconfig })).toBe('v1.28.3');
  });

  test('client certificate, key and tokenFile too', async () => {
    const client = await (await createAuthority('clients')).issue(['jane']);
    await write('lab/jane.crt', client.cert);
    await write('lab/jane.key', client.key);
    await write('lab/jane.token', 'from-file\n');
    const user = { 'client-certificate': 'jane.crt', 'client-key': './jane.key', tokenFile: 'jane.token' };
    const cluster = { server: api.url, 'certificate-authority-data': Buffer.from(api.ca).toString('base64') };
    const kubeconfig = await write('lab/config-2', kubeconfigOf('lab', cluster, user));
    expect(await asksVersion({ kubeconfig })).toBe('v1.28.3');
    expect(api.seen[0]?.headers.authorization).toBe('Bearer from-file');
  });

  test('a missing one is named with its whole path', async () => {
    const cluster = { server: api.url, 'certificate-authority': 'none.pem' };
    const kubeconfig = await write('lab/config-3', kubeconfigOf('lab', cluster, {}));
    const failure = await rejection(connect(options({ kubeconfig })));
    expect(failure.code).toBe('KubeconfigInvalid');
    expect(failure.message).toBe(
      `certificate-authority of cluster lab in the kubeconfig names ${api.folder}/lab/none.pem, which does not exist`,
    );
  });

  test('relative ones of a kubeconfig from standard input have no folder', async () => {
    const text = stringify(kubeconfigOf('lab', { server: api.url, 'certificate-authority': 'ca.pem' }, {}));
    const machine = { stdin: Readable.from([text]), serviceAccount: '/nowhere' };
    expect(await listContexts({ kubeconfig: '-', env: {} }, machine)).toEqual({ names: ['lab'], current: 'lab' });
    const failure = await rejection(connect(options({ kubeconfig: '-' }), machine));
    expect(failure.code).toBe('KubeconfigInvalid');
    expect(failure.message).toBe(
      'certificate-authority of cluster lab is the relative path ca.pem, and a kubeconfig from standard input has no folder to start from',
    );
  });

  test('inline data that is no base64 of a PEM text is told by its key', async () => {
    const kubeconfig = await api.kubeconfig({ 'certificate-authority-data': '***' });
    const failure = await rejection(connect(options({ kubeconfig })));
    expect(failure.code).toBe('KubeconfigInvalid');
    expect(failure.message).toBe(
      'certificate-authority-data of cluster lab in the kubeconfig is no base64 of a PEM text',
    );
  });

  test('an expired client certificate is told before any request', async () => {
    const client = await (await createAuthority('clients')).issue(['jane'], -1);
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const user = { 'client-certificate-data': base64(client.cert), 'client-key-data': base64(client.key) };
    const failure = await rejection(connect(options({ kubeconfig: await api.kubeconfig({}, user) })));
    expect(failure.code).toBe('ClusterCertificateExpired');
    expect(failure.message).toMatch(/^the client certificate of user lab of the kubeconfig has expired on 20/);
  });

  test('a certificate with the key of another is KubeconfigInvalid', async () => {
    const authority = await createAuthority('clients');
    const [one, other] = [await authority.issue(['jane']), await authority.issue(['joe'])];
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const user = { 'client-certificate-data': base64(one.cert), 'client-key-data': base64(other.key) };
    const failure = await rejection(connect(options({ kubeconfig: await api.kubeconfig({}, user) })));
    expect(failure.code).toBe('KubeconfigInvalid');
    expect(failure.message).toContain('are no pair that belongs together');
  });

  test('a server that is not https is KubeconfigInvalid', async () => {
    const kubeconfig = await api.kubeconfig({ server: 'http://127.0.0.1:8080' });
    const failure = await rejection(connect(options({ kubeconfig })));
    expect(failure.code).toBe('KubeconfigInvalid');
    expect(failure.message).toBe('cluster lab of the kubeconfig has server http://127.0.0.1:8080, which is not https');
  });
});

test('a password in the server is KubeconfigInvalid, and not shown', async () => {
  const failure = await rejection(
    connect(options({ kubeconfig: await api.kubeconfig({ server: 'http://a:geheim@x' }) })),
  );
  expect(failure.code).toBe('KubeconfigInvalid');
  expect(failure.message).toBe('cluster lab of the kubeconfig has a user name or a password in its server');
});

describe('H4 proxies', () => {
  const server = 'https://api.example.com:6443';
  let proxy: ConnectProxy;
  beforeAll(async () => {
    proxy = await startConnectProxy({ 'api.example.com:6443': api.port, '192.0.2.10:6443': api.port });
  });
  afterAll(() => proxy.close());
  const nowhere = 'http://127.0.0.1:1';

  test('proxy-url leads to the server, and wins over HTTPS_PROXY and NO_PROXY', async () => {
    const kubeconfig = await api.kubeconfig({ server, 'proxy-url': proxy.url });
    expect(await asksVersion({ kubeconfig, env: { HTTPS_PROXY: nowhere } })).toBe('v1.28.3');
    expect(await asksVersion({ kubeconfig, env: { NO_PROXY: 'api.example.com' } })).toBe('v1.28.3');
  });

  test('HTTPS_PROXY leads to the server, in small letters and without a scheme as well', async () => {
    const kubeconfig = await api.kubeconfig({ server });
    expect(await asksVersion({ kubeconfig, env: { HTTPS_PROXY: proxy.url } })).toBe('v1.28.3');
    expect(await asksVersion({ kubeconfig, env: { https_proxy: proxy.url.replace('http://', '') } })).toBe('v1.28.3');
  });

  test('the loopback never goes by HTTPS_PROXY', async () => {
    expect(await asksVersion({ kubeconfig: await api.kubeconfig(), env: { HTTPS_PROXY: nowhere } })).toBe('v1.28.3');
  });

  test('other servers of the cluster go by the same proxy', async () => {
    const kubeconfig = await api.kubeconfig({ server, 'proxy-url': proxy.url });
    api.on('GET /version', version);
    const cluster = await connect(options({ kubeconfig }));
    const other = cluster.at('https://192.0.2.10:6443', api.ca);
    expect((await other.version.getCode()).gitVersion).toBe('v1.28.3');
    expect(api.seen[0]?.headers.authorization).toBeUndefined();
  });

  test('a proxy that refuses is named, without its password', async () => {
    const kubeconfig = await api.kubeconfig({
      server: 'https://other.example.com:6443',
      'proxy-url': proxy.url.replace('://', '://jane:geheim@'),
    });
    const failure = await rejection(asksVersion({ kubeconfig }));
    expect(failure.code).toBe('ClusterUnreachable');
    expect(failure.message).toBe(
      `could not get /version at https://other.example.com:6443 through proxy ${proxy.url.slice(7)}: the proxy refuses to connect (502)`,
    );
  });

  test('a proxy-url of another kind is KubeconfigInvalid', async () => {
    const failure = await rejection(connect(options({ kubeconfig: await api.kubeconfig({ 'proxy-url': 'ftp://x' }) })));
    expect(failure.code).toBe('KubeconfigInvalid');
    expect(failure.message).toContain('proxy-url');
  });
});

describe('H4 certificates of the server', () => {
  test('tls-server-name is what the certificate must be for', async () => {
    const authority = await createAuthority('kubernetes');
    const own = await startFakeApi({ ...(await authority.issue(['cluster.example.com'])), ca: authority.cert });
    try {
      own.on('GET /version', version);
      const good = await connect(
        options({ kubeconfig: await own.kubeconfig({ 'tls-server-name': 'cluster.example.com' }) }),
      );
      expect((await good.version.getCode()).gitVersion).toBe('v1.28.3');
      const wrong = await connect(options({ kubeconfig: await own.kubeconfig() }));
      const failure = await rejection(wrong.version.getCode());
      expect(failure.code).toBe('ClusterCertificateUntrusted');
      expect(failure.message).toContain('is for other names than this one');
    } finally {
      await own.close();
    }
  });

  test('SELF_SIGNED_CERT_IN_CHAIN points at certificate-authority-data', async () => {
    const authority = await createAuthority('private');
    const pair = await authority.issue(['127.0.0.1']);
    const own = await startFakeApi({ cert: `${pair.cert}\n${authority.cert}`, key: pair.key, ca: api.ca });
    try {
      const failure = await rejection(
        (await connect(options({ kubeconfig: await own.kubeconfig() }))).version.getCode(),
      );
      expect(failure.code).toBe('ClusterCertificateUntrusted');
      expect(failure.causes).toEqual(['SELF_SIGNED_CERT_IN_CHAIN']);
      expect(failure.next.join()).toContain('certificate-authority-data');
      expect(failure.next.join()).not.toContain('NODE_TLS_REJECT_UNAUTHORIZED');
    } finally {
      await own.close();
    }
  });

  test('an expired one is ClusterCertificateExpired', async () => {
    const authority = await createAuthority('kubernetes');
    const own = await startFakeApi({ ...(await authority.issue(['127.0.0.1'], -1)), ca: authority.cert });
    try {
      const failure = await rejection(
        (await connect(options({ kubeconfig: await own.kubeconfig() }))).version.getCode(),
      );
      expect(failure.code).toBe('ClusterCertificateExpired');
      expect(failure.message).toBe(`could not get /version at ${own.url}: the server's certificate has expired`);
    } finally {
      await own.close();
    }
  });
});

describe('other credentials', () => {
  test.each([
    ['a token', { token: 't' }, { authorization: 'Bearer t' }],
    ['a user name and a password', { username: 'jane', password: 'pw' }, { authorization: 'Basic amFuZTpwdw==' }],
    ['somebody to be', { token: 't', as: 'joe' }, { authorization: 'Bearer t', 'impersonate-user': 'joe' }],
    [
      'the token that kubectl keeps for oidc',
      { 'auth-provider': { name: 'oidc', config: { 'id-token': 'o' } } },
      { authorization: 'Bearer o' },
    ],
    ['nothing', {}, {}],
  ])('%s is sent', async (_, user, headers) => {
    expect(await asksVersion({ kubeconfig: await api.kubeconfig({}, user) })).toBe('v1.28.3');
    const { authorization, 'impersonate-user': as } = api.seen[0]?.headers ?? {};
    expect({ ...(authorization && { authorization }), ...(as && { 'impersonate-user': as }) }).toEqual(headers);
  });

  test.each([
    [{ 'auth-provider': { name: 'gcp', config: {} } }, 'auth-provider gcp'],
    [{ token: 't', as: 'joe', 'as-groups': ['x'] }, 'as-groups'],
  ])('%j is KubeconfigInvalid', async (user, named) => {
    const failure = await rejection(connect(options({ kubeconfig: await api.kubeconfig({}, user) })));
    expect(failure.code).toBe('KubeconfigInvalid');
    expect(failure.message).toContain(named);
  });

  test('insecure-skip-tls-verify is what it says', async () => {
    const cluster = { 'certificate-authority-data': undefined, 'insecure-skip-tls-verify': true };
    expect(await asksVersion({ kubeconfig: await api.kubeconfig(cluster) })).toBe('v1.28.3');
    const untrusted = await api.kubeconfig({ 'certificate-authority-data': undefined });
    expect((await rejection(asksVersion({ kubeconfig: untrusted }))).code).toBe('ClusterCertificateUntrusted');
  });
});

describe('H5 credential plugins', () => {
  const credential = (status: object) => JSON.stringify({ apiVersion, kind: 'ExecCredential', status });
  const apiVersion = 'client.authentication.k8s.io/v1';
  const plugin = async (name: string, body: string) => {
    const path = await write(`plugins/${name}`, `#!/bin/sh\n${body}\n`);
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
    expect(await asksVersion({ kubeconfig, onPluginOutput })).toBe('v1.28.3');
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
    expect(await asksVersion({ kubeconfig: await withPlugin({ command: './plugins/near' }) })).toBe('v1.28.3');
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
    expect(await asksVersion({ kubeconfig: await withPlugin({ command }) })).toBe('v1.28.3');
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
