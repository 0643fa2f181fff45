/** What a sandbox remembers: one file, state.json, written after each change. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SavedCluster } from './cluster.ts';
import type { SavedBucket } from './oss/buckets.ts';
import { replaceFile } from './oss/files.ts';
import type { AccessKey } from './oss/signature.ts';

export interface State {
  readonly schema: 'ackone-join/sandbox/v1';
  /** Kept, so that URLs and a kubeconfig of a former run stay valid. */
  readonly ports: { readonly proxy: number; readonly oss: number };
  readonly accessKey: AccessKey;
  readonly clusters: Readonly<Record<string, SavedCluster>>;
  readonly buckets: readonly SavedBucket[];
}

const fileOf = (dir: string) => join(dir, 'state.json');

export function loadState(dir: string): State | undefined {
  const file = fileOf(dir);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as State) : undefined;
}

export const saveState = (dir: string, state: State): void => replaceFile(fileOf(dir), JSON.stringify(state));
