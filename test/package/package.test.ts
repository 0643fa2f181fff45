import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { nodeOfMajor, nodeVersions } from './node-versions.ts';
import { filesBelow, install, pack, type Tarball } from './tarball.ts';

let folder: string;
let tarball: Tarball;
let launcher: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ackone-join-package-'));
  tarball = await pack(folder);
  launcher = await install(tarball.path, join(folder, 'installed'));
  console.log(`Note: the tarball has ${tarball.files.length} files and ${Math.round(tarball.size / 1024)} KiB.`);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const installed = (path: string) => readFile(join(folder, 'installed/node_modules/ackone-join', path), 'utf8');

test('the tarball holds the program, the templates and the texts, and nothing else', async () => {
  const texts = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'];
  const folders = await Promise.all(['bin', 'dist', 'script-templates'].map(filesBelow));
  expect(tarball.files).toEqual([...folders.flat(), ...texts].sort());
  expect(tarball.files.filter((path) => /\.tsx?$|\.map$/.test(path))).toEqual([]);
  expect(tarball.size).toBeLessThan(5 * 2 ** 20);
});

test('what is installed depends on no other package', async () => {
  const { dependencies, devDependencies } = JSON.parse(await installed('package.json'));
  expect(dependencies).toBeUndefined();
  expect(Object.keys(devDependencies)).toContain('commander');
});

test('every package in the bundle is in the bill of materials, and its licence text is there', async () => {
  const bill: Bill = JSON.parse(await installed('dist/sbom.cdx.json'));
  const licences = await installed('dist/THIRD_PARTY_LICENSES.txt');
  const names = bill.components.map(({ group, name }) => (group ? `${group}/${name}` : name));
  expect(names).toEqual(expect.arrayContaining(['@kubernetes/client-node', 'ali-oss', 'commander', 'zod']));
  expect(names).not.toContain('vitest');
  for (const [index, { version }] of bill.components.entries()) {
    expect(licences).toContain(`\n${names[index]} ${version} (`);
  }
});

describe.each(Object.keys(nodeVersions) as (keyof typeof nodeVersions)[])('installed, on Node %s', (major) => {
  let node: string;
  beforeAll(async () => {
    node = await nodeOfMajor(major);
  });

  const start = (...args: string[]) =>
    promisify(execFile)(node, [launcher, ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, NODE_COMPILE_CACHE: join(folder, 'compile-cache') },
    });

  test('it is that Node', async () => {
    const { stdout } = await promisify(execFile)(node, ['--version']);
    expect(stdout).toMatch(new RegExp(`^v${major}\\.`));
  });

  test('a link called kubectl-ackone_join is a plugin of kubectl, and knows so', async () => {
    const link = join(folder, `${major}/kubectl-ackone_join`);
    await mkdir(dirname(link), { recursive: true });
    await symlink(launcher, link);
    const { stdout } = await promisify(execFile)(node, [link, 'explain', '--help']);
    expect(stdout).toMatch(/^Examples:\n {2}kubectl ackone_join explain TokenNotSigned\n/);
  });

  test('--version prints the version of package.json', async () => {
    expect(await start('--version')).toEqual({ stdout: `${packageJson.version}\n`, stderr: '' });
  });

  test('render composes a script offline', async () => {
    const file = join(folder, `join-command-${major}`);
    const pin = `sha256:${'a'.repeat(64)}`;
    await writeFile(
      file,
      `kubeadm join 192.0.2.10:6443 --token abcdef.0123456789abcdef --discovery-token-ca-cert-hash ${pin}\n`,
    );
    const versions = ['--kube-version', '1.28.3', '--runtime', 'containerd', '--runtime-version', '1.6.28'];
    const { stdout } = await start('render', ...versions, '--join-command-file', file);
    expect(stdout).toMatch(/^#!\/bin\/bash\n/);
    expect(stdout).toContain("'kubelet-1.28.3'");
    expect(stdout).toContain(pin);
    expect(stdout).toMatch(/\nmain "\$@"\n/);
  });

  test('init --sandbox --yes publishes to the sandbox', async () => {
    const { stdout } = await start('init', '--sandbox', '--yes', '--output', 'json');
    expect(JSON.parse(stdout).schema).toBe('ackone-join/result/v1');
  });
});

interface Bill {
  readonly components: readonly { readonly group?: string; readonly name: string; readonly version: string }[];
}
