import { randomBytes } from 'node:crypto';
import { access, constants, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Failure } from '../errors.ts';
import { fileTrouble } from '../file-trouble.ts';

const unwritable = (path: string, reason: string, cause?: unknown) =>
  new Failure('OutputUnwritable', `${path} cannot be written: ${reason}`, { cause });

/** Asked before anything is published: afterwards it would be a pity. @throws Failure OutputUnwritable */
export async function checkWritable(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) throw unwritable(path, 'it is a folder');
  await access(dirname(path), constants.W_OK).catch((error: unknown) => {
    throw unwritable(path, fileTrouble(error), error);
  });
}

/** Writes a file that holds a token: whole or not at all, readable by its owner only from the start. @throws Failure OutputUnwritable */
export async function writeSecretFile(path: string, text: string): Promise<void> {
  const part = `${path}.${randomBytes(4).toString('hex')}.part`;
  try {
    await writeFile(part, text, { mode: 0o600, flag: 'wx' });
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw unwritable(path, fileTrouble(error), error);
  }
}
