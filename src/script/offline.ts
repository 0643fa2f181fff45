/** `render` without a cluster: everything that would be looked up must be told. */
import { Failure } from '../errors.ts';
import { type Answers, flagsInWords, type Key } from '../questions.ts';
import { parseRuntime } from './versions.ts';

const always: readonly Key[] = ['kubeVersion', 'runtime'];
const binary: readonly Key[] = [
  'bootstrapKubeconfig',
  'server',
  'caFile',
  'kubeletSource',
  'kubeletConfig',
  'kubeProxy',
];

/** Those that a bootstrap kubeconfig may say as well. */
const inBootstrap: readonly Key[] = ['server', 'caFile'];

/** What is not told, and no rule can compute. */
export function missingOffline(answers: Answers): readonly Key[] {
  const version = answers.runtimeVersion ?? (answers.runtime && parseRuntime(answers.runtime).version);
  const needed = answers.style === 'binary' ? [...always, ...binary] : always;
  const known = answers.bootstrapKubeconfig === undefined ? [] : inBootstrap;
  return [
    ...needed.filter((key) => answers[key] === undefined && !known.includes(key)),
    ...(version === undefined ? ['runtimeVersion' as const] : []),
    ...(answers.style !== 'binary' && (answers.joinCommand ?? answers.joinCommandFile) === undefined
      ? ['joinCommandFile' as const]
      : []),
  ];
}

/** @throws Failure AnswerMissing that names every flag */
export function requireAnswers(answers: Answers): void {
  const missing = missingOffline(answers);
  if (missing.length === 0) return;
  const flags = flagsInWords(missing);
  throw new Failure('AnswerMissing', `without a cluster to look at, ${flags} must be given`, {
    next: [`Give ${flags}.`],
  });
}
