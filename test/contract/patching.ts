/** The merge patch, on which the switch of the script rests. */
import { expect, test } from 'vitest';
import { call, type KubernetesObject } from '../support/raw-api.ts';
import { type Admin, configMaps, failure, freshConfigMap, mergePatch, refused, secrets } from './expectations.ts';

export function patching(admin: Admin): void {
  const patch = (name: string, body: unknown, contentType = mergePatch) =>
    call(admin(), 'PATCH', `${configMaps}/${name}`, body, contentType);

  test('G6 a merge patch sets one key, and null takes one away; the others survive', async () => {
    await freshConfigMap(admin(), 'contract-patch', { keep: 'k', drop: 'd' });
    const answer = await patch('contract-patch', { data: { set: 's', drop: null } });
    expect(answer).toMatchObject({ status: 200, body: { kind: 'ConfigMap', data: { keep: 'k', set: 's' } } });
    expect((answer.body as KubernetesObject).data).toStrictEqual({ keep: 'k', set: 's' });
  });

  test('a change gives a new resourceVersion, a patch that changes nothing does not', async () => {
    const first = await freshConfigMap(admin(), 'contract-patch', { a: '1' });
    const changed = (await patch('contract-patch', { data: { a: '2' } })).body as KubernetesObject;
    expect(Number(changed.metadata.resourceVersion)).toBeGreaterThan(Number(first));
    const same = (await patch('contract-patch', { data: { a: '2' } })).body as KubernetesObject;
    expect(same.metadata.resourceVersion).toBe(changed.metadata.resourceVersion);
  });

  test('with the resourceVersion that was read it passes once; the second time it is 409 Conflict', async () => {
    const resourceVersion = await freshConfigMap(admin(), 'contract-patch', { a: '1' });
    expect(await patch('contract-patch', { metadata: { resourceVersion }, data: { a: '2' } })).toMatchObject({
      status: 200,
      body: { data: { a: '2' } },
    });
    expect(await patch('contract-patch', { metadata: { resourceVersion }, data: { a: '3' } })).toMatchObject(
      failure(
        409,
        'Conflict',
        'Operation cannot be fulfilled on configmaps "contract-patch": the object has been modified; please apply your changes to the latest version and try again',
        { name: 'contract-patch', kind: 'configmaps' },
      ),
    );
    const read = await call(admin(), 'GET', `${configMaps}/contract-patch`);
    expect((read.body as KubernetesObject).data).toStrictEqual({ a: '2' });
  });

  test('of several at the same time with one resourceVersion exactly one passes', async () => {
    const resourceVersion = await freshConfigMap(admin(), 'contract-patch', { a: '0' });
    const answers = await Promise.all(
      ['1', '2', '3', '4'].map((a) => patch('contract-patch', { metadata: { resourceVersion }, data: { a } })),
    );
    expect(answers.map(({ status }) => status).sort()).toStrictEqual([200, 409, 409, 409]);
  });

  test('a resourceVersion from the future is 409 too', async () => {
    await freshConfigMap(admin(), 'contract-patch', { a: '1' });
    const body = { metadata: { resourceVersion: '999999999' }, data: { a: '2' } };
    expect(await patch('contract-patch', body)).toMatchObject(refused(409, 'Conflict'));
  });

  test('a resourceVersion that is no number is 500', async () => {
    await freshConfigMap(admin(), 'contract-patch', { a: '1' });
    const body = { metadata: { resourceVersion: 'abc' }, data: { a: '2' } };
    expect(await patch('contract-patch', body)).toMatchObject({ status: 500, body: { kind: 'Status', code: 500 } });
  });

  test('the type of a Secret can never change', async () => {
    const path = `${secrets}/contract-typed`;
    await call(admin(), 'DELETE', path);
    await call(admin(), 'POST', secrets, { metadata: { name: 'contract-typed' } });
    expect(await call(admin(), 'PATCH', path, { type: 'bootstrap.kubernetes.io/token' }, mergePatch)).toMatchObject(
      refused(422, 'Invalid', { kind: 'Secret', causes: [{ reason: 'FieldValueInvalid', field: 'type' }] }),
    );
  });

  test('a ConfigMap whose data is null takes a key', async () => {
    await freshConfigMap(admin(), 'contract-patch', { a: '1' });
    const emptied = await patch('contract-patch', { data: null });
    expect(emptied.status).toBe(200);
    expect(emptied.body).not.toHaveProperty('data');
    expect(await patch('contract-patch', { data: { b: '2' } })).toMatchObject({
      status: 200,
      body: { data: { b: '2' } },
    });
  });

  test('patching what is not there is 404 and makes nothing', async () => {
    await call(admin(), 'DELETE', `${configMaps}/contract-missing`);
    expect(await patch('contract-missing', { data: { a: '1' } })).toMatchObject(
      failure(404, 'NotFound', 'configmaps "contract-missing" not found'),
    );
    expect(await call(admin(), 'GET', `${configMaps}/contract-missing`)).toMatchObject({ status: 404 });
  });

  test('H1 a merge patch sent as JSON patch is 400, as plain JSON 415', async () => {
    await freshConfigMap(admin(), 'contract-patch', { a: '1' });
    const body = { data: { a: '2' } };
    expect(await patch('contract-patch', body, 'application/json-patch+json')).toMatchObject(
      refused(400, 'BadRequest'),
    );
    expect(await patch('contract-patch', body, 'application/json')).toMatchObject(refused(415, 'UnsupportedMediaType'));
    const read = await call(admin(), 'GET', `${configMaps}/contract-patch`);
    expect((read.body as KubernetesObject).data).toStrictEqual({ a: '1' });
  });

  test.each([
    ['a number as value', { data: { a: 1 } }, refused(422, 'Invalid')],
    ['a key with a slash', { data: { 'a/b': '1' } }, refused(422, 'Invalid', { causes: [{ field: 'data[a/b]' }] })],
    ['another name', { metadata: { name: 'contract-other' } }, refused(400, 'BadRequest')],
    ['half a document', '{"data":', refused(400, 'BadRequest')],
  ])('%s is refused and changes nothing', async (_what, body, expected) => {
    await freshConfigMap(admin(), 'contract-patch', { a: '1' });
    expect(await patch('contract-patch', body)).toMatchObject(expected);
    const read = await call(admin(), 'GET', `${configMaps}/contract-patch`);
    expect((read.body as KubernetesObject).data).toStrictEqual({ a: '1' });
  });
}
