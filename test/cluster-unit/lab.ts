import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { type ConnectOptions, connect } from '../../src/cluster/connect.ts';
import { type FakeApi, ok } from './fake-api.ts';

/** A GET of /version that works. */
export const version = ok({ gitVersion: 'v1.28.3' });

/** What a test changes in how the program is run. */
export const options = (more: Partial<ConnectOptions> = {}): ConnectOptions => ({
  timeoutMs: 2000,
  readOnly: true,
  env: { PATH: process.env.PATH },
  ...more,
});

/** Connects and asks the fake API for its version, `v1.28.3`. */
export async function asksVersion(api: FakeApi, more: Partial<ConnectOptions>): Promise<string> {
  api.on('GET /version', version);
  return (await (await connect(options(more))).version.getCode()).gitVersion;
}

/** Writes a file below the fake API's folder, an object as YAML. */
export async function write(api: FakeApi, path: string, content: object | string): Promise<string> {
  const full = join(api.folder, path);
  await mkdir(dirname(full), { recursive: true });
  await writeFile(full, typeof content === 'string' ? content : stringify(content));
  return full;
}
