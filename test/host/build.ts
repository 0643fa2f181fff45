import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** This machine cannot boot hosts. The message is one sentence that says why. */
export class HostsUnavailable extends Error {}

/**
 * Builds what hosts are booted from, unless it stands already (`setup`, about a minute), and gives its folder.
 * Throws HostsUnavailable where hosts cannot be booted.
 */
export async function buildHosts(env: NodeJS.ProcessEnv, say: (line: string) => void): Promise<string> {
  const why = whyNot();
  if (why !== undefined) throw new HostsUnavailable(why);
  return new Promise((resolve, reject) => {
    const child = execFile(fileURLToPath(new URL('setup', import.meta.url)), { env }, (error, stdout, stderr) => {
      if (error) reject(new Error(`test/host/setup failed:\n${stderr}`));
      else resolve(stdout.trim());
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => text.trim() && say(text.trim()));
  });
}

function whyNot(): string | undefined {
  if (process.platform !== 'linux' || !existsSync('/etc/debian_version')) return 'Booting one needs Debian.';
  if (process.getuid?.() !== 0) return 'Booting one needs root.';
  try {
    // As a host is started: an overlay in a mount namespace of its own.
    execFileSync('unshare', ['--mount', '--net', '--pid', '--fork', 'true'], { stdio: 'pipe' });
  } catch {
    return 'Booting one needs namespaces, and this machine gives none.';
  }
  return undefined;
}
