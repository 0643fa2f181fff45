import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Installs what is missing, where this process may: as root, where there is apt-get.
 * @param {Record<string, string>} tools command → Debian package
 * @param {(line: string) => void} say
 */
export function installTools(tools, say) {
  const packages = missingPackages(tools);
  if (packages.length === 0) return;
  if (process.getuid?.() !== 0 || !onPath('apt-get')) {
    say(`Missing here, and only root on Debian gets them installed: ${packages.join(', ')}.`);
    return;
  }
  say(`Installing by apt-get: ${packages.join(', ')}.`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    execFileSync('apt-get', ['-qq', 'update'], { env, stdio: 'pipe' });
    execFileSync('apt-get', ['-qq', '-y', 'install', '--no-install-recommends', ...packages], { env, stdio: 'pipe' });
  } catch (error) {
    say(`apt-get failed: ${error instanceof Error ? error.message : error}`);
  }
}

/**
 * @param {Record<string, string>} tools
 * @returns {string[]} the packages of the commands that are not on the PATH
 */
const missingPackages = (tools) => [
  ...new Set(Object.entries(tools).flatMap(([command, name]) => (onPath(command) ? [] : [name]))),
];

/** @param {string} command */
function onPath(command) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
