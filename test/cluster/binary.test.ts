/** A cluster installed from binaries: the whole job, and a node's real TLS bootstrap with what the script writes. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { rbacManifest } from '../../src/cluster/permissions.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { run, sandboxEnv } from '../support/program.ts';
import { type Connection, call, connectionOf } from '../support/raw-api.ts';
import { constantOf } from '../support/script-constants.ts';
import { bindings, bootstrapBindings, fromBinaries, type Kubelet, startKubelet, workerConfig } from './binaries.ts';
import { type ControlPlane, type RunningControlPlane, startControlPlane } from './control-plane.ts';
import { behindProxy } from './kubeadm.ts';
import { onControlPlane } from './on-control-plane.ts';
import { settled, snapshot } from './store.ts';
import { bootstrapConnection, requestCertificate, signedCertificate } from './tls-bootstrap.ts';
import { kubectl, newUser } from './users.ts';

const patience = { timeout: 20_000, interval: 200 };
const [creating, approving, renewing, looking] = bootstrapBindings;
const publisher = { kind: 'User', name: 'publisher' } as const;

onControlPlane('a cluster installed from binaries', ({ parts }) => {
  let kubelet: Kubelet;
  let running: RunningControlPlane;
  let cluster: ControlPlane;
  let admin: Connection;
  let sandbox: Sandbox;

  beforeAll(async () => {
    kubelet = await startKubelet();
    running = await startControlPlane(parts, fromBinaries(kubelet));
    cluster = running.controlPlane;
    admin = connectionOf(readFileSync(cluster.kubeconfig, 'utf8'));
    sandbox = await startSandbox();
  }, 120_000);
  afterAll(async () => {
    await sandbox?.close();
    await running?.stop();
    await kubelet?.close();
  });

  // The sandbox gives the OSS; the cluster is the real one.
  const init = (kubeconfig: string, ...words: string[]) =>
    run(['init', '--kubelet-source', 'rpm', ...words], sandboxEnv(sandbox, { KUBECONFIG: kubeconfig }));
  const asAdmin = (...words: string[]) => init(cluster.kubeconfig, '--yes', '-o', 'json', ...words);

  async function publishedScript(): Promise<string> {
    const { stdout, stderr } = await asAdmin();
    if (stdout === '') throw new Error(stderr);
    return (await fetch(JSON.parse(stdout).url)).text();
  }

  /** Takes bindings away while `work` runs, and waits until the API server knows of it. */
  async function without(taken: readonly { metadata: { name: string } }[], work: () => Promise<void>): Promise<void> {
    for (const { metadata } of taken) await call(admin, 'DELETE', `${bindings}/${metadata.name}`);
    try {
      await work();
    } finally {
      for (const binding of taken) await call(admin, 'POST', bindings, binding);
    }
  }

  test('E7 a dry run tells what it found, and leaves every object in etcd as it was', async () => {
    const before = await settled(cluster);
    const { exit, stdout } = await asAdmin('--dry-run');
    expect(exit).toBe(0);
    const values = Object.fromEntries(
      JSON.parse(stdout).values.map(({ name, source }: { name: string; source: string }) => [name, source]),
    );
    expect(values).toMatchObject({
      Style: 'no cluster-info and no kubeadm-config',
      'API server': 'EndpointSlice default/kubernetes',
      'CA certificates': 'ConfigMap kube-system/kube-root-ca.crt',
      'kubelet config': 'configz of node worker-1',
      'kube-proxy': 'DaemonSet kube-system/kube-proxy',
    });
    expect(await snapshot(cluster)).toStrictEqual(before);
  });

  test('a node gets its certificate with what the script writes, is who it should be, and renews it', async () => {
    const script = await publishedScript();
    expect(constantOf(script, 'SERVER_CA')).toBe(admin.ca);
    expect(parse(constantOf(script, 'KUBELET_CONFIG'))).toMatchObject({
      clusterDNS: workerConfig.clusterDNS,
      clusterDomain: workerConfig.clusterDomain,
      rotateCertificates: true,
    });
    const newcomer = bootstrapConnection(constantOf(script, 'BOOTSTRAP_KUBECONFIG'), cluster.proxyUrl);
    const asked = await requestCertificate(newcomer, 'new-node');
    const joined = await vi.waitFor(async () => {
      const connection = await signedCertificate(newcomer, asked);
      expect(connection).toBeDefined();
      return connection!;
    }, patience);
    const review = await call(joined, 'POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {});
    expect(review).toMatchObject({
      status: 201,
      body: {
        status: {
          userInfo: { username: 'system:node:new-node', groups: ['system:nodes', 'system:authenticated'] },
        },
      },
    });
    // The Node authorizer lets it ask for itself, and for nobody else.
    expect(await call(joined, 'GET', '/api/v1/nodes/new-node')).toMatchObject({ status: 404 });
    expect(await call(joined, 'GET', '/api/v1/namespaces/kube-system/secrets/any')).toMatchObject({ status: 403 });

    const renewal = await requestCertificate(joined, 'new-node');
    await vi.waitFor(async () => expect(await signedCertificate(joined, renewal)).toBeDefined(), patience);
  });

  test('its kubeconfig is one that client-go reads', async () => {
    const path = join(cluster.folder, 'bootstrap.kubeconfig');
    await writeFile(path, constantOf(await publishedScript(), 'BOOTSTRAP_KUBECONFIG'), { mode: 0o600 });
    const said = await kubectl(
      { parts, kubeconfig: path },
      ['auth', 'whoami', '-o', 'json'],
      '',
      behindProxy(cluster.proxyUrl),
    );
    const { username, groups } = JSON.parse(said).status.userInfo;
    expect(username).toMatch(/^system:bootstrap:[a-z0-9]{6}$/);
    expect(groups).toContain('system:bootstrappers');
  });

  test('says "No changes" the second time, and writes nothing', async () => {
    await publishedScript();
    const before = await settled(cluster);
    expect(JSON.parse((await asAdmin()).stdout).changed).toBe(false);
    expect(await snapshot(cluster)).toStrictEqual(before);
  });

  const refusals = [
    [creating, 'group system:bootstrappers may not create certificatesigningrequests'],
    [approving, 'group system:bootstrappers may not create certificatesigningrequests/nodeclient'],
    [looking, 'group system:bootstrappers may not get nodes'],
    [renewing, 'group system:nodes may not create certificatesigningrequests/selfnodeclient'],
  ] as const;

  test.each(refusals)('without $metadata.name it is refused before anything is written', async (binding, cause) => {
    await without([binding], async () => {
      const error = await vi.waitFor(async () => {
        const { exit, stderr } = await asAdmin('--dry-run');
        expect(exit).toBe(3);
        return JSON.parse(stderr).error;
      }, patience);
      expect(error).toMatchObject({ code: 'BootstrapRolesMissing', causes: [cause] });
      const before = await settled(cluster);
      expect((await asAdmin('--new-token')).exit).toBe(3);
      expect(await snapshot(cluster)).toStrictEqual(before);

      await kubectl(cluster, ['apply', '-f', '-'], error.manifest);
      await vi.waitFor(async () => expect((await asAdmin('--dry-run')).exit).toBe(0), patience);
      await kubectl(cluster, ['delete', '-f', '-'], error.manifest);
    });
  });

  test('a user who may not ask what others may finds it out by the token, but for renewal', async () => {
    const kubeconfig = await newUser(cluster, publisher.name);
    await kubectl(cluster, ['apply', '-f', '-'], rbacManifest(publisher));
    const configuration = join(cluster.folder, 'kubelet.yaml');
    await writeFile(configuration, 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n');
    const ca = join(cluster.folder, 'ca.pem');
    await writeFile(ca, admin.ca);
    const given = ['--server', 'https://192.0.2.10:6443', '--ca-file', ca, '--kubelet-config', configuration];
    const words = ['--yes', '-o', 'json', '--kube-proxy', 'daemonset', '--new-token', ...given];
    await vi.waitFor(async () => expect((await init(kubeconfig, ...words, '--dry-run')).exit).toBe(0), patience);

    for (const [binding, cause] of refusals.slice(0, 3)) {
      await without([binding], async () => {
        await vi.waitFor(async () => expect((await asAdmin('--dry-run')).exit).toBe(3), patience);
        const { exit, stderr } = await init(kubeconfig, ...words);
        const { error } = JSON.parse(stderr);
        expect([exit, error.code]).toEqual([3, 'TokenRefuted']);
        expect(`group system:bootstrappers may not ${error.causes[0]}`).toBe(cause);
        expect(error.manifest).toContain('ackone-join:');
      });
      await vi.waitFor(async () => expect((await asAdmin('--dry-run')).exit).toBe(0), patience);
    }

    await without([renewing], async () => {
      const { exit, stdout } = await init(kubeconfig, ...words);
      expect(exit).toBe(0);
      const findings = JSON.parse(stdout).findings.map(({ code }: { code: string }) => code);
      expect(findings).toContain('BootstrapRolesUnknown');
    });
    await kubectl(cluster, ['delete', '-f', '-'], rbacManifest(publisher));
  }, 180_000);

  test('with the printed role for binaries a user finds out everything', async () => {
    const user = { kind: 'User', name: 'binary-publisher' } as const;
    const kubeconfig = await newUser(cluster, user.name);
    await kubectl(cluster, ['apply', '-f', '-'], rbacManifest(user));
    await kubectl(cluster, ['apply', '-f', '-'], rbacManifest(user, 'binary'));
    // The API server knows of one binding a moment before the next.
    const { values } = await vi.waitFor(async () => {
      const { exit, stdout } = await init(kubeconfig, '--dry-run', '-o', 'json');
      expect(exit).toBe(0);
      const plan = JSON.parse(stdout);
      const unknown = plan.findings.filter(({ code }: { code: string }) => /NotRead|Unknown$/.test(code));
      expect(unknown).toEqual([]);
      return plan;
    }, patience);
    expect(values).toContainEqual({
      name: 'kubelet config',
      value: '/var/lib/kubelet/config.yaml',
      source: 'configz of node worker-1',
    });
  });

  test("a user's own bootstrap kubeconfig is proven by use, and refused without the rights", async () => {
    const path = await newUser(cluster, 'kubelet-bootstrap');
    // A node has no proxy to reach this machine by.
    await writeFile(path, readFileSync(path, 'utf8').replace(/^ *proxy-url: .*\n/gm, ''));
    const refused = await asAdmin('--bootstrap-kubeconfig', path);
    expect(JSON.parse(refused.stderr).error).toMatchObject({
      code: 'BootstrapKubeconfigRefuted',
      causes: ['create certificatesigningrequests', 'create certificatesigningrequests/nodeclient'],
    });
    const bind = (role: string) => [
      'create',
      'clusterrolebinding',
      `own-${role.split(':').at(-1)}`,
      '--clusterrole',
      role,
    ];
    const roles = ['system:node-bootstrapper', 'system:certificates.k8s.io:certificatesigningrequests:nodeclient'];
    for (const role of roles) await kubectl(cluster, [...bind(role), '--user', 'kubelet-bootstrap']);
    const script = await vi.waitFor(async () => {
      const { exit, stdout: said } = await asAdmin('--bootstrap-kubeconfig', path);
      expect(exit).toBe(0);
      return (await fetch(JSON.parse(said).url)).text();
    }, patience);
    const newcomer = bootstrapConnection(constantOf(script, 'BOOTSTRAP_KUBECONFIG'), cluster.proxyUrl);
    const asked = await requestCertificate(newcomer, 'other-node');
    await vi.waitFor(async () => expect(await signedCertificate(newcomer, asked)).toBeDefined(), patience);
  });
});
