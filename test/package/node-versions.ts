import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The oldest line that the program supports and the current LTS: major → version of the npm package `node`. */
export const nodeVersions = { '20': '20.19.0', '24': '24.21.0' } as const;

/**
 * Path of a `node` of this major: the one that runs this, or one installed into the user's cache folder. It must not be
 * a dependency of the project: `node_modules/.bin/node` would shadow `node` in every npm script (facts/toolchain.md).
 */
export async function nodeOfMajor(major: keyof typeof nodeVersions): Promise<string> {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const version = nodeVersions[major];
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const folder = join(cache, 'ackone-join', `node-${version}`);
  const path = join(folder, 'node_modules/node/bin/node');
  if (!existsSync(path)) {
    await mkdir(folder, { recursive: true });
    await promisify(execFile)('npm', ['install', '--no-save', '--no-package-lock', `node@${version}`], { cwd: folder });
  }
  return path;
}
