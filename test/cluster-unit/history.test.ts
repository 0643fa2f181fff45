import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type History, type HistoryEntry, readHistory } from '../../src/cluster/history.ts';
import { writeHistory } from '../../src/cluster/write/history.ts';
import { configMap, type FakeApi, forbidden, json, ok, refused, startFakeApi } from './fake-api.ts';
import { open, openToWrite } from './open.ts';
import { rejection } from './rejection.ts';

const collection = '/api/v1/namespaces/kube-system/configmaps';
const object = `${collection}/ackone-join`;
const entry = (number: number, state: HistoryEntry['state'] = 'superseded'): HistoryEntry => ({
  number,
  url: `https://b.oss-cn-hangzhou-internal.aliyuncs.com/ackone-join/lab/join-${number}.sh`,
  key: `ackone-join/lab/join-${number}.sh`,
  digest: 'a'.repeat(64),
  tokenId: 'abcdef',
  toolVersion: '0.1.0',
  time: '2024-02-28T23:59:59.000Z',
  user: 'jane@laptop',
  state,
});
const history = (...entries: HistoryEntry[]): History => ({ schema: 'ackone-join/history/v1', entries });

let api: FakeApi;
beforeAll(async () => {
  api = await startFakeApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const stored = (text: string) => api.on(`GET ${object}`, ok(configMap('ackone-join', { 'history.json': text }, '5')));
const read = async () => readHistory(await open(api));

describe('a history that is read', () => {
  test('is empty where there is none yet', async () => {
    expect(await read()).toEqual({ history: history(), resourceVersion: undefined });
  });

  test('is empty where the ConfigMap has no such key', async () => {
    api.on(`GET ${object}`, ok(configMap('ackone-join', null, '5')));
    expect(await read()).toEqual({ history: history(), resourceVersion: '5' });
  });

  test('is what was written', async () => {
    const first: HistoryEntry = {
      number: 0,
      url: 'https://old.example.com/x.sh',
      toolVersion: '0.1.0',
      time: '2024-02-28T23:59:59Z',
      user: 'before ackone-join',
      state: 'superseded',
    };
    stored(JSON.stringify(history(first, entry(1, 'live'))));
    expect(await read()).toEqual({ history: history(first, entry(1, 'live')), resourceVersion: '5' });
  });

  test('of a newer version says so', async () => {
    stored(JSON.stringify({ schema: 'ackone-join/history/v2', publications: [] }));
    const failure = await rejection(read());
    expect(failure.code).toBe('HistoryInvalid');
    expect(failure.message).toBe(
      'ConfigMap kube-system/ackone-join holds ackone-join/history/v2, and this version knows ackone-join/history/v1',
    );
  });

  const hostile: readonly [string, string, string][] = [
    ['no JSON', 'hello', 'its top'],
    ['a list', '[]', 'its top'],
    ['a schema with escapes', JSON.stringify({ schema: 'ackone-join/history/v2\u001b[2J' }), 'schema'],
    ['an unknown key', JSON.stringify({ ...history(), more: 1 }), 'its top'],
    ['an escape in a user', JSON.stringify(history({ ...entry(1), user: '\u001b[31mroot' })), 'entries.0.user'],
    ['two lines in a URL', JSON.stringify(history({ ...entry(1), url: 'https://x\nhttps://y' })), 'entries.0.url'],
    ['a direction override', JSON.stringify(history({ ...entry(1), user: '\u202eroot' })), 'entries.0.user'],
    ['a token id that is a path', JSON.stringify(history({ ...entry(1), tokenId: '../../x' })), 'entries.0.tokenId'],
    ['a digest that is none', JSON.stringify(history({ ...entry(1), digest: 'x' })), 'entries.0.digest'],
    ['a time that is none', JSON.stringify(history({ ...entry(1), time: 'yesterday' })), 'entries.0.time'],
    ['a negative number', JSON.stringify(history({ ...entry(1), number: -1 })), 'entries.0.number'],
    ['an unknown state', JSON.stringify({ ...history(), entries: [{ ...entry(1), state: 'x' }] }), 'entries.0.state'],
    [
      'a thousand entries',
      JSON.stringify(history(...Array.from({ length: 1000 }, (_, index) => entry(index)))),
      'entries',
    ],
  ];
  test.each(hostile)('with %s is HistoryInvalid, and nothing of it is shown', async (_, text, place) => {
    stored(text);
    const failure = await rejection(read());
    expect(failure.code).toBe('HistoryInvalid');
    expect(failure.message).toBe(
      place === 'its top'
        ? 'ConfigMap kube-system/ackone-join holds something else than a history of ackone-join'
        : `ConfigMap kube-system/ackone-join holds a history that cannot be read at ${place}`,
    );
  });

  test('that may not be read is ClusterForbidden', async () => {
    api.on(`GET ${object}`, forbidden('get', 'configmaps'));
    expect((await rejection(read())).code).toBe('ClusterForbidden');
  });
});

describe('a history that is written', () => {
  const sent = () => JSON.parse(api.seen.at(-1)?.body ?? '') as { metadata: object; data: Record<string, string> };
  const write = async (what: History, version: string | undefined) =>
    writeHistory(await openToWrite(api), what, version);

  test('for the first time makes the ConfigMap, with our label', async () => {
    api.on(`POST ${collection}`, json(201, configMap('ackone-join', {}, '6')));
    expect(await write(history(entry(1, 'pending')), undefined)).toBe('6');
    const { metadata, data } = sent();
    expect(metadata).toEqual({ name: 'ackone-join', labels: { 'app.kubernetes.io/managed-by': 'ackone-join' } });
    expect(JSON.parse(data['history.json'] ?? '')).toEqual(history(entry(1, 'pending')));
  });

  test('again is a merge patch on the version that was read', async () => {
    api.on(`PATCH ${object}`, ok(configMap('ackone-join', {}, '8')));
    expect(await write(history(entry(1, 'live')), '7')).toBe('8');
    expect(api.seen.at(-1)?.headers['content-type']).toBe('application/merge-patch+json');
    const { metadata, data } = sent();
    expect(metadata).toEqual({ resourceVersion: '7' });
    expect(Object.keys(data)).toEqual(['history.json']);
  });

  test.each([
    ['created by another run', undefined, `POST ${collection}`, refused(409, 'AlreadyExists')],
    ['changed by another run', '7', `PATCH ${object}`, refused(409, 'Conflict')],
    ['deleted in between', '7', `PATCH ${object}`, refused(404, 'NotFound')],
  ])('but %s is AnotherRun', async (_, version, request, reply) => {
    api.on(request, reply);
    expect((await rejection(write(history(entry(1)), version))).code).toBe('AnotherRun');
  });

  test('but forbidden stays ClusterForbidden', async () => {
    api.on(`PATCH ${object}`, forbidden('patch', 'configmaps'));
    expect((await rejection(write(history(entry(1)), '7'))).code).toBe('ClusterForbidden');
  });

  test('keeps ten entries: failed ones go first, then superseded ones, and never what is needed', async () => {
    api.on(`PATCH ${object}`, ok(configMap('ackone-join', {}, '8')));
    const numbers = () =>
      (JSON.parse(sent().data['history.json'] ?? '') as History).entries.map(({ number }) => number);
    const plain = Array.from({ length: 12 }, (_, index) => entry(index));
    await write(history(...plain), '7');
    expect(numbers()).toEqual([0, 3, 4, 5, 6, 7, 8, 9, 10, 11]);

    const failedLater = [entry(1, 'live'), ...Array.from({ length: 12 }, (_, index) => entry(index + 2, 'failed'))];
    await write(history(...failedLater), '7');
    expect(numbers()).toEqual([1, 5, 6, 7, 8, 9, 10, 11, 12, 13]);

    const needed = Array.from({ length: 12 }, (_, index) => entry(index + 1, 'abandoned'));
    await write(history(...needed), '7');
    expect(numbers()).toHaveLength(12);
  });
});
