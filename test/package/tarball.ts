import { execFile } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** The package folder, with a slash at its end. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Tarball {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Paths inside the package, sorted. */
  readonly files: readonly string[];
}

/** `npm pack` into a folder; its `prepack` builds first. */
export async function pack(folder: string): Promise<Tarball> {
  const args = ['pack', '--json', '--pack-destination', folder];
  const { stdout } = await run('npm', args, { cwd: root, maxBuffer: 2 ** 24 });
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('[')));
  const files = packed.files.map((file: { path: string }) => file.path);
  return { path: join(folder, packed.filename), size: packed.size, files: files.sort() };
}

/** Installs the tarball into a new folder without a network, and gives the launcher's path. */
export async function install(tarball: string, folder: string): Promise<string> {
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{}');
  await run('npm', ['install', tarball, '--offline', '--ignore-scripts'], { cwd: folder });
  return join(folder, 'node_modules/ackone-join/bin/ackone-join.js');
}

/** Files below a folder of the package, `dist/main.js`, sorted. */
export async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(root + folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.map((path) => path.slice(root.length).replaceAll(sep, '/')).sort();
}
