/**
 * The real parts of a control plane, built once from the Go modules pinned in
 * parts/go.mod and kept in the user's cache folder (facts/test-cluster.md).
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const sources = fileURLToPath(new URL('parts/', import.meta.url));

export const partNames = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kubeadm', 'kubectl'] as const;
export type PartName = (typeof partNames)[number];

/** Absolute path of each part. */
export type Parts = Readonly<Record<PartName, string>>;

/** This machine cannot have the parts; the message is one sentence that says why. */
export class PartsUnavailable extends Error {
  override readonly name = 'PartsUnavailable';
}

/**
 * Finds the parts: those in the folder KUBEBUILDER_ASSETS as they are, the others built.
 * @param say Told one line when a build starts, which takes minutes the first time.
 * @throws PartsUnavailable when something has to be built and cannot be.
 */
export async function findParts(env: NodeJS.ProcessEnv, say: (line: string) => void): Promise<Parts> {
  const assets = env.KUBEBUILDER_ASSETS;
  const given = (name: PartName) => (assets && existsSync(join(assets, name)) ? join(assets, name) : undefined);
  const missing = partNames.filter((name) => !given(name));
  const built = missing.length > 0 ? await builtParts(missing, env, say) : '';
  const entries = partNames.map((name) => [name, given(name) ?? join(built, name)]);
  return Object.fromEntries(entries) as Record<PartName, string>;
}

async function builtParts(names: PartName[], env: NodeJS.ProcessEnv, say: (line: string) => void): Promise<string> {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum', 'main.go']) hash.update(await readFile(join(sources, file)));
  const cache = join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'ackone-join');
  const folder = join(cache, `parts-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(folder)) return folder;

  const all = names.join(', ');
  await run('go', ['version'], { env }).catch(() => {
    throw new PartsUnavailable(`There is no Go to build ${all} with, and KUBEBUILDER_ASSETS does not have them.`);
  });
  const version = /k8s\.io\/kubernetes (v\S+)/.exec(await readFile(join(sources, 'go.mod'), 'utf8'))?.[1] ?? '';
  say(`Building ${all} ${version} from Go modules into ${folder}: once, some minutes.`);
  await mkdir(cache, { recursive: true });
  const unfinished = await mkdtemp(`${folder}.`);
  try {
    await build(version, join(unfinished, 'all'), env).catch((error: Error & { stderr?: string }) => {
      const lastLine = error.stderr?.trim().split('\n').at(-1);
      throw new PartsUnavailable(`Go could not build ${all}: ${lastLine || error.message}`);
    });
    for (const name of partNames) await symlink('all', join(unfinished, name));
    await keep(unfinished, folder);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return folder;
}

/** Another run may have finished the same folder in the meantime: then that one is kept. */
async function keep(unfinished: string, folder: string): Promise<void> {
  await rename(unfinished, folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
}

/**
 * @param version `v1.NN.P`. Unstamped, the parts say v0.0.0-master and kubeadm refuses to work with them
 * (k8s.io/component-base/version/base.go).
 */
async function build(version: string, output: string, env: NodeJS.ProcessEnv): Promise<void> {
  const [, major = '', minor = ''] = /^v(\d+)\.(\d+)\./.exec(version) ?? [];
  const stamps = {
    gitVersion: version,
    gitMajor: major,
    gitMinor: minor,
    gitCommit: '0'.repeat(40),
    gitTreeState: 'clean',
  };
  const flags = Object.entries(stamps).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`);
  const args = ['build', '-trimpath', '-ldflags', `-s -w ${flags.join(' ')}`, '-o', output, '.'];
  await run('go', args, { cwd: sources, env: { ...env, CGO_ENABLED: '0', GOWORK: 'off', GOFLAGS: '' } });
}
