/** Servers of the test cluster as child processes that cannot outlive the tests. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Server {
  /** Kills the process; nothing in it is worth a farewell. Resolves when it is gone. */
  stop(): Promise<void>;
  /** The same for process.on('exit'), where nothing can be awaited. */
  killNow(): void;
  /** Resolves once `ready` is true. Throws with the end of the log when the process dies first, or after 60 s. */
  until(ready: () => Promise<boolean>): Promise<void>;
}

/**
 * Starts `program`; its output goes to `folder/NAME.log`. setpriv lets the kernel kill it
 * when this process dies in whatever way, SIGKILL included (prctl PR_SET_PDEATHSIG).
 */
export function startServer(program: string, args: readonly string[], folder: string, env: NodeJS.ProcessEnv): Server {
  const name = basename(program);
  const log = join(folder, `${name}.log`);
  const output = openSync(log, 'a');
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', program, ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  let spawnError: Error | undefined;
  child.on('error', (error) => {
    spawnError = error;
  });
  const tail = () => readFileSync(log, 'utf8').trim().split('\n').slice(-15).join('\n');
  return {
    stop: () => stop(child),
    killNow: () => child.kill('SIGKILL'),
    until: async (ready) => {
      const deadline = Date.now() + 60_000;
      while (!(await ready().catch(() => false))) {
        if (spawnError) throw spawnError;
        if (hasEnded(child)) throw new Error(`${name} ended with ${child.exitCode ?? child.signalCode}:\n${tail()}`);
        if (Date.now() > deadline) throw new Error(`${name} was not ready after 60 s:\n${tail()}`);
        await sleep(50);
      }
    },
  };
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child) || child.pid === undefined) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}
