import { readFileSync } from 'node:fs';
import { describe, inject, test } from 'vitest';
import { type Connection, connectionOf } from '../support/raw-api.ts';
import type { ControlPlane } from './control-plane.ts';

/** The control plane that global-setup.ts started, and its administrator. */
export interface TestCluster extends ControlPlane {
  readonly admin: Connection;
}

/** Declares tests on the real control plane. On a machine that has none they are one skipped line. */
export function onControlPlane(name: string, declare: (cluster: TestCluster) => void): void {
  const controlPlane = inject('controlPlane');
  if (!controlPlane) {
    test.skip(`${name}: no control plane here`);
    return;
  }
  const admin = connectionOf(readFileSync(controlPlane.kubeconfig, 'utf8'));
  describe(name, () => declare({ ...controlPlane, admin }));
}
