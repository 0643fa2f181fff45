/** containerd 2, built once from the Go modules pinned in containerd/go.mod and kept in the user's cache folder. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const sources = fileURLToPath(new URL('containerd/', import.meta.url));

/** This machine cannot run the containerds; the message is one sentence that says why. */
export class ContainerdUnavailable extends Error {
  override readonly name = 'ContainerdUnavailable';
}

/**
 * @param say Told one line when a build starts, which takes a minute or two the first time.
 * @returns its path
 * @throws ContainerdUnavailable when it has to be built and cannot be.
 */
export async function buildContainerd(env: NodeJS.ProcessEnv, say: (line: string) => void): Promise<string> {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum']) hash.update(await readFile(join(sources, file)));
  const cache = join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'ackone-join');
  const program = join(cache, `containerd-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(program)) return program;

  say(`Building containerd 2 from Go modules into ${program}: once, a minute or two.`);
  await mkdir(cache, { recursive: true });
  const unfinished = await mkdtemp(`${program}.`);
  try {
    const words = ['build', '-trimpath', '-ldflags', '-s -w', '-o', join(unfinished, 'containerd')];
    await run('go', [...words, 'github.com/containerd/containerd/v2/cmd/containerd'], {
      cwd: sources,
      env: { ...env, CGO_ENABLED: '0', GOWORK: 'off', GOFLAGS: '' },
    });
    await rename(join(unfinished, 'containerd'), program);
  } catch (error) {
    const lastLine = (error as { stderr?: string }).stderr?.trim().split('\n').at(-1);
    throw new ContainerdUnavailable(`Go could not build containerd 2: ${lastLine || String(error)}`);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return program;
}
