/** The one place that decides what is written where. */
import { Failure, Interrupted } from '../errors.ts';
import { visible } from '../masking.ts';
import type { Publication } from '../publish/apply.ts';
import type { Plan, Progress, StepId } from '../publish/types.ts';
import { failureJson, fileJson, interruptJson, planJson, resultJson } from './json.ts';
import { failureText, interruptText, planText, resultText } from './text.ts';

export interface OutputOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly debug: boolean;
}

/** Data goes to `out`, everything else to `err`. */
export interface Streams {
  readonly out: (text: string) => unknown;
  readonly err: (text: string) => unknown;
}

export interface Output {
  readonly progress: Progress;
  /** A line for people; nothing with --quiet. */
  note(line: string): void;
  /** Warnings and notes, ready to print. */
  warn(text: string): void;
  /** The script, or another text that is the result. */
  data(text: string): void;
  /** The plan before the effects: for people, on stderr. */
  review(plan: Plan): void;
  /** The plan as the result of a dry run. */
  plan(plan: Plan): void;
  result(plan: Plan, publication: Publication | undefined): void;
  file(file: { path: string; digest: string; size: number }): void;
  /** @returns the exit code */
  failure(error: unknown): number;
}

export function openOutput({ json, quiet, debug }: OutputOptions, { out, err }: Streams): Output {
  const tell = (text: string) => {
    if (!quiet && !json) err(text);
  };
  const started = new Map<StepId, number>();
  const seconds = (id: StepId) =>
    `${((performance.now() - (started.get(id) ?? performance.now())) / 1000).toFixed(1)} s`;
  return {
    progress: {
      started: (id) => void started.set(id, performance.now()),
      done: (id, what) => tell(`✔ ${visible(what)}  ${seconds(id)}\n`),
      failed: (id, what) => tell(`✘ ${visible(what)}  ${seconds(id)}\n`),
    },
    note: (line) => tell(`${visible(line)}\n`),
    warn: tell,
    data: out,
    review: (plan) => tell(planText(plan)),
    plan: (plan) => out(json ? planJson(plan) : planText(plan)),
    result: (plan, publication) => out(json ? resultJson(plan, publication) : resultText(plan, publication)),
    file: (file) =>
      json ? out(fileJson(file)) : tell(`${visible(file.path)}  sha256:${file.digest}  ${file.size} bytes\n`),
    failure: (error) => {
      if (error instanceof Interrupted) {
        err(json ? interruptJson(error) : interruptText(error));
        return error.exit;
      }
      const failure =
        error instanceof Failure
          ? error
          : new Failure('Bug', `an unexpected ${error instanceof Error ? error.name : 'value'} was thrown`, {
              cause: error,
            });
      const trace = debug ? traceOf(failure) : undefined;
      err(json ? failureJson(failure, trace) : failureText(failure));
      if (trace && !json) err(trace.map((line) => `${visible(line)}\n`).join(''));
      return failure.kind.exit;
    },
  };
}

/** Where it happened. Messages of libraries stay out: they may hold what was sent, a token or a key among it. */
function traceOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  const ownWords = error instanceof Failure || error instanceof TypeError || error instanceof RangeError;
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  const head = ownWords ? `${error.name}: ${error.message}` : error.name;
  return [head, ...frames, ...traceOf(error.cause)];
}
