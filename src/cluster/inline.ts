/** What a kubeconfig holds as base64 or as a path, read into a text. */
import { readFile } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { Failure } from '../errors.ts';

/** PEM in base64, as kubeconfigs have it. */
export function pem(base64: string, what: string): string {
  const text = Buffer.from(base64, 'base64').toString('utf8');
  if (!/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(base64) || !text.includes('-----BEGIN ')) {
    throw new Failure('KubeconfigInvalid', `${what} in the kubeconfig is no base64 of a PEM text`);
  }
  return text;
}

/** A file that a kubeconfig names: relative paths start at the kubeconfig's folder (H3). */
export async function beside(path: string, folder: string | undefined, what: string): Promise<string> {
  if (folder === undefined && !isAbsolute(path)) {
    const reason = `is the relative path ${path}, and a kubeconfig from standard input has no folder to start from`;
    throw new Failure('KubeconfigInvalid', `${what} ${reason}`, {
      next: ['Give the kubeconfig as a file, or use `kubectl config view --flatten --raw`.'],
    });
  }
  const full = resolve(folder ?? '/', path);
  return readFile(full, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${error.code})`;
    throw new Failure('KubeconfigInvalid', `${what} in the kubeconfig names ${full}, which ${reason}`);
  });
}

export const base64 = (text: string) => Buffer.from(text).toString('base64');
