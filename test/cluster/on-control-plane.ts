import { readFileSync } from 'node:fs';
import { describe, inject, test } from 'vitest';
import { type Connection, connectionOf } from '../support/raw-api.ts';
import type { ControlPlane } from './control-plane.ts';

/** The control plane that global-setup.ts started, and its administrator. */
export interface TestCluster extends ControlPlane {
  readonly admin: Connection;
}

/**
 * Declares tests on the real control plane. On a machine that has none they are one test that is not run, and where
 * everything must run (CI=true) one that fails.
 */
export function onControlPlane(name: string, declare: (cluster: TestCluster) => void): void {
  const controlPlane = inject('controlPlane');
  if (!controlPlane) {
    test.runIf(process.env.CI === 'true')(name, () => {
      throw new Error('there is no control plane on this machine');
    });
    return;
  }
  const admin = connectionOf(readFileSync(controlPlane.kubeconfig, 'utf8'));
  describe(name, () => declare({ ...controlPlane, admin }));
}
