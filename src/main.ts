/** Picks the command, loads only that one, and turns its end into an exit code. */
import { parseCommandLine } from './commands/command-line.ts';
import type { Flags, Run } from './commands/run.ts';
import { Interrupted } from './errors.ts';
import { openOutput } from './output/terminal.ts';

const commands = {
  init: async (flags: Flags, run: Run) => (await import('./commands/init.ts')).init(flags, run),
  render: async (flags: Flags, run: Run) => (await import('./commands/render.ts')).render(flags, run),
  sandbox: async (flags: Flags, run: Run) => (await import('./commands/sandbox.ts')).sandbox(flags, run),
};

const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

async function main(): Promise<number> {
  const words = process.argv.slice(2);
  // Before the parser has a say, so that its own failures come in the form that was asked for.
  const json = words.some(
    (word, index) =>
      word === '--output=json' ||
      word === '-ojson' ||
      (word === 'json' && /^(-o|--output)$/.test(words[index - 1] ?? '')),
  );
  const output = openOutput({
    json,
    quiet: words.some((word) => word === '-q' || word === '--quiet'),
    debug: words.includes('--debug'),
  });

  const interrupt = new AbortController();
  for (const [signal, exit] of Object.entries(signals)) {
    process.on(signal, () => {
      // A second one does not wait for anything any more.
      if (interrupt.signal.aborted) process.exit(exit);
      interrupt.abort(new Interrupted(exit));
    });
  }
  try {
    const chosen = parseCommandLine(words);
    return chosen
      ? await commands[chosen.command](chosen.flags, { env: process.env, signal: interrupt.signal, output })
      : 0;
  } catch (error) {
    return output.failure(error);
  }
}

// A reader that has seen enough (`| head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
process.exitCode = await main();
