import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** One for the whole machine, since network interfaces and cgroups are the machine's. */
const runs = '/var/tmp/ackone-join-hosts';

/** Where the host of a number has its disk. */
export const folderOf = (number: number) => join(runs, String(number));

/** A number from 2 to 254 that nobody on this machine holds, or whose holder is dead. */
export function takeNumber(): number {
  mkdirSync(runs, { recursive: true });
  for (let number = 2; number < 255; number++) {
    const folder = folderOf(number);
    if (existsSync(folder) && isHeld(folder)) continue;
    rmSync(folder, { recursive: true, force: true });
    try {
      mkdirSync(folder);
    } catch {
      continue;
    }
    writeFileSync(join(folder, 'owner'), String(process.pid));
    return number;
  }
  throw new Error(`every number is taken in ${runs}`);
}

function isHeld(folder: string): boolean {
  try {
    process.kill(Number(readFileSync(join(folder, 'owner'), 'utf8')), 0);
    return true;
  } catch (error) {
    const justMade =
      (error as NodeJS.ErrnoException).code === 'ENOENT' && Date.now() - statSync(folder).mtimeMs < 60_000;
    return justMade;
  }
}
