/** What a sandbox remembers: one file, state.json, written after each change. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

/**
 * @returns undefined for an empty folder.
 * @throws Failure Usage for a folder that holds anything else, so that nothing of the user's is overwritten
 */
export function loadState(dir: string): State | undefined {
  const file = fileOf(dir);
  const next = ['Give another --dir.'];
  if (!existsSync(file)) {
    if (readdirSync(dir).length === 0) return undefined;
    throw new Failure('Usage', `${dir} is not empty and holds no sandbox`, { next });
  }
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
