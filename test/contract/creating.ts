/** Making objects, and which are refused. */
import { expect, test } from 'vitest';
import { call } from '../support/raw-api.ts';
import { type Admin, configMap, configMaps, failure, freshConfigMap, refused, secrets } from './expectations.ts';

export function creating(admin: Admin): void {
  test('a created object comes back with what the server adds', async () => {
    await call(admin(), 'DELETE', `${configMaps}/contract-new`);
    const answer = await call(admin(), 'POST', configMaps, configMap('contract-new', { a: '1' }));
    expect(answer).toMatchObject({
      status: 201,
      contentType: 'application/json',
      body: {
        kind: 'ConfigMap',
        apiVersion: 'v1',
        metadata: {
          name: 'contract-new',
          namespace: 'kube-system',
          uid: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
          resourceVersion: expect.stringMatching(/^\d+$/),
          creationTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        },
        data: { a: '1' },
      },
    });
    const read = await call(admin(), 'GET', `${configMaps}/contract-new`);
    expect(read).toMatchObject({ status: 200, body: { kind: 'ConfigMap', data: { a: '1' } } });
  });

  test('an object without data has no data', async () => {
    await call(admin(), 'DELETE', `${configMaps}/contract-empty`);
    const { status, body } = await call(admin(), 'POST', configMaps, configMap('contract-empty'));
    expect(status).toBe(201);
    expect(body).not.toHaveProperty('data');
  });

  test('stringData of a Secret is stored as base64 and never shown as it was', async () => {
    await call(admin(), 'DELETE', `${secrets}/contract-secret`);
    const object = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'contract-secret' }, stringData: { x: 'y' } };
    const { status, body } = await call(admin(), 'POST', secrets, object);
    expect(status).toBe(201);
    expect(body).toMatchObject({ kind: 'Secret', type: 'Opaque', data: { x: 'eQ==' } });
    expect(body).not.toHaveProperty('stringData');
  });

  test('the same name twice is 409 AlreadyExists', async () => {
    await freshConfigMap(admin(), 'contract-twice', {});
    expect(await call(admin(), 'POST', configMaps, configMap('contract-twice'))).toMatchObject(
      failure(409, 'AlreadyExists', 'configmaps "contract-twice" already exists', {
        name: 'contract-twice',
        kind: 'configmaps',
      }),
    );
  });

  test('of several at the same time with one name exactly one is made', async () => {
    await call(admin(), 'DELETE', `${configMaps}/contract-race`);
    const answers = await Promise.all(
      ['1', '2', '3', '4'].map((a) => call(admin(), 'POST', configMaps, configMap('contract-race', { a }))),
    );
    expect(answers.map(({ status }) => status).sort()).toStrictEqual([201, 409, 409, 409]);
  });

  test('more than a mebibyte of data is 422', async () => {
    const tooMuch = 'x'.repeat(1024 * 1024 + 1);
    expect(await call(admin(), 'POST', configMaps, configMap('contract-x', { a: tooMuch }))).toMatchObject(
      refused(422, 'Invalid', { kind: 'ConfigMap', causes: [{ reason: 'FieldValueTooLong' }] }),
    );
    const data = { a: Buffer.from(tooMuch).toString('base64') };
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'contract-x' }, data };
    expect(await call(admin(), 'POST', secrets, secret)).toMatchObject(
      refused(422, 'Invalid', { kind: 'Secret', causes: [{ reason: 'FieldValueTooLong' }] }),
    );
  });

  test.each([
    ['a name with capitals', configMap('Contract_X'), [{ reason: 'FieldValueInvalid', field: 'metadata.name' }]],
    ['no name', configMap(''), [{ reason: 'FieldValueRequired', field: 'metadata.name' }]],
    [
      'a key with a slash',
      configMap('contract-x', { 'a/b': '1' }),
      [{ reason: 'FieldValueInvalid', field: 'data[a/b]' }],
    ],
  ])('%s is 422 Invalid and names the field', async (_what, object, causes) => {
    expect(await call(admin(), 'POST', configMaps, object)).toMatchObject(
      refused(422, 'Invalid', { kind: 'ConfigMap', causes }),
    );
  });

  test.each([
    ['a number as value', configMap('contract-x', { a: 1 })],
    ['another namespace than the URL', configMap('contract-x', {}, { namespace: 'default' })],
    ['another kind than the URL', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'contract-x' } }],
    ['half a document', '{"metadata":'],
  ])('%s is 400 BadRequest', async (_what, body) => {
    expect(await call(admin(), 'POST', configMaps, body)).toMatchObject(refused(400, 'BadRequest'));
    expect(await call(admin(), 'GET', `${configMaps}/contract-x`)).toMatchObject({ status: 404 });
  });

  test('an object that brings a resourceVersion is 500', async () => {
    const object = configMap('contract-x', {}, { resourceVersion: '5' });
    expect(await call(admin(), 'POST', configMaps, object)).toMatchObject({
      status: 500,
      body: { kind: 'Status', code: 500 },
    });
  });

  test('a body that is no JSON by its content type is 415', async () => {
    expect(await call(admin(), 'POST', configMaps, 'hello', 'text/plain')).toMatchObject(
      refused(415, 'UnsupportedMediaType'),
    );
  });

  test('a method that a collection does not have is 405', async () => {
    expect(await call(admin(), 'PUT', configMaps, configMap('contract-x'))).toMatchObject(
      refused(405, 'MethodNotAllowed'),
    );
  });

  test('an object that does not say what it is, is what its URL says', async () => {
    await call(admin(), 'DELETE', `${configMaps}/contract-kindless`);
    const answer = await call(admin(), 'POST', configMaps, {
      metadata: { name: 'contract-kindless' },
      data: { a: '1' },
    });
    expect(answer).toMatchObject({ status: 201, body: { kind: 'ConfigMap', apiVersion: 'v1', data: { a: '1' } } });
  });
}
