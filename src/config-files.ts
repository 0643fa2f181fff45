/** The project's and the user's config file, as they stand: keys are checked where answers are resolved. */
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ConfigFile } from './answers.ts';
import { Failure } from './errors.ts';
import { fileTrouble } from './file-trouble.ts';

const projectFile = 'ackone-join.yaml';
/** A file may say by its key `schema` which form it has. */
export const configSchema = 'ackone-join/config/v1';

/** `$XDG_CONFIG_HOME/ackone-join/config.yaml`, by default below ~/.config (XDG Base Directory Specification). */
export const userFile = (env: NodeJS.ProcessEnv): string =>
  join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'ackone-join', 'config.yaml');

/**
 * @param explicit Path of --config: takes the place of the project's file and must exist.
 * @throws Failure ConfigInvalid
 */
export async function readConfigFiles(
  explicit: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<{ project: ConfigFile | undefined; user: ConfigFile | undefined }> {
  const [project, user] = await Promise.all([readConfig(explicit ?? projectFile), readConfig(userFile(env))]);
  if (explicit && !project) {
    throw new Failure('ConfigInvalid', `there is no config file ${explicit}`, {
      next: ['Give --config with the path of a file that is there, or leave it out.'],
    });
  }
  return { project, user };
}

async function readConfig(path: string): Promise<ConfigFile | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw new Failure('ConfigInvalid', `${path} cannot be read: ${fileTrouble(error)}`, { cause: error });
  });
  if (text === undefined) return undefined;
  const values: unknown = await parseYaml(path, text);
  if (values === null) return { path, values: {} };
  if (typeof values !== 'object' || Array.isArray(values)) {
    throw new Failure('ConfigInvalid', `${path} must hold keys and values, one a line, such as bucket: example`);
  }
  const { schema = configSchema, ...answers } = values as Record<string, unknown>;
  if (schema !== configSchema) {
    throw new Failure('ConfigInvalid', `${path} has another schema than ${configSchema}`, {
      next: [`Write schema: ${configSchema}, or leave it out.`],
    });
  }
  return { path, values: answers };
}

async function parseYaml(path: string, text: string): Promise<unknown> {
  // Mostly there is no file, and then no start waits for the parser.
  const { readYaml } = await import('./yaml.ts');
  const yaml = readYaml(text);
  if ('value' in yaml) return yaml.value;
  throw new Failure('ConfigInvalid', `${path} is not valid YAML${yaml.wrongAt ? `, line ${yaml.wrongAt}` : ''}`);
}
