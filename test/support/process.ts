/** The built program as a process of its own, to be killed and signalled. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Ended } from './program.ts';

const launcher = fileURLToPath(new URL('../../bin/ackone-join.js', import.meta.url));

export interface Started {
  readonly child: ChildProcess;
  /** `exit` is undefined when a signal that it could not catch ended it. */
  readonly ended: Promise<Omit<Ended, 'exit'> & { readonly exit: number | undefined }>;
}

export function start(words: readonly string[], env: NodeJS.ProcessEnv): Started {
  const child = spawn(process.execPath, [launcher, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    written.stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    written.stderr += chunk.toString();
  });
  const ended = new Promise<Awaited<Started['ended']>>((resolve) => {
    child.on('close', (code) => resolve({ exit: code ?? undefined, ...written }));
  });
  return { child, ended };
}
