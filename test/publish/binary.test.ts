/** The whole job where the cluster was installed from binaries, against the sandbox. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { rbacManifest } from '../../src/cluster/permissions.ts';
import { createClient } from '../../src/sandbox/certificates.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { createToken, draw } from '../support/bootstrap-token.ts';
import { run, sandboxEnv } from '../support/program.ts';
import { type Connection, call, connectionOf } from '../support/raw-api.ts';
import { constantOf } from '../support/script-constants.ts';
import { everything, history, liveUrl, tokenIds, writes } from '../support/world.ts';

let sandbox: Sandbox;
let folder: string;
beforeEach(async () => {
  sandbox = await startSandbox();
  folder = mkdtempSync(join(tmpdir(), 'ackone-join-test-'));
});
afterEach(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

const rpm = ['--kubelet-source', 'rpm'];
const init = (words: readonly string[], context = 'binary', more: NodeJS.ProcessEnv = {}) =>
  run(['init', '--context', context, ...words], sandboxEnv(sandbox, more));
const published = (...words: string[]) => init(['--yes', ...rpm, ...words]);
const owner = (context = 'binary'): Connection => connectionOf(readFileSync(sandbox.kubeconfig, 'utf8'), context);
const live = async (context = 'binary') => (await fetch(liveUrl(sandbox, context)!)).text();
const file = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Makes the objects of a manifest, as `kubectl apply` would. */
async function apply(manifest: string, context: string): Promise<void> {
  for (const document of parseAllDocuments(manifest)) {
    const object = document.toJS() as { kind: string; metadata: { namespace?: string } };
    const scope = object.metadata.namespace === undefined ? '' : `/namespaces/${object.metadata.namespace}`;
    const path = `/apis/rbac.authorization.k8s.io/v1${scope}/${object.kind.toLowerCase()}s`;
    expect((await call(owner(context), 'POST', path, object)).status).toBe(201);
  }
}

const configuration = () =>
  file('kubelet.yaml', 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n');

/** A kubeconfig of somebody who has what is printed in docs/permissions.md first, but for `without`, and nothing more. */
async function publisher(context: string, without?: string): Promise<NodeJS.ProcessEnv> {
  const role = parseAllDocuments(rbacManifest({ kind: 'User', name: 'publisher' })).map((document) => {
    const { rules, ...object } = document.toJS() as { rules?: readonly { resources: readonly string[] }[] };
    return { ...object, ...(rules && { rules: rules.filter(({ resources: [name] }) => name !== without) }) };
  });
  await apply(role.map((object) => stringify(object)).join('---\n'), context);
  const { cert, key } = await createClient(sandbox.clusters.get(context)!.authority, 'publisher', []);
  const config = parse(readFileSync(sandbox.kubeconfig, 'utf8'));
  const user = { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) };
  const users = [{ name: context, user }];
  return { KUBECONFIG: file('publisher.kubeconfig', stringify({ ...config, users })) };
}

describe('init --yes', () => {
  it('needs no more than the source of kubelet, and publishes a script for TLS bootstrap', async () => {
    const { exit, stdout, stderr } = await published();
    expect([exit, stderr]).toEqual([0, expect.not.stringContaining('Error')]);
    const { tokenId, url } = history(sandbox, 'binary')[0]!;
    expect(stdout).toContain(
      `${tokenId}.****************, proven: create certificatesigningrequests, create certificatesigningrequests/nodeclient, get nodes`,
    );
    expect(liveUrl(sandbox, 'binary')).toBe(url);
    const script = await live();
    const kubeconfig = parse(constantOf(script, 'BOOTSTRAP_KUBECONFIG'));
    expect(kubeconfig.clusters[0].cluster).toEqual({
      server: 'https://192.0.2.50:6443',
      'certificate-authority-data': base64(owner().ca),
    });
    expect(kubeconfig.users[0].user.token).toMatch(new RegExp(`^${tokenId}\\.[a-z0-9]{16}$`));
    expect(parse(constantOf(script, 'KUBELET_CONFIG'))).toMatchObject({
      clusterDNS: ['10.96.0.10'],
      clusterDomain: 'cluster.local',
      cgroupDriver: 'systemd',
      rotateCertificates: true,
    });
  });

  it('makes a token that logs in and signs nothing', async () => {
    await published();
    const [id] = tokenIds(sandbox, 'binary');
    const { body } = await call(owner(), 'GET', `/api/v1/namespaces/kube-system/secrets/bootstrap-token-${id}`);
    const { data } = body as { data: Record<string, string> };
    expect(Object.keys(data).filter((key) => key.startsWith('usage-'))).toEqual(['usage-bootstrap-authentication']);
  });

  it('says what it found and where from', async () => {
    const { stdout } = await init([...rpm, '--dry-run', '-o', 'json']);
    const { values, steps, findings } = JSON.parse(stdout);
    const value = (wanted: string) => values.find(({ name }: { name: string }) => name === wanted);
    expect(value('Style')).toMatchObject({ source: 'no cluster-info and no kubeadm-config' });
    expect(value('API server')).toMatchObject({
      value: 'https://192.0.2.50:6443',
      source: 'Endpoints default/kubernetes',
    });
    expect(value('CA certificates')).toMatchObject({ value: '1', source: 'ConfigMap kube-system/kube-root-ca.crt' });
    expect(value('kubelet')).toMatchObject({ source: '--kubelet-source' });
    expect(value('kubelet config')).toMatchObject({ source: 'configz of node worker-1' });
    expect(value('kubelet.service')).toMatchObject({ source: 'of ackone-join' });
    expect(value('kube-proxy')).toMatchObject({ value: 'as a DaemonSet', source: 'DaemonSet kube-system/kube-proxy' });
    expect(steps.find(({ id }: { id: string }) => id === 'token').verifies).toBe('a node could join with it');
    expect(findings.map(({ code }: { code: string }) => code)).toContain('BinaryStyle');
  });

  it('writes nothing in a dry run', async () => {
    const before = everything(sandbox);
    expect((await init([...rpm, '--yes', '--dry-run'])).exit).toBe(0);
    expect(writes(sandbox)).toEqual([]);
    expect(everything(sandbox)).toEqual(before);
  });

  it('says "No changes" the second time, and makes none', async () => {
    await published();
    const before = everything(sandbox);
    const { exit, stdout } = await published();
    expect([exit, stdout.split('\n')[0]]).toEqual([0, `No changes  ${liveUrl(sandbox, 'binary')}`]);
    expect(everything(sandbox)).toEqual(before);
  });

  it('publishes anew with the live token when an answer changes the script, and with another by --new-token', async () => {
    await published();
    expect((await published('--firewall', 'keep')).exit).toBe(0);
    expect((await published('--firewall', 'keep', '--new-token')).exit).toBe(0);
    const [first, second, third] = history(sandbox, 'binary').map(({ tokenId }) => tokenId);
    expect([second === first, third === first]).toEqual([true, false]);
    expect(constantOf(await live(), 'JOIN_TOKEN')).toContain(`${third}.`);
  });

  it('publishes a script that is too long for user data, and says so', async () => {
    const words = ['--post-script', file('post.sh', `# ${'x'.repeat(40_000)}\n`)];
    const { exit, stderr } = await published(...words);
    expect([exit, stderr]).toEqual([
      0,
      expect.stringMatching(/^Warning: the script has \d{5} bytes: .* is too long$/m),
    ]);
  });

  it('waits for --script-url to give the script', async () => {
    const bucket = sandbox.oss.buckets[0]!.name;
    const url = `${sandbox.known.nodeEndpoint}/${bucket}/ackone-join/served.sh`;
    const copy = join(folder, 'join.sh');
    const words = ['--yes', ...rpm, '--script-url', url, '--output-file', copy];
    const env = { ACKONE_JOIN_BUCKET: '', ACKONE_JOIN_OSS_ENDPOINT: '' };
    expect((await init(words, 'binary', env)).stderr).toContain('ScriptUrlDiffers');
    const served = readFileSync(copy);
    sandbox.oss.files.put(bucket, { key: 'ackone-join/served.sh', headers: {}, acl: 'default' }, served);
    expect((await init(words, 'binary', env)).exit).toBe(0);
    expect(liveUrl(sandbox, 'binary')).toBe(url);
    expect((await init(words, 'binary', env)).stdout).toContain('No changes');
  });
});

describe('a cluster that grants new nodes nothing', () => {
  const bare = (...words: string[]) => init(['--yes', ...rpm, '--kube-proxy', 'on-image', ...words], 'binary-bare');

  it('is refused before anything is written, with a manifest that mends it', async () => {
    const before = everything(sandbox);
    const { exit, stderr } = await bare('-o', 'json');
    expect(exit).toBe(3);
    expect(everything(sandbox)).toEqual(before);
    expect(writes(sandbox)).toEqual([]);
    const { error } = JSON.parse(stderr);
    expect(error).toMatchObject({
      code: 'BootstrapRolesMissing',
      causes: [
        'group system:bootstrappers may not create certificatesigningrequests',
        'group system:bootstrappers may not create certificatesigningrequests/nodeclient',
        'group system:bootstrappers may not get nodes',
        'group system:nodes may not create certificatesigningrequests/selfnodeclient',
      ],
    });
    await apply(error.manifest, 'binary-bare');
    expect((await bare()).exit).toBe(0);
  });

  it('gets that manifest as a text, whole and at the end', async () => {
    const { stderr } = await bare();
    const [, printed = ''] = stderr.split('The manifest for `kubectl apply -f -`:\n');
    await apply(printed, 'binary-bare');
    expect((await bare()).exit).toBe(0);
  });

  it('is found out by the token where nobody may ask, and the token is taken back', async () => {
    const env = await publisher('binary-bare');
    const words = ['--yes', ...rpm, '--kube-proxy', 'on-image', '--server', 'https://192.0.2.55:6443'];
    const given = ['--ca-file', file('ca.pem', owner('binary-bare').ca), '--kubelet-config', configuration()];
    const { exit, stderr } = await init([...words, ...given, '-o', 'json'], 'binary-bare', env);
    const { error } = JSON.parse(stderr);
    expect([exit, error.code]).toEqual([3, 'TokenRefuted']);
    expect(error.causes).toContain('create certificatesigningrequests/nodeclient');
    expect(error.nextSteps[0]).toContain('kubectl apply -f -');
    expect(error.manifest).toContain('ackone-join:nodeclient');
    expect(tokenIds(sandbox, 'binary-bare')).toEqual([]);
    expect(liveUrl(sandbox, 'binary-bare')).toBeUndefined();
  });

  it('is not stopped for what could not be asked: a note says what stays unknown', async () => {
    const { exit, stderr } = await init(
      [
        ...['--yes', ...rpm, '--kube-proxy', 'daemonset', '--server', 'https://192.0.2.50:6443'],
        ...['--ca-file', file('ca.pem', owner().ca)],
        ...['--kubelet-config', configuration()],
      ],
      'binary',
      await publisher('binary'),
    );
    expect([exit, stderr]).toEqual([
      0,
      expect.stringMatching(/^Note: whether new nodes are granted what they need could not be asked: .*renewal/m),
    ]);
  });
});

describe('--bootstrap-kubeconfig', () => {
  const kubeconfig = (user: object, cluster: object = {}) =>
    file(
      'bootstrap.kubeconfig',
      stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'default',
        contexts: [{ name: 'default', context: { cluster: 'default', user: 'kubelet-bootstrap' } }],
        clusters: [{ name: 'default', cluster }],
        users: [{ name: 'kubelet-bootstrap', user }],
      }),
    );
  const certificate = async (...groups: string[]) => {
    const { cert, key } = await createClient(sandbox.clusters.get('binary')!.authority, 'kubelet-bootstrap', groups);
    return { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) };
  };
  const own = (path: string, ...words: string[]) => published('--bootstrap-kubeconfig', path, ...words);

  it('is proven and inlined instead of a token, for the server and the CA that were decided', async () => {
    const user = await certificate('system:bootstrappers');
    const { exit, stdout, stderr } = await own(kubeconfig(user), '-o', 'json');
    expect([exit, stderr]).toEqual([0, '']);
    const result = JSON.parse(stdout);
    expect(result.proof).toEqual({
      result: 'proven',
      shown: ['create certificatesigningrequests', 'create certificatesigningrequests/nodeclient'],
    });
    expect(result).not.toHaveProperty('tokenId');
    expect(tokenIds(sandbox, 'binary')).toEqual([]);
    const script = await live();
    expect(parse(constantOf(script, 'BOOTSTRAP_KUBECONFIG'))).toMatchObject({
      clusters: [{ cluster: { server: 'https://192.0.2.50:6443' } }],
      users: [{ user }],
    });
    expect(stdout + stderr).not.toContain(user['client-key-data']);
    expect((await own(kubeconfig(user))).stdout).toContain('No changes');
  });

  it('says when its certificate ends', async () => {
    const { stderr } = await own(kubeconfig(await certificate('system:bootstrappers')));
    expect(stderr).toMatch(
      /^Warning: the credential of --bootstrap-kubeconfig stops working at 2\d{3}-\S+Z; no node can join after that$/m,
    );
  });

  it('is refused before anything is written where a node could not join with it', async () => {
    const before = everything(sandbox);
    const { exit, stderr } = await own(kubeconfig(await certificate('somebody')), '-o', 'json');
    expect(exit).toBe(3);
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'BootstrapKubeconfigRefuted',
      causes: ['create certificatesigningrequests', 'create certificatesigningrequests/nodeclient'],
    });
    expect(everything(sandbox)).toEqual(before);
  });

  it('is refused with a token that nobody knows, and the token is not shown', async () => {
    const { exit, stdout, stderr } = await own(kubeconfig({ token: 'abcdef.0123456789abcdef' }));
    expect(exit).toBe(3);
    expect(stderr).toContain('log-in with the token of --bootstrap-kubeconfig');
    expect(stdout + stderr).not.toContain('0123456789abcdef');
  });

  it.each([
    ['2099-01-01T00:00:00Z', /stops working at 2099-01-01T00:00:00Z/],
    [undefined, /^(?!.*(expire|stops working))/s],
  ])('with a bootstrap token says what its Secret says of its end: %s', async (expiration, expected) => {
    const token = draw();
    await createToken(owner(), token, { 'usage-bootstrap-signing': undefined, expiration });
    const { exit, stderr } = await own(kubeconfig({ token: `${token.id}.${token.secret}` }));
    expect([exit, stderr]).toEqual([0, expect.stringMatching(expected)]);
  });

  it('of a user of its own needs no binding of the groups, but renewal is asked for', async () => {
    const context = 'binary-bare';
    const approver = 'system:certificates.k8s.io:certificatesigningrequests';
    const bound = (role: string, kind: string, name: string) =>
      stringify({
        kind: 'ClusterRoleBinding',
        metadata: { name: role },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind, name }],
      });
    for (const role of ['system:node-bootstrapper', `${approver}:nodeclient`]) {
      await apply(bound(role, 'User', 'kubelet-bootstrap'), context);
    }
    const { cert, key } = await createClient(sandbox.clusters.get(context)!.authority, 'kubelet-bootstrap', []);
    const path = kubeconfig({ 'client-certificate-data': base64(cert), 'client-key-data': base64(key) });
    const words = ['--yes', ...rpm, '--kube-proxy', 'on-image', '--bootstrap-kubeconfig', path, '-o', 'json'];
    expect(JSON.parse((await init(words, context)).stderr).error).toMatchObject({
      code: 'BootstrapRolesMissing',
      causes: ['group system:nodes may not create certificatesigningrequests/selfnodeclient'],
    });
    await apply(bound(`${approver}:selfnodeclient`, 'Group', 'system:nodes'), context);
    expect((await init(words, context)).exit).toBe(0);
  });

  it('that has expired is refused, although its server cannot be asked', async () => {
    const token = draw();
    sandbox.clusters.get('binary')!.controllers = false;
    await createToken(owner(), token, { expiration: '2020-01-01T00:00:00Z' });
    const path = kubeconfig({ token: `${token.id}.${token.secret}` });
    const { exit, stderr } = await own(path, '--server', 'https://192.0.2.99:6443');
    expect([exit, stderr]).toEqual([3, expect.stringContaining('it has expired at 2020-01-01T00:00:00Z')]);
  });

  it('needs no right to Secrets', async () => {
    const path = kubeconfig(await certificate('system:bootstrappers'));
    const env = await publisher('binary', 'secrets');
    const given = ['--server', 'https://192.0.2.50:6443', '--kube-proxy', 'daemonset', '--ca-file'];
    const words = ['--yes', ...rpm, ...given, file('ca.pem', owner().ca), '--kubelet-config', configuration()];
    expect((await init(words, 'binary', env)).stderr).toContain('not allowed: create secrets in kube-system');
    expect((await init([...words, '--bootstrap-kubeconfig', path], 'binary', env)).exit).toBe(0);
  });

  it('whose server cannot be reached from here is taken with a warning', async () => {
    const path = kubeconfig(await certificate('system:bootstrappers'));
    const { exit, stderr } = await own(path, '--server', 'https://192.0.2.99:6443');
    expect([exit, stderr]).toEqual([
      0,
      expect.stringMatching(/^Warning: whether a node can join with --bootstrap-kubeconfig is not known: /m),
    ]);
    expect(constantOf(await live(), 'JOIN_ENDPOINT')).toBe('192.0.2.99:6443');
  });

  it('whose key is not the one of its certificate is refused', async () => {
    const [one, other] = [await certificate('system:bootstrappers'), await certificate('system:bootstrappers')];
    const mixed = { ...one, 'client-key-data': other['client-key-data'] };
    const { exit, stderr } = await own(kubeconfig(mixed));
    expect([exit, stderr]).toEqual([2, expect.stringContaining('are no pair that belongs together')]);
  });
});

describe('render', () => {
  it('gives the script that is live, and makes no token', async () => {
    await published();
    const before = everything(sandbox);
    const { exit, stdout } = await run(['render', '--context', 'binary', ...rpm], sandboxEnv(sandbox));
    expect([exit, stdout]).toEqual([0, await live()]);
    expect(everything(sandbox)).toEqual(before);
  });

  it('composes without a cluster what a bootstrap kubeconfig and flags say', async () => {
    const { cert, key } = await createClient(sandbox.clusters.get('binary')!.authority, 'kubelet', ['x']);
    const config = {
      'current-context': 'c',
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      clusters: [
        { name: 'c', cluster: { server: 'https://192.0.2.50:6443', 'certificate-authority-data': base64(owner().ca) } },
      ],
      users: [{ name: 'u', user: { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) } }],
    };
    const { exit, stdout, stderr } = await run(
      [
        ...['render', '--style', 'binary', '--kube-version', '1.28.3', '--runtime', 'containerd'],
        ...['--runtime-version', '1.6.28', '--kube-proxy', 'on-image', ...rpm],
        ...['--bootstrap-kubeconfig', file('b.kubeconfig', stringify(config))],
        ...['--kubelet-config', configuration()],
      ],
      { PATH: process.env.PATH, HOME: '/nonexistent', XDG_CONFIG_HOME: '/nonexistent' },
    );
    expect([exit, stderr]).toEqual([0, expect.not.stringContaining('Error')]);
    expect(constantOf(stdout, 'SERVER_CA')).toBe(owner().ca);
    expect(sandbox.faults.seen).toEqual([]);
  });
});

describe('the plan of a closed network', () => {
  it('says where packages and images come from', async () => {
    const ca = file('ca.pem', readFileSync(new URL('../script/ca.pem', import.meta.url), 'utf8'));
    const words = ['--mirror', 'https://mirror.example.com/', '--registry-ca', ca, '--dry-run', '-o', 'json'];
    const mirrors = [
      '--registry-mirror',
      'https://m.example.com',
      '--registry-mirror',
      'quay.io=https://q.example.com',
    ];
    const { stdout } = await init([...rpm, ...words, ...mirrors]);
    expect(JSON.parse(stdout).values).toEqual(
      expect.arrayContaining([
        { name: 'Packages from', value: 'https://mirror.example.com', source: '--mirror' },
        {
          name: 'Images from',
          value: 'https://m.example.com, https://q.example.com for quay.io',
          source: '--registry-mirror',
        },
        { name: 'Registry CA for', value: 'm.example.com, q.example.com', source: '--registry-ca' },
      ]),
    );
  });

  it('is silent about what nobody asked for', async () => {
    const { stdout } = await init([...rpm, '--dry-run', '-o', 'json']);
    const names = JSON.parse(stdout).values.map(({ name }: { name: string }) => name);
    expect(names).toContain('Kubernetes');
    for (const name of ['Packages from', 'Images from', 'Registry CA for']) expect(names).not.toContain(name);
  });
});
