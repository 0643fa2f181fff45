/** The wizard's only door. */
import { type Layers, readAnswers, refuseContradictions } from '../answers.ts';
import { Interrupted } from '../errors.ts';
import { visible } from '../masking.ts';
import type { Outcome } from '../publish/publish.ts';
import { engineLater } from './engine-later.ts';
import { initialState, type State, type Trouble, type WorkName } from './model.ts';
import { type SameCommand, sameCommand } from './same-command.ts';
import { createSession, type Session } from './session.ts';
import { type Console, renderApp } from './terminal.ts';

export interface WizardOptions {
  readonly layers: Layers;
  /** For cluster and OSS. */
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly console: Console;
  readonly toolVersion: string;
}

export interface WizardEnd extends Outcome {
  readonly same: SameCommand;
  /** The script's copy. */
  readonly outputFile: string | undefined;
}

/**
 * Asks, shows the plan and has it carried out.
 * @returns what was published and how to say it in one command; undefined when the user left with nothing to be said
 * @throws Failure AnswersContradict; the failure that the user left with; Interrupted
 */
export async function runWizard(options: WizardOptions): Promise<WizardEnd | undefined> {
  const { layers, signal, console } = options;
  refuseContradictions(readAnswers('init', layers));
  signal.throwIfAborted();
  let session: Session | undefined;
  const interrupted = () => void session?.close(signal.reason as Interrupted).then(() => session?.finish());
  signal.addEventListener('abort', interrupted, { once: true });
  try {
    await renderApp<void>(async (terminal) => {
      const { App } = await import('./app.tsx');
      const engine = engineLater(
        {
          env: options.env,
          toolVersion: options.toolVersion,
          now: () => new Date(),
          lend: terminal.lend,
          onPluginOutput: (text) => terminal.say(lines(text)),
        },
        terminal.drawn,
      );
      const opened = createSession(initialState(layers), engine);
      session = opened;
      // While Ink was being loaded.
      if (signal.aborted) interrupted();
      const leave = () => void opened.close(new Interrupted(130)).then(opened.finish);
      return <App session={opened} leave={leave} onCleared={() => terminal.end()} />;
    }, console);
  } finally {
    signal.removeEventListener('abort', interrupted);
  }
  return ended(session!.state(), signal);
}

/** What a stranger says, line by line, harmless. */
const lines = (text: string): string =>
  `${text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map(visible)
    .join('\n')}\n`;

function ended(state: State, signal: AbortSignal): WizardEnd | undefined {
  if (signal.aborted) {
    const { exit } = signal.reason as Interrupted;
    throw new Interrupted(exit, whatExists(state));
  }
  if (state.outcome)
    return { ...state.outcome, same: sameCommand(state), outputFile: state.resolved.answers.outputFile };
  const trouble = troubleOf(state);
  if (trouble) throw trouble;
  return undefined;
}

/** What the user left with. */
function troubleOf({ at, failure, results }: State): Trouble | undefined {
  if (at.screen === 'failed') return failure;
  const work = { found: 'found', where: 'access', review: 'review' }[at.screen as string] as WorkName | undefined;
  const result = work && results[work];
  return result && 'failure' in result ? result.failure : undefined;
}

/** For one line after an interruption. */
const whatExists = ({ failure, outcome }: State): readonly string[] =>
  outcome ? [`${outcome.plan.url} is live`] : (failure?.causes ?? []);
