/** The built program, and what it is run with. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const launcher = fileURLToPath(new URL('../bin/ackone-join.js', import.meta.url));

/** What everything that starts is compared with. */
export const emptyNode = [process.execPath, '-e', '0'];

/** @param {readonly string[]} words */
export const program = (...words) => [process.execPath, launcher, ...words];

/** A folder for files of this run, removed at its end. */
export const folder = mkdtempSync(join(tmpdir(), 'ackone-join-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true }));

/** Nothing of the user who runs the benchmarks, and none of the variables by which a CI changes what is drawn. */
export const plainEnv = { PATH: process.env.PATH, HOME: folder, XDG_STATE_HOME: folder, LANG: 'C.UTF-8' };

const joinCommand = join(folder, 'join-command');
writeFileSync(
  joinCommand,
  `kubeadm join 192.0.2.10:6443 --token abcdef.0123456789abcdef --discovery-token-ca-cert-hash sha256:${'a'.repeat(64)}\n`,
);

/** `render` of all that it needs to be told. */
export const offlineRender = program(
  ...['render', '--kube-version', '1.28.3', '--runtime', 'containerd', '--runtime-version', '1.6.28'],
  ...['--join-command-file', joinCommand],
);

/**
 * Serves a sandbox by a process of its own while `use` works.
 * @template T
 * @param {(env: Record<string, string | undefined>) => Promise<T>} use with the variables that lead to it
 * @returns {Promise<T>}
 */
export async function withSandbox(use) {
  const [file = '', ...args] = program('sandbox', '--quiet');
  const child = spawn(file, args, { env: plainEnv, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  try {
    const exports = await new Promise((resolve, reject) => {
      let text = '';
      child.stdout.on('data', (chunk) => {
        text += chunk;
        if (/^export ACKONE_JOIN_VPC_ID=.*\n/m.test(text)) resolve(text);
      });
      child.once('close', (code) => reject(new Error(`the sandbox ended with ${code}`)));
    });
    const variables = [.../** @type {string} */ (exports).matchAll(/^export (\w+)='?([^'\n]*)'?$/gm)];
    return await use({ ...plainEnv, ...Object.fromEntries(variables.map(([, name, value]) => [name, value])) });
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}
