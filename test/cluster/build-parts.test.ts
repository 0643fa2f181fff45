import { chmod, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findParts, partNames } from './build-parts.ts';

const goMod = new URL('parts/go.mod', import.meta.url);

let folder: string;
let said: string[];
const say = (line: string) => said.push(line);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ackone-join-parts-'));
  said = [];
});
afterEach(() => rm(folder, { recursive: true }));

const executable = async (name: string, text: string) => {
  await writeFile(join(folder, name), `#!/bin/sh\n${text}\n`);
  await chmod(join(folder, name), 0o755);
};
/** A `go` that writes down its arguments, and makes the file behind -o of them. */
const fakeGo = () =>
  executable(
    'go',
    `[ "$1" = build ] || exit 0; printf '%s\\n' "$@" >>${folder}/asked; while [ "$1" != -o ]; do shift; done; echo built >"$2"; echo >>${folder}/builds`,
  );
const environment = () => ({ XDG_CACHE_HOME: join(folder, 'cache'), PATH: `${folder}:${process.env.PATH}` });

test('the parts are built once, under the names of all of them', async () => {
  await fakeGo();
  const parts = await findParts(environment(), say);
  expect(await findParts(environment(), say)).toStrictEqual(parts);
  expect(await readFile(join(folder, 'builds'), 'utf8')).toBe('\n');
  expect(said).toHaveLength(1);
  for (const name of partNames) {
    expect(parts[name]).toMatch(new RegExp(`/cache/ackone-join/parts-[0-9a-f]{16}/${name}$`));
    expect(await readlink(parts[name])).toBe('all');
    expect(await readFile(parts[name], 'utf8')).toBe('built\n');
  }
});

test('the version in go.mod is stamped into them', async () => {
  await fakeGo();
  await findParts(environment(), say);
  const version = /k8s\.io\/kubernetes (v1\.(\d+)\.\d+)/.exec(await readFile(goMod, 'utf8'));
  const asked = await readFile(join(folder, 'asked'), 'utf8');
  expect(asked).toContain(`-X k8s.io/component-base/version.gitVersion=${version?.[1]} `);
  expect(asked).toContain('-X k8s.io/component-base/version.gitMajor=1 ');
  expect(asked).toContain(`-X k8s.io/component-base/version.gitMinor=${version?.[2]} `);
  expect(said[0]).toContain(`${version?.[1]}`);
});

test('two at the same time leave one whole folder', async () => {
  await fakeGo();
  const [one, other] = await Promise.all([findParts(environment(), say), findParts(environment(), say)]);
  expect(one).toStrictEqual(other);
  expect(await readFile(one.kubeadm, 'utf8')).toBe('built\n');
});

test('what KUBEBUILDER_ASSETS has is taken from there, and only the rest is built', async () => {
  await fakeGo();
  await executable('kube-apiserver', '');
  const parts = await findParts({ ...environment(), KUBEBUILDER_ASSETS: folder }, say);
  expect(parts['kube-apiserver']).toBe(join(folder, 'kube-apiserver'));
  expect(parts.kubeadm).toContain('/cache/ackone-join/parts-');
  expect(said[0]).toContain('Building etcd, kube-controller-manager, kubeadm, kubectl v1.');
});

test('a complete KUBEBUILDER_ASSETS needs no Go', async () => {
  for (const name of partNames) await executable(name, '');
  const parts = await findParts({ PATH: '', KUBEBUILDER_ASSETS: folder }, say);
  expect(parts.kubectl).toBe(join(folder, 'kubectl'));
  expect(said).toStrictEqual([]);
});

test('no Go is one sentence that names what is missing', async () => {
  await executable('kubectl', '');
  await expect(findParts({ ...environment(), PATH: folder, KUBEBUILDER_ASSETS: folder }, say)).rejects.toMatchObject({
    name: 'PartsUnavailable',
    message:
      'There is no Go to build etcd, kube-apiserver, kube-controller-manager, kubeadm with, and KUBEBUILDER_ASSETS does not have them.',
  });
  expect(said).toStrictEqual([]);
});

test('a build that fails is one sentence with its last line, and leaves nothing behind', async () => {
  await executable(
    'go',
    '[ "$1" = build ] || exit 0; echo downloading >&2; echo "no route to the module proxy" >&2; exit 1',
  );
  await expect(findParts(environment(), say)).rejects.toMatchObject({
    name: 'PartsUnavailable',
    message: expect.stringMatching(/^Go could not build .*: no route to the module proxy$/),
  });
  await fakeGo();
  expect(await readFile((await findParts(environment(), say)).etcd, 'utf8')).toBe('built\n');
});
