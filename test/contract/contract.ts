/** What the Kubernetes API does, as far as this program relies on it: one suite for the real server and for the sandbox. */
import { describe } from 'vitest';
import { access } from './access.ts';
import { binaries } from './binaries.ts';
import { creating } from './creating.ts';
import type { Admin } from './expectations.ts';
import { patching } from './patching.ts';
import { reading } from './reading.ts';
import { tokens } from './tokens.ts';

export function contract(admin: Admin): void {
  describe('creating', () => creating(admin));
  describe('reading and deleting', () => reading(admin));
  describe('merge patch', () => patching(admin));
  describe('access', () => access(admin));
  describe('bootstrap tokens', () => tokens(admin));
  describe('without kubeadm', () => binaries(admin));
}
