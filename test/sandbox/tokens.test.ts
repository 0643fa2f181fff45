/** The controllers that sign and clean; what the API makes of a token is in the contract suite. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { type Connection, call } from '../support/raw-api.ts';
import { admin, clusterInfo, dataOf, get, mergePatch, system } from './support.ts';

// A start makes an RSA key, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

let sandbox: Sandbox;
let owner: Connection;
beforeAll(async () => {
  sandbox = await startSandbox();
  owner = admin(sandbox);
});
afterAll(() => sandbox.close());

const token = (id: string, data: Record<string, string> = {}) => ({
  metadata: { name: `bootstrap-token-${id}` },
  type: 'bootstrap.kubernetes.io/token',
  stringData: { 'token-id': id, 'token-secret': '0123456789abcdef', 'usage-bootstrap-signing': 'true', ...data },
});
const create = (secret: object) => call(owner, 'POST', `${system}/secrets`, secret);
const signatures = async () =>
  Object.keys(await dataOf(owner, clusterInfo)).filter((key) => key.startsWith('jws-kubeconfig-'));

test('the signature is the one of k8s.io/cluster-bootstrap/token/jws', async () => {
  const { kubeconfig = '' } = await dataOf(owner, clusterInfo);
  const content = 'Hello from the other side. I must have called a thousand times.';
  await call(owner, 'PATCH', clusterInfo, { data: { kubeconfig: content } }, mergePatch);
  await create(token('joshua', { 'token-secret': 'my voice is my passcode' }));
  await vi.waitFor(
    async () =>
      expect(await dataOf(owner, clusterInfo)).toHaveProperty(
        'jws-kubeconfig-joshua',
        'eyJhbGciOiJIUzI1NiIsImtpZCI6Impvc2h1YSJ9..VShe2taLd-YTrmWuRkcL_8QTNDHYxQIEBsAYYiIj1_8',
      ),
    10_000,
  );
  await call(owner, 'PATCH', clusterInfo, { data: { kubeconfig } }, mergePatch);
  await call(owner, 'DELETE', `${system}/secrets/bootstrap-token-joshua`);
});

test('E2 with the controllers off there is no signature; with them on again it comes, and goes with the token', async () => {
  const cluster = sandbox.clusters.get('containerd')!;
  cluster.controllers = false;
  await create(token('unsign'));
  const before = await get(owner, clusterInfo);
  cluster.runControllers(new Date());
  expect((await get(owner, clusterInfo)).body).toEqual(before.body);
  cluster.controllers = true;
  cluster.runControllers(new Date());
  expect(await signatures()).toContain('jws-kubeconfig-unsign');
  await call(owner, 'DELETE', `${system}/secrets/bootstrap-token-unsign`);
  cluster.runControllers(new Date());
  expect(await signatures()).not.toContain('jws-kubeconfig-unsign');
});

test('E1 a token without expiration stays; one past it, or with a time that is none, is deleted', async () => {
  const cluster = sandbox.clusters.get('containerd')!;
  const now = Date.now();
  await create(token('stays0'));
  await create(token('later0', { expiration: new Date(now + 60_000).toISOString() }));
  await create(token('broken', { expiration: 'never' }));
  cluster.runControllers(new Date(now));
  const status = async (id: string) => (await get(owner, `${system}/secrets/bootstrap-token-${id}`)).status;
  expect([await status('stays0'), await status('later0'), await status('broken')]).toEqual([200, 200, 404]);
  cluster.runControllers(new Date(now + 61_000));
  expect([await status('stays0'), await status('later0')]).toEqual([200, 404]);
  expect(await signatures()).toEqual(['jws-kubeconfig-stays0']);
});

test('a signature of nobody is taken away, and a signed cluster-info is left alone', async () => {
  const cluster = sandbox.clusters.get('containerd')!;
  await call(owner, 'PATCH', clusterInfo, { data: { 'jws-kubeconfig-forged': 'x' } }, mergePatch);
  cluster.runControllers(new Date());
  expect(await signatures()).not.toContain('jws-kubeconfig-forged');
  const before = await get(owner, clusterInfo);
  cluster.runControllers(new Date());
  expect((await get(owner, clusterInfo)).body).toEqual(before.body);
});
