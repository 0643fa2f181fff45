import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The package folder, with a slash at its end. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Every file that is tracked or would be, by its path from the root. */
export async function projectFiles(): Promise<readonly string[]> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout } = await promisify(execFile)('git', args, { cwd: root, maxBuffer: 2 ** 26 });
  return stdout.split('\0').filter((path) => path !== '' && existsSync(root + path));
}
