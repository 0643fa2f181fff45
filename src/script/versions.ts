/** Versions as nodes and people write them, and their order. */
import compare from 'semver/functions/compare.js';
import gte from 'semver/functions/gte.js';
import type { ReportedVersion } from './types.ts';

const digits = '(\\d{1,9})';
const suffix = '((?:[-+~]|\\.(?=[a-z]))[\\w.+~-]*)?';
const pattern = new RegExp(`^v?${digits}\\.${digits}\\.${digits}${suffix}$`, 'i');

/**
 * Takes a version apart: `v1.20.4-aliyun.1` → base `1.20.4`, suffix `-aliyun.1`; `19.03.15` → base `19.3.15`.
 * No semver parser does this: a leading zero and `~` are errors to them (facts/toolchain.md).
 * @returns undefined when it is none, or when the patch is missing: no package could be named after it.
 */
export function parseVersion(raw: string): ReportedVersion | undefined {
  const text = raw.trim();
  const match = pattern.exec(text);
  if (!match) return undefined;
  const [major, minor, patch] = match.slice(1, 4).map(Number) as [number, number, number];
  return { raw: text, base: `${major}.${minor}.${patch}`, major, minor, patch, suffix: match[4] ?? '' };
}

/** What a node reports as its container runtime, taken apart. */
export interface ReportedRuntime {
  /** `containerd`, `docker`, `cri-o`, …; empty when nothing is reported. */
  readonly name: string;
  /** Undefined for `docker://Unknown`, which kubelet reports when the runtime does not answer. */
  readonly version: ReportedVersion | undefined;
  readonly raw: string;
}

/** `containerd://1.6.28` → name and version (kubernetes pkg/kubelet/nodestatus/setters.go: `type://version`). */
export function parseRuntime(reported: string): ReportedRuntime {
  const raw = reported.trim();
  const [name = '', version] = raw.split('://', 2);
  return { name: name.toLowerCase(), version: version === undefined ? undefined : parseVersion(version), raw };
}

type Base = Pick<ReportedVersion, 'base'>;

/** Orders by base alone, as Array.sort wants it: a vendor's suffix makes a version neither newer nor older. */
export const compareBase = (a: Base, b: Base): number => compare(a.base, b.base);

/** Is the base of `version` at least `base`, written like `19.3.13`? */
export const atLeast = (version: Base, base: string): boolean => gte(version.base, base);
