import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfigFiles, userFile } from '../src/config-files.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ackone-join-config-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const read = async (text: string) => {
  const path = join(folder, 'a.yaml');
  await writeFile(path, text);
  return readConfigFiles(path, { XDG_CONFIG_HOME: folder });
};

it('reads keys and values, and an empty file as none', async () => {
  expect((await read('bucket: example\naccess: vpc\n')).project?.values).toEqual({ bucket: 'example', access: 'vpc' });
  expect((await read('# nothing yet\n')).project?.values).toEqual({});
});

it('does without files that are not there', async () => {
  expect(await readConfigFiles(undefined, { XDG_CONFIG_HOME: folder })).toEqual({
    project: undefined,
    user: undefined,
  });
});

it.each([
  ['bucket: [unclosed', /not valid YAML, line \d/],
  ['- bucket\n', /must hold keys and values/],
  ['just text', /must hold keys and values/],
])('refuses %j', async (text, message) => {
  await expect(read(text)).rejects.toMatchObject({ code: 'ConfigInvalid', message: expect.stringMatching(message) });
});

it('refuses a --config that is not there', async () => {
  await expect(readConfigFiles(join(folder, 'none.yaml'), {})).rejects.toMatchObject({ code: 'ConfigInvalid' });
});

it('finds the file of the user below XDG_CONFIG_HOME, else below ~/.config', () => {
  expect(userFile({ XDG_CONFIG_HOME: '/x' })).toBe('/x/ackone-join/config.yaml');
  expect(userFile({ HOME: '/home/u' })).toBe('/home/u/.config/ackone-join/config.yaml');
});
