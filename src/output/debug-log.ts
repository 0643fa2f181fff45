/** The log of --debug: what was asked of whom, in a file that only its owner can read. */
import { appendFileSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { visible, withoutSecrets } from '../masking.ts';

export interface DebugLog {
  readonly path: string;
  line(text: string): void;
}

/** `$XDG_STATE_HOME/ackone-join`, by default below ~/.local/state (XDG Base Directory Specification); else the folder for temporary files. */
const folders = (env: NodeJS.ProcessEnv) => [
  join(env.XDG_STATE_HOME || join(env.HOME || homedir(), '.local', 'state'), 'ackone-join'),
  env.TMPDIR || tmpdir(),
];

/** @returns undefined where no file can be made: a log is no reason to fail */
export function openDebugLog(env: NodeJS.ProcessEnv, now: Date): DebugLog | undefined {
  const stamp = now.toISOString().replaceAll(/[-:.]/g, '');
  for (const folder of folders(env)) {
    const path = join(folder, `debug-${stamp}-${process.pid}.log`);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      closeSync(openSync(path, 'wx', 0o600));
      return { path, line: (text) => append(path, text) };
    } catch {}
  }
  return undefined;
}

/** At once, so that it is there whatever happens next. */
function append(path: string, text: string): void {
  try {
    appendFileSync(path, `${new Date().toISOString()} ${visible(withoutSecrets(text))}\n`);
  } catch {}
}
