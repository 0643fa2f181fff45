/** Makes ready what is not installed, once. */
import { execFileSync } from 'node:child_process';
import type { TestProject } from 'vitest/node';
import { buildContainerd, ContainerdUnavailable } from './build-containerd.ts';
import { DebianUnavailable, unpack } from './debian.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Paths of containerd 1.6, Debian's, and 2; undefined on a machine that cannot run them. */
    containerds: { readonly old: string; readonly new: string } | undefined;
    /** Folder of cloud-init; undefined on a machine that cannot have it. */
    cloudInit: string | undefined;
    /** Folder of docker; undefined on a machine that cannot run it. */
    docker: string | undefined;
  }
}

const say = (line: string) => console.log(line);

export default async function setup(project: TestProject): Promise<void> {
  const docker = await runnable().catch(explain('docker'));
  project.provide('docker', docker);
  project.provide('containerds', docker ? await containerds(docker).catch(explain('containerd')) : undefined);
  project.provide('cloudInit', await unpack('cloud-init', process.env).catch(explain('cloud-init')));
}

async function runnable(): Promise<string> {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'pipe' });
  } catch {
    throw new DebianUnavailable('It takes root and a mount namespace, and this machine does not give both.');
  }
  return unpack('docker', process.env);
}

const containerds = async (docker: string) => ({
  old: `${docker}/usr/bin/containerd`,
  new: await buildContainerd(process.env, say),
});

/** One clear line instead of the tests, but a failure where everything must run. */
const explain = (what: string) => (error: unknown) => {
  const known = error instanceof ContainerdUnavailable || error instanceof DebianUnavailable;
  if (!known || process.env.CI === 'true') throw error;
  say(`Not run: the tests with a real ${what}. ${error.message}`);
  return undefined;
};
