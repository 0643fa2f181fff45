/** Starts one control plane for every test of this project, and stops it after the last. */
import type { TestProject } from 'vitest/node';
import { findParts, PartsUnavailable } from './build-parts.ts';
import { type ControlPlane, startControlPlane } from './control-plane.ts';
import { byKubeadm } from './furnish.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Undefined on a machine that cannot have one. */
    controlPlane: ControlPlane | undefined;
  }
}

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const parts = await findParts(process.env, (line) => console.log(line)).catch(whyNot);
  const running = parts && (await startControlPlane(parts, byKubeadm));
  project.provide('controlPlane', running?.controlPlane);
  return running?.stop;
}

/** One clear line instead of the tests. */
function whyNot(error: unknown): undefined {
  if (!(error instanceof PartsUnavailable)) throw error;
  console.log(`Not run: the tests on a real control plane. ${error.message}`);
}
