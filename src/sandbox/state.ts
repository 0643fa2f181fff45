/** What a sandbox remembers: one file, state.json, written after each change. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../errors.ts';
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

/** @throws Failure Usage when the file is not of this form */
export function loadState(dir: string): State | undefined {
  const file = fileOf(dir);
  if (!existsSync(file)) return undefined;
  try {
    const state = JSON.parse(readFileSync(file, 'utf8')) as State;
    if (state.schema === 'ackone-join/sandbox/v1') return state;
  } catch {
    // falls through to the failure
  }
  throw new Failure('Usage', `${file} is not what this version of the sandbox keeps`, {
    next: ['Give another --dir.'],
  });
}

export const saveState = (dir: string, state: State): void => replaceFile(fileOf(dir), JSON.stringify(state));
