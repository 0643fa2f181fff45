import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readAgentConfig } from '../../src/cluster/agent-config.ts';
import { switchScript } from '../../src/cluster/write/agent-config.ts';
import { configMap, cut, type FakeApi, forbidden, ok, refused, silent, startFakeApi } from './fake-api.ts';
import { open, openToWrite } from './open.ts';
import { rejection } from './rejection.ts';

const object = '/api/v1/namespaces/kube-system/configmaps/ack-agent-config';
const oldUrl = 'https://b.example.com/old.sh';
const newUrl = 'https://b.example.com/new.sh';
const from = { addNodeScriptPath: oldUrl, resourceVersion: '7' };
const holds = (url: string, version = '8', more: Record<string, string> = {}) =>
  ok(configMap('ack-agent-config', { ...more, addNodeScriptPath: url }, version));

let api: FakeApi;
beforeAll(async () => {
  api = await startFakeApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const switched = async () => switchScript(await openToWrite(api), from, newUrl);
const patches = () => api.seen.filter(({ method }) => method === 'PATCH');

describe('the switch', () => {
  test('H1 G6 is one merge patch of one key, on the version that was read, and is read back', async () => {
    api.on(`PATCH ${object}`, holds(newUrl));
    api.on(`GET ${object}`, holds(newUrl, '8', { isInit: 'true', enableNodepool: 'true' }));
    expect(await switched()).toEqual({ addNodeScriptPath: newUrl, resourceVersion: '8' });
    expect(api.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([`PATCH ${object}`, `GET ${object}`]);
    const [patch] = patches();
    expect(patch?.headers['content-type']).toBe('application/merge-patch+json');
    expect(JSON.parse(patch?.body ?? '')).toEqual({
      metadata: { resourceVersion: '7' },
      data: { addNodeScriptPath: newUrl },
    });
  });

  test('is tried again on the new version when another key was changed', async () => {
    api.on(`PATCH ${object}`, refused(409, 'Conflict'), holds(newUrl, '13'));
    api.on(`GET ${object}`, holds(oldUrl, '12'), holds(newUrl, '13'));
    expect((await switched()).resourceVersion).toBe('13');
    const versions = patches().map(({ body }) => (JSON.parse(body) as typeof from & { metadata: object }).metadata);
    expect(versions).toEqual([{ resourceVersion: '7' }, { resourceVersion: '12' }]);
  });

  test('is LiveScriptChanged when our key was changed, and says both values', async () => {
    api.on(`PATCH ${object}`, refused(409, 'Conflict'));
    api.on(`GET ${object}`, holds('https://b.example.com/theirs.sh'));
    const failure = await rejection(switched());
    expect(failure.code).toBe('LiveScriptChanged');
    expect(failure.message).toBe(
      `addNodeScriptPath held ${oldUrl} when this run began, and holds https://b.example.com/theirs.sh now`,
    );
    expect(patches()).toHaveLength(1);
  });

  test('is LiveScriptChanged when our key was removed', async () => {
    api.on(`PATCH ${object}`, refused(409, 'Conflict'));
    api.on(`GET ${object}`, ok(configMap('ack-agent-config', null)));
    expect((await rejection(switched())).message).toMatch(/holds nothing now$/);
  });

  test('gives up after some conflicts', async () => {
    api.on(`PATCH ${object}`, refused(409, 'Conflict'));
    api.on(`GET ${object}`, holds(oldUrl));
    expect((await rejection(switched())).code).toBe('ClusterConflict');
    expect(patches()).toHaveLength(5);
  });

  test('G6 of a ConfigMap that is gone is AgentConfigMissing, and none is made', async () => {
    expect((await rejection(switched())).code).toBe('AgentConfigMissing');
    expect(new Set(api.seen.map(({ method }) => method))).toEqual(new Set(['PATCH']));
  });

  test('that is forbidden changes nothing', async () => {
    api.on(`PATCH ${object}`, forbidden('patch', 'configmaps'));
    const failure = await rejection(switched());
    expect(failure.code).toBe('ClusterForbidden');
    expect(failure.causes[0]).toBe(
      'missing: verb "patch", resource "configmaps", name "ack-agent-config", namespace "kube-system"',
    );
  });
});

describe('after the switch', () => {
  test('a failed read-back is SwitchedButUnverified', async () => {
    api.on(`PATCH ${object}`, holds(newUrl));
    api.on(`GET ${object}`, refused(500, 'InternalError'));
    const failure = await rejection(switched());
    expect(failure.code).toBe('SwitchedButUnverified');
    expect(failure.message).toBe(`addNodeScriptPath was set to ${newUrl}, and reading it back failed`);
    expect(failure.kind.exit).toBe(7);
  });

  test('another value is SwitchedButUnverified', async () => {
    api.on(`PATCH ${object}`, holds(newUrl));
    api.on(`GET ${object}`, holds('https://b.example.com/theirs.sh', '9'));
    const failure = await rejection(switched());
    expect(failure.code).toBe('SwitchedButUnverified');
    expect(failure.message).toBe(
      `addNodeScriptPath was set to ${newUrl}, and holds https://b.example.com/theirs.sh now`,
    );
  });
});

describe('when the answer to the switch is lost', () => {
  test('and it was made, reading it back tells so', async () => {
    api.on(`PATCH ${object}`, cut);
    api.on(`GET ${object}`, holds(newUrl));
    expect((await switched()).addNodeScriptPath).toBe(newUrl);
  });

  test('and it was not made, it is tried again', async () => {
    api.on(`PATCH ${object}`, refused(503, 'ServiceUnavailable'), holds(newUrl));
    api.on(`GET ${object}`, holds(oldUrl), holds(newUrl));
    expect((await switched()).addNodeScriptPath).toBe(newUrl);
  });

  test('and it is made late, the conflict of the second try is no change by others', async () => {
    api.on(`PATCH ${object}`, cut, refused(409, 'Conflict'));
    api.on(`GET ${object}`, holds(oldUrl, '7'), holds(newUrl, '8'));
    expect((await switched()).resourceVersion).toBe('8');
  });

  test('and reading fails as well, it is SwitchedButUnverified: nothing may be taken back', async () => {
    api.on(`PATCH ${object}`, silent);
    api.on(`GET ${object}`, silent);
    const cluster = await open(api, { readOnly: false, timeoutMs: 300 });
    const failure = await rejection(switchScript(cluster, from, newUrl));
    expect(failure.code).toBe('SwitchedButUnverified');
    expect(failure.message).toBe(`addNodeScriptPath may hold ${newUrl} now, and reading it back failed`);
  });
});

test('G6 a ConfigMap that is missing is undefined', async () => {
  expect(await readAgentConfig(await open(api))).toBeUndefined();
});
