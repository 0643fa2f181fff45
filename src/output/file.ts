import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { Failure } from '../errors.ts';

/** Writes a file that holds a token: whole or not at all, readable by its owner only from the start. @throws Failure OutputUnwritable */
export async function writeSecretFile(path: string, text: string): Promise<void> {
  const part = `${path}.${randomBytes(4).toString('hex')}.part`;
  try {
    await writeFile(part, text, { mode: 0o600, flag: 'wx' });
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw new Failure(
      'OutputUnwritable',
      `${path} cannot be written: ${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}`,
      { cause: error },
    );
  }
}
