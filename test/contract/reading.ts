/** Reading, listing and deleting objects. */
import { expect, test } from 'vitest';
import { call, type KubernetesObject } from '../support/raw-api.ts';
import { type Admin, configMap, configMaps, failure, freshConfigMap, refused } from './expectations.ts';

interface List {
  readonly metadata: { readonly continue?: string };
  readonly items: readonly KubernetesObject[];
}

export function reading(admin: Admin): void {
  test('what is not there is 404 NotFound', async () => {
    const details = { name: 'contract-missing', kind: 'configmaps' };
    const expected = failure(404, 'NotFound', 'configmaps "contract-missing" not found', details);
    expect(await call(admin(), 'GET', `${configMaps}/contract-missing`)).toMatchObject(expected);
    expect(await call(admin(), 'DELETE', `${configMaps}/contract-missing`)).toMatchObject(expected);
  });

  test('a missing namespace, a resource and a path that are none are 404', async () => {
    expect(await call(admin(), 'POST', '/api/v1/namespaces/nope/configmaps', configMap('contract-x'))).toMatchObject(
      failure(404, 'NotFound', 'namespaces "nope" not found', { name: 'nope', kind: 'namespaces' }),
    );
    expect(await call(admin(), 'GET', '/api/v1/namespaces/kube-system/nonsense')).toMatchObject(
      failure(404, 'NotFound', 'the server could not find the requested resource'),
    );
    expect(await call(admin(), 'GET', '/nonsense')).toMatchObject({ status: 404, body: '404 page not found\n' });
  });

  test('deleting answers with a Status that names what is gone', async () => {
    await freshConfigMap(admin(), 'contract-gone', {});
    expect(await call(admin(), 'DELETE', `${configMaps}/contract-gone`)).toMatchObject({
      status: 200,
      body: { kind: 'Status', status: 'Success', details: { name: 'contract-gone', kind: 'configmaps' } },
    });
    expect(await call(admin(), 'GET', `${configMaps}/contract-gone`)).toMatchObject({ status: 404 });
  });

  test('deleting on condition of another uid or resourceVersion is 409 and deletes nothing', async () => {
    const resourceVersion = await freshConfigMap(admin(), 'contract-condition', {});
    const path = `${configMaps}/contract-condition`;
    const { body } = await call(admin(), 'GET', path);
    const { uid } = (body as KubernetesObject).metadata;
    for (const preconditions of [
      { uid: '00000000-0000-0000-0000-000000000000', resourceVersion },
      { uid, resourceVersion: '1' },
    ]) {
      expect(await call(admin(), 'DELETE', path, { preconditions })).toMatchObject(
        refused(409, 'Conflict', { name: 'contract-condition' }),
      );
      expect(await call(admin(), 'GET', path)).toMatchObject({ status: 200 });
    }
    expect(await call(admin(), 'DELETE', path, { preconditions: { uid, resourceVersion } })).toMatchObject({
      status: 200,
    });
    expect(await call(admin(), 'GET', path)).toMatchObject({ status: 404 });
  });

  test('a list comes in pages of the size that is asked for, and each object once', async () => {
    const whole = (await call(admin(), 'GET', '/api/v1/nodes')).body as List;
    const paged: KubernetesObject[] = [];
    let next: string | undefined;
    do {
      const query = new URLSearchParams({ limit: '1', ...(next && { continue: next }) });
      const page = (await call(admin(), 'GET', `/api/v1/nodes?${query}`)).body as List;
      expect(page.items.length).toBeLessThanOrEqual(1);
      paged.push(...page.items);
      next = page.metadata.continue;
    } while (next);
    expect(whole.items.length).toBeGreaterThan(1);
    expect(paged.map(({ metadata }) => metadata.name)).toStrictEqual(whole.items.map(({ metadata }) => metadata.name));
  });

  test('a list has a kind of its own, and items', async () => {
    expect(await call(admin(), 'GET', '/api/v1/nodes')).toMatchObject({
      status: 200,
      body: { kind: 'NodeList', apiVersion: 'v1', metadata: { resourceVersion: expect.stringMatching(/^\d+$/) } },
    });
  });

  test('the version is open to everybody who is somebody, and has the parts', async () => {
    expect(await call(admin(), 'GET', '/version')).toMatchObject({
      status: 200,
      body: { major: '1', gitVersion: expect.stringMatching(/^v1\.\d+\.\d+/), platform: 'linux/amd64' },
    });
  });
}
