/** The one place that decides what is written where. */
import { Failure, Interrupted } from '../errors.ts';
import { visible } from '../masking.ts';
import type { Publication } from '../publish/apply.ts';
import type { Plan, Progress, StepId } from '../publish/types.ts';
import { coloured } from './colours.ts';
import type { DebugLog } from './debug-log.ts';
import { document, failureJson, fileJson, interruptJson, planJson, resultJson, type ScriptFile } from './json.ts';
import { openSpinner } from './spinner.ts';
import { failureText, interruptText, planText, resultText } from './text.ts';

export interface OutputOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  /** With a failure, where in the program it happened. */
  readonly debug: boolean;
  /** Of what stands on stderr; stdout has none. */
  readonly colours?: boolean;
  readonly log?: DebugLog | undefined;
  /** Puts the program's name as it was called into a text with commands. */
  readonly asCalled?: (text: string) => string;
}

/** Data goes to `out`, everything else to `err`. */
export interface Streams {
  readonly out: (text: string) => unknown;
  readonly err: (text: string) => unknown;
  /** Whether `err` is a terminal that obeys escapes. */
  readonly isTerminal?: boolean;
}

export interface Output {
  readonly progress: Progress;
  /** Says on a terminal what is waited for, until something else is said. */
  waiting(what: string): void;
  /** A line for people; nothing with --quiet. */
  note(line: string): void;
  /** Warnings and notes, ready to print. */
  warn(text: string): void;
  /** The script, or another text that is the result. */
  data(text: string): void;
  /** A result that has two forms: text for people, and a document with a schema. */
  answer(text: string, schema: string, content: object): void;
  /** The plan before the effects: for people, on stderr. */
  review(plan: Plan): void;
  /** The plan as the result of a dry run. */
  plan(plan: Plan): void;
  result(plan: Plan, publication: Publication | undefined): void;
  file(file: ScriptFile): void;
  /** @returns the exit code */
  failure(error: unknown): number;
}

export function openOutput(
  { json, quiet, debug, colours = false, log, asCalled = (text) => text }: OutputOptions,
  { out, err, isTerminal = false }: Streams,
): Output {
  const spinner = openSpinner(err);
  const shown = (text: string) => (colours ? coloured(text) : text);
  /** Whatever is said ends the wait that is shown. */
  const say = (write: (text: string) => unknown, text: string) => {
    spinner.stop();
    write(text);
  };
  const tell = (text: string) => {
    if (text !== '' && !quiet && !json) say(err, shown(text));
  };
  const wait = (what: string) => {
    if (isTerminal && !quiet && !json) spinner.show(visible(what));
  };
  const started = new Map<StepId, number>();
  const seconds = (id: StepId) =>
    `${((performance.now() - (started.get(id) ?? performance.now())) / 1000).toFixed(1)} s`;
  const ended = (sign: string) => (id: StepId, what: string) => {
    tell(`${sign} ${visible(what)}  ${seconds(id)}\n`);
  };
  return {
    progress: {
      started: (id, what) => {
        started.set(id, performance.now());
        wait(what);
      },
      done: ended('✔'),
      failed: ended('✘'),
    },
    waiting: wait,
    note: (line) => tell(`${visible(line)}\n`),
    warn: tell,
    data: (text) => say(out, text),
    answer: (text, schema, content) => say(out, json ? document(schema, content) : text),
    review: (plan) => tell(planText(plan)),
    plan: (plan) => say(out, json ? planJson(plan) : planText(plan)),
    result: (plan, publication) => say(out, json ? resultJson(plan, publication) : resultText(plan, publication)),
    file: (file) =>
      json ? say(out, fileJson(file)) : tell(`${visible(file.path)}  sha256:${file.digest}  ${file.size} bytes\n`),
    failure: (error) => {
      if (error instanceof Interrupted) {
        say(err, json ? interruptJson(error) : interruptText(error));
        return error.exit;
      }
      const failure =
        error instanceof Failure
          ? error
          : new Failure('Bug', `an unexpected ${error instanceof Error ? error.name : 'value'} was thrown`, {
              cause: error,
            });
      const told = {
        code: failure.code,
        message: failure.message,
        why: failure.kind.why,
        causes: failure.causes,
        next: failure.next.map(asCalled),
        manifest: failure.manifest,
        trace: debug ? traceOf(failure) : undefined,
        log: log?.path,
      };
      for (const line of traceOf(failure)) log?.line(line);
      say(err, json ? failureJson(told) : shown(failureText(told)));
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
