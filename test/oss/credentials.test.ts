import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loadCredentials } from '../../src/oss/credentials.ts';
import { everythingShown, failureFrom } from './failures.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'credentials-'));
  for (const name of Object.keys(process.env)) if (name.startsWith('ALIBABA_CLOUD_')) vi.stubEnv(name, undefined);
  vi.stubEnv('HOME', home);
  vi.stubEnv('ALIBABA_CLOUD_ECS_METADATA_DISABLED', 'true');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

function write(path: string, text: string): void {
  const file = join(home, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
}

it('the environment that is given comes first, and leaves no file read', async () => {
  write('.aliyun/config.json', 'MARKED');
  const env = {
    ALIBABA_CLOUD_ACCESS_KEY_ID: 'id',
    ALIBABA_CLOUD_ACCESS_KEY_SECRET: ' secret\n',
    ALIBABA_CLOUD_SECURITY_TOKEN: '',
  };
  expect(await loadCredentials(env)).toEqual({
    accessKeyId: 'id',
    accessKeySecret: 'secret',
    securityToken: undefined,
    expiration: undefined,
    source: 'environment variables',
  });
  expect((await loadCredentials({ ...env, ALIBABA_CLOUD_SECURITY_TOKEN: 'sts' })).securityToken).toBe('sts');
});

it('the current profile of ~/.aliyun/config.json', async () => {
  const profiles = [
    { name: 'one', mode: 'AK', access_key_id: 'id-1', access_key_secret: 'secret-1' },
    { name: 'two', mode: 'StsToken', access_key_id: 'id-2', access_key_secret: 'secret-2', sts_token: 'sts-2' },
  ];
  write('.aliyun/config.json', JSON.stringify({ current: 'one', profiles }));
  expect(await loadCredentials({})).toMatchObject({ accessKeyId: 'id-1', source: '~/.aliyun/config.json' });
  vi.stubEnv('ALIBABA_CLOUD_PROFILE', 'two');
  expect(await loadCredentials({})).toMatchObject({ accessKeyId: 'id-2', securityToken: 'sts-2' });
});

it('~/.alibabacloud/credentials', async () => {
  write(
    '.alibabacloud/credentials',
    '[default]\ntype = access_key\naccess_key_id = id-3\naccess_key_secret = secret-3\n',
  );
  expect(await loadCredentials({})).toMatchObject({ accessKeyId: 'id-3', source: '~/.alibabacloud/credentials' });
});

it('temporary credentials of ALIBABA_CLOUD_CREDENTIALS_URI keep the time at which they end', async () => {
  const expiration = new Date(Date.now() + 3600_000).toISOString().replace(/\.\d+Z$/, 'Z');
  const server = createServer((_request, response) =>
    response.end(
      JSON.stringify({
        AccessKeyId: 'id-4',
        AccessKeySecret: 'secret-4',
        SecurityToken: 'sts-4',
        Expiration: expiration,
      }),
    ),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  vi.stubEnv('ALIBABA_CLOUD_CREDENTIALS_URI', `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  try {
    expect(await loadCredentials({})).toEqual({
      accessKeyId: 'id-4',
      accessKeySecret: 'secret-4',
      securityToken: 'sts-4',
      expiration,
      source: 'ALIBABA_CLOUD_CREDENTIALS_URI',
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

it('nowhere: every place is named, with why it gave none', async () => {
  const failure = await failureFrom(loadCredentials({ ALIBABA_CLOUD_ACCESS_KEY_ID: 'MARKED' }));
  expect(failure.code).toBe('CredentialsMissing');
  expect(failure.causes).toEqual([
    'environment variables: ALIBABA_CLOUD_ACCESS_KEY_SECRET is not set',
    'OIDC variables: not set',
    '~/.aliyun/config.json: not there, or not readable',
    '~/.alibabacloud/credentials: not there, or not readable',
    'ECS instance role: switched off by ALIBABA_CLOUD_ECS_METADATA_DISABLED',
    'ALIBABA_CLOUD_CREDENTIALS_URI: not set',
  ]);
  expect(everythingShown(failure)).not.toContain('MARKED');
});

it.each([
  ['not JSON', '.aliyun/config.json', '{"profiles":[{"access_key_secret":"MARKED"', '~/.aliyun/config.json: not JSON'],
  ['no profiles', '.aliyun/config.json', '{"MARKED":1}', '~/.aliyun/config.json: no profile in it that can be used'],
  [
    'a mode that nobody knows',
    '.aliyun/config.json',
    '{"current":"MARKED","profiles":[{"name":"MARKED","mode":"MARKED"}]}',
    '~/.aliyun/config.json: no profile in it that can be used',
  ],
  [
    'an empty key',
    '.aliyun/config.json',
    '{"current":"a","profiles":[{"name":"a","mode":"AK","access_key_id":"MARKED","access_key_secret":""}]}',
    '~/.aliyun/config.json: no profile in it that can be used',
  ],
  [
    'a helper that prints no JSON',
    '.aliyun/config.json',
    '{"current":"a","profiles":[{"name":"a","mode":"External","process_command":"echo MARKED"}]}',
    '~/.aliyun/config.json: no profile in it that can be used',
  ],
  [
    'a type that nobody knows',
    '.alibabacloud/credentials',
    '[default]\ntype = MARKED\naccess_key_secret = MARKED\n',
    '~/.alibabacloud/credentials: no profile in it that can be used',
  ],
])('a broken file (%s) is named, and nothing of it is shown', async (_title, path, text, cause) => {
  write(path, text);
  const failure = await failureFrom(loadCredentials({}));
  expect(failure.code).toBe('CredentialsMissing');
  expect(failure.causes).toContain(cause);
  expect(everythingShown(failure)).not.toContain('MARKED');
});

it('an answer of a credentials URI that is none is not shown', async () => {
  const server = createServer((_request, response) => response.end('{"AccessKeySecret":"MARKED"}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  vi.stubEnv('ALIBABA_CLOUD_CREDENTIALS_URI', `http://127.0.0.1:${(server.address() as AddressInfo).port}/MARKED`);
  try {
    const failure = await failureFrom(loadCredentials({}));
    expect(failure.causes.at(-1)).toBe('ALIBABA_CLOUD_CREDENTIALS_URI: it gave no credentials');
    expect(everythingShown(failure)).not.toContain('MARKED');
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

it('a source that never answers is given up', { timeout: 20_000 }, async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    write(
      '.aliyun/config.json',
      '{"current":"a","profiles":[{"name":"a","mode":"External","process_command":"sleep 5"}]}',
    );
    const found = failureFrom(loadCredentials({}));
    await vi.advanceTimersByTimeAsync(15_000);
    expect((await found).causes).toEqual(['looking for them took longer than 15 s']);
  } finally {
    vi.useRealTimers();
  }
});
