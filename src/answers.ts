/** From flags, variables and config files to checked answers: the first that says something wins. */
import type { ZodError } from 'zod';
import { Failure, failures } from './errors.ts';
import { nearest } from './nearest.ts';
import type { Answers, CommandName, Key, Known, Question, Source } from './questions.ts';
import { choicesOf, flagOf, questions, rows, variableOf } from './questions.ts';

/** A config file that was read: its values by key of the table. */
export interface ConfigFile {
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
}

export interface Layers {
  /** As the parser gives them, by key; what was not given is undefined. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly env: NodeJS.ProcessEnv;
  readonly project?: ConfigFile | undefined;
  readonly user?: ConfigFile | undefined;
  readonly known: Known;
}

export interface Resolved {
  readonly answers: Answers;
  readonly sources: Readonly<Partial<Record<Key, Source>>>;
}

interface Candidate {
  readonly source: Source;
  readonly value: unknown;
  /** How the user knows it: `--bucket`, `ACKONE_JOIN_BUCKET`, `bucket in ackone-join.yaml`. */
  readonly name: string;
}

/** A value that does not pass its check. */
export interface Invalid {
  readonly key: Key;
  /** How the user knows it, as a Candidate has it. */
  readonly name: string;
  readonly value: unknown;
  readonly why: string;
}

/**
 * @throws Failure AnswerInvalid with every value that does not pass its check, ConfigInvalid for unknown keys,
 *   AnswersContradict for values that cannot both hold.
 */
export function resolveAnswers(command: CommandName, layers: Layers): Resolved {
  const { invalid, ...resolved } = readAnswers(command, layers);
  const [first, ...others] = invalid.map(({ name, why }) => `${name} ${why}`);
  if (first !== undefined) throw new Failure('AnswerInvalid', first, { causes: others });
  refuseContradictions(resolved);
  refuseHalves(resolved);
  return resolved;
}

/**
 * For who can ask again: a value that does not pass is listed, and its default taken.
 * @throws Failure ConfigInvalid for unknown keys
 */
export function readAnswers(command: CommandName, layers: Layers): Resolved & { readonly invalid: readonly Invalid[] } {
  for (const file of [layers.project, layers.user]) if (file) refuseUnknownKeys(file);
  const answers: Record<string, unknown> = {};
  const sources: Partial<Record<Key, Source>> = {};
  const invalid: Invalid[] = [];
  for (const [key, row] of rows) {
    const given = row.for.includes(command)
      ? candidates(key, layers).find(({ value }) => value !== undefined)
      : undefined;
    const checked = given && row.check.safeParse(given.value);
    if (given && checked?.success) {
      answers[key] = checked.data;
      sources[key] = given.source;
      continue;
    }
    if (given && checked?.error)
      invalid.push({ key, name: given.name, value: given.value, why: wrongWith(row, checked.error) });
    const value = row.default?.(layers.known, answers);
    if (value === undefined) continue;
    answers[key] = value;
    sources[key] = 'default';
  }
  return { answers: answers as Answers, sources, invalid };
}

/** @returns what is wrong with a value, as a sentence's end: `must be true or false` */
export function whyInvalid(key: Key, value: unknown): string | undefined {
  const row: Question = questions[key];
  const { error } = row.check.safeParse(value);
  return error && wrongWith(row, error);
}

function wrongWith(row: Question, error: ZodError): string {
  const choices = choicesOf(row);
  if (choices) return `must be one of ${choices.join(', ')}`;
  return error.issues[0]?.message ?? 'is not valid';
}

function candidates(key: Key, layers: Layers): readonly Candidate[] {
  const inFile = (source: Source, file: ConfigFile | undefined): Candidate[] =>
    file ? [{ source, value: file.values[key], name: `${key} in ${file.path}` }] : [];
  return [
    { source: 'flag', value: layers.flags[key], name: flagOf(key) },
    // An empty variable is how shells unset one for a single command.
    { source: 'variable', value: layers.env[variableOf(key)] || undefined, name: variableOf(key) },
    ...inFile('project file', layers.project),
    ...inFile('user file', layers.user),
  ];
}

function refuseUnknownKeys({ path, values }: ConfigFile): void {
  const keys = rows.map(([key]) => key as string);
  const unknown = Object.keys(values).filter((key) => !keys.includes(key));
  if (unknown.length === 0) return;
  const [first = '', ...others] = unknown.map((key) => `${path} has the key ${key}, which is none of ackone-join's`);
  const meant = unknown.flatMap((key) => nearest(key, keys) ?? []);
  throw new Failure('ConfigInvalid', first, {
    causes: others,
    next: [...meant.map((key) => `Did you mean ${key}?`), ...failures.ConfigInvalid.next],
  });
}

/** Pairs of answers that exclude each other, with the sentence that says why. Defaults never contradict. */
const exclusions: readonly (readonly [Key, Key, string])[] = [
  ['joinCommand', 'joinCommandFile', 'the join command can come from one place only'],
  ['joinCommand', 'newToken', 'a join command brings its own token'],
  ['joinCommandFile', 'newToken', 'a join command brings its own token'],
  ['joinCommand', 'tokenTtl', 'a join command brings its own token'],
  ['joinCommandFile', 'tokenTtl', 'a join command brings its own token'],
  ['joinCommand', 'tokenGroup', 'a join command brings its own token'],
  ['joinCommandFile', 'tokenGroup', 'a join command brings its own token'],
  ['bootstrapKubeconfig', 'newToken', 'a bootstrap kubeconfig is used instead of a token'],
  ['bootstrapKubeconfig', 'tokenTtl', 'a bootstrap kubeconfig is used instead of a token'],
  ['bootstrapKubeconfig', 'tokenGroup', 'a bootstrap kubeconfig is used instead of a token'],
  ['bootstrapKubeconfig', 'joinCommand', 'a join command is for kubeadm, a bootstrap kubeconfig for binaries'],
  ['bootstrapKubeconfig', 'joinCommandFile', 'a join command is for kubeadm, a bootstrap kubeconfig for binaries'],
  ['scriptUrl', 'bucket', 'with a URL of your own nothing is uploaded'],
  ['scriptUrl', 'objectKey', 'with a URL of your own nothing is uploaded'],
  ['scriptUrl', 'objectPrefix', 'with a URL of your own nothing is uploaded'],
  ['scriptUrl', 'access', 'with a URL of your own nothing is uploaded'],
  ['scriptUrl', 'ossEndpoint', 'with a URL of your own nothing is uploaded'],
  ['objectKey', 'objectPrefix', 'the key is the whole path already'],
  ['sandboxImage', 'imageRepository', 'the pause image is a whole reference already'],
];

/** @throws Failure AnswersContradict */
export function refuseContradictions({ answers, sources }: Resolved): void {
  const given = (key: Key) => sources[key] !== undefined && sources[key] !== 'default' && answers[key] !== false;
  for (const [one, other, why] of exclusions) {
    if (given(one) && given(other)) {
      throw new Failure('AnswersContradict', `${flagOf(one)} and ${flagOf(other)} cannot both be given: ${why}`);
    }
  }
}

/** An answer that is nothing without another one. @throws Failure AnswerMissing */
function refuseHalves({ answers }: Resolved): void {
  if (answers.ossCname && !answers.ossEndpoint) {
    throw new Failure(
      'AnswerMissing',
      '--oss-cname says that the endpoint is a domain of yours, but --oss-endpoint is not given',
      {
        next: ['Give --oss-endpoint with that domain.'],
      },
    );
  }
  if (answers.kubeletSha256 !== undefined && answers.kubeletSource === undefined) {
    throw new Failure(
      'AnswerMissing',
      '--kubelet-sha256 is the digest of a kubelet, but --kubelet-source is not given',
      {
        next: ['Give --kubelet-source with the URL or the path of that kubelet.'],
      },
    );
  }
  if (answers.access === 'vpc' && !answers.vpcId) {
    throw new Failure('AnswerMissing', '--access vpc needs to know the VPC of the node pool', {
      next: ['Give --vpc-id; the ECS console shows it.'],
    });
  }
}
