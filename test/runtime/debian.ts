/** Programs as Debian packages them, unpacked into the user's cache folder: nothing of them is installed. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** This machine cannot have it; the message is one sentence that says why. */
export class DebianUnavailable extends Error {
  override readonly name = 'DebianUnavailable';
}

const packages = {
  /** It, and what its templater imports. */
  'cloud-init': [
    'cloud-init',
    ...[
      'certifi',
      'chardet',
      'configobj',
      'idna',
      'jinja2',
      'markupsafe',
      'oauthlib',
      'requests',
      'urllib3',
      'yaml',
    ].map((name) => `python3-${name}`),
  ],
  docker: ['docker.io', 'containerd', 'runc', 'libdevmapper1.02.1'],
} as const;

/**
 * @returns the folder that stands for / of its packages
 * @throws DebianUnavailable
 */
export async function unpack(name: keyof typeof packages, env: NodeJS.ProcessEnv): Promise<string> {
  const cache = join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'ackone-join');
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const unfinished = await mkdtemp(`${folder}.`);
  try {
    await run('apt-get', ['-qq', 'download', ...packages[name]], { cwd: unfinished, env });
    for (const file of await readdir(unfinished)) {
      await run('dpkg-deb', ['--extract', join(unfinished, file), join(unfinished, 'root')]);
    }
    await rename(join(unfinished, 'root'), folder);
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    const why = stderr.trim().split('\n').at(-1) || message;
    throw new DebianUnavailable(`apt-get could not fetch ${name}: ${why}`);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return folder;
}
