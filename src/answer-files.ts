/** The files that answers name, read as they stand or as YAML: what is in them is checked where it is used. */
import { readFile } from 'node:fs/promises';
import { expiredIn } from './certificates.ts';
import { Failure } from './errors.ts';
import { fileTrouble } from './file-trouble.ts';
import { type Answers, flagOf } from './questions.ts';
import type { Yaml } from './yaml.ts';

const keys = ['caFile', 'bootstrapKubeconfig', 'kubeletConfig', 'kubeletService', 'registryCa', 'postScript'] as const;

type FileKey = (typeof keys)[number];
const inYaml = ['bootstrapKubeconfig', 'kubeletConfig'] as const;
type YamlKey = (typeof inYaml)[number];

/** By the answer's key; what was not given is missing. */
export type AnswerFiles = { readonly [K in Exclude<FileKey, YamlKey>]?: string } & {
  readonly [K in YamlKey]?: Yaml;
};

const isYaml = (key: FileKey): key is YamlKey => inYaml.some((name) => name === key);

/**
 * @param now What has expired is refused here, since a decision knows no clock.
 * @throws Failure AnswerInvalid with every file that cannot be read
 */
export async function readAnswerFiles(answers: Answers, now: Date = new Date()): Promise<AnswerFiles> {
  const troubles: string[] = [];
  const read = async (key: FileKey, path: string): Promise<readonly [string, string | Yaml] | undefined> => {
    try {
      const text = await readFile(path, 'utf8');
      // Its parser is loaded for whoever needs it only.
      return [key, isYaml(key) ? (await import('./yaml.ts')).readYaml(text) : text];
    } catch (error) {
      troubles.push(`${flagOf(key)}: ${path} cannot be read: ${fileTrouble(error)}`);
      return undefined;
    }
  };
  const found = await Promise.all(
    keys.map((key) => {
      const path = answers[key];
      return path === undefined ? undefined : read(key, path);
    }),
  );
  const files: AnswerFiles = Object.fromEntries(found.filter((entry) => entry !== undefined));
  const expired = expiredIn(files.registryCa ?? '', now);
  if (expired) {
    const which = `certificate ${expired.number} in ${answers.registryCa}`;
    troubles.push(`--registry-ca: ${which} expired on ${expired.ended.toISOString()}`);
  }
  const [first, ...others] = troubles;
  if (first !== undefined) throw new Failure('AnswerInvalid', first, { causes: others });
  return files;
}
