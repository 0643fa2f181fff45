import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../src/cluster/connect.ts';
import { listContexts } from '../../src/cluster/contexts.ts';
import { type FakeApi, kubeconfigOf, startFakeApi } from './fake-api.ts';
import { asksVersion, options, version, write } from './lab.ts';
import { rejection } from './rejection.ts';

let api: FakeApi;
beforeAll(async () => {
  api = await startFakeApi();
});
afterEach(() => api.reset());
afterAll(() => api.close());

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
      await write(api, 'k/1', first),
      join(api.folder, 'k/missing'),
      await write(api, 'k/2', second),
      '',
      await write(api, 'k/3', third),
    ];
    const env = { KUBECONFIG: files.join(':') };
    expect(await listContexts({ env })).toEqual({ names: ['a', 'b'], current: 'b' });
    expect(await asksVersion(api, { env })).toBe('v1.28.3');
    expect(api.seen[0]?.headers.authorization).toBe('Bearer second-file');
    expect((await connect(options({ env, context: 'a' }))).server).toBe(api.url);
  });

  test('without KUBECONFIG it is ~/.kube/config', async () => {
    await write(api, 'home/.kube/config', kubeconfigOf('at-home', { server: api.url }, {}));
    expect(await listContexts({ env: { HOME: join(api.folder, 'home') } })).toEqual({
      names: ['at-home'],
      current: 'at-home',
    });
  });

  test('in a pod without a kubeconfig it is the service account', async () => {
    await write(api, 'pod/ca.crt', api.ca);
    await write(api, 'pod/token', 'pod-token\n');
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
    const kubeconfig = await write(api, 'broken', 'users:\n- name: x\n  user: {token: geheim\ncontexts: [');
    const failure = await rejection(connect(options({ kubeconfig })));
    expect(failure.code).toBe('KubeconfigInvalid');
    expect(failure.message).toMatch(/broken is not YAML at line \d$/);
    expect(failure.message + failure.causes.join()).not.toContain('geheim');
  });

  test('what has another shape is told by its place', async () => {
    const kubeconfig = await write(api, 'shape', { clusters: [{ name: 'x', cluster: { server: 17 } }] });
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
    const kubeconfig = await write(api, 'two', { contexts: entries });
    const failure = await rejection(connect(options({ kubeconfig, context: 'prod-hx' })));
    expect(failure.code).toBe('ContextUnknown');
    expect(failure.message).toBe('the kubeconfig has no context prod-hx');
    expect(failure.next).toEqual(["Did you mean --context 'prod-hz'?", 'Choose one by --context: prod-hz, prod-sh']);
  });

  test('without a current one the list is shown', async () => {
    const kubeconfig = await write(api, 'no-current', {
      contexts: [{ name: 'a', context: { cluster: 'c', user: 'u' } }],
    });
    const failure = await rejection(connect(options({ kubeconfig })));
    expect(failure.code).toBe('ContextUnknown');
    expect(failure.message).toBe('the kubeconfig has no current context');
    expect(failure.next).toEqual(['Choose one by --context: a']);
  });

  test('one whose cluster is not there is KubeconfigInvalid', async () => {
    const entries = [{ name: 'a', context: { cluster: 'gone', user: 'u' } }];
    const kubeconfig = await write(api, 'no-cluster', { 'current-context': 'a', contexts: entries });
    const failure = await rejection(connect(options({ kubeconfig })));
    expect(failure.code).toBe('KubeconfigInvalid');
    expect(failure.message).toBe('context a in the kubeconfig names cluster gone, which is not there');
  });
});
