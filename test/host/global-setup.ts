/** Builds once what every host of this project is booted from. */
import type { TestProject } from 'vitest/node';
import { buildHosts, HostsUnavailable } from './build.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder that `setup` made; undefined on a machine that cannot boot hosts. */
    hosts: string | undefined;
  }
}

export default async function setup(project: TestProject): Promise<void> {
  project.provide('hosts', await buildHosts(process.env, (line) => console.log(line)).catch(explain));
}

/** One clear line instead of the tests, but a failure where everything must run. */
function explain(error: unknown): undefined {
  if (!(error instanceof HostsUnavailable) || process.env.CI === 'true') throw error;
  console.log(`Not run: the tests on a booted host. ${error.message}`);
}
