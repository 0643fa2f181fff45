/** The process around the program: signals in, streams and an exit code out. */
import { Failure, failures, Interrupted } from './errors.ts';
import { fileTrouble } from './file-trouble.ts';
import { failureText } from './output/text.ts';
import { program } from './program.ts';

const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

const interrupt = new AbortController();
for (const [signal, exit] of Object.entries(signals)) {
  process.on(signal, () => {
    // A second one does not wait for anything any more.
    if (interrupt.signal.aborted) process.exit(exit);
    interrupt.abort(new Interrupted(exit));
  });
}
// A reader that has seen enough (`| head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return;
  process.stderr.write(
    failureText(new Failure('OutputUnwritable', `the result cannot be printed: ${fileTrouble(error)}`)),
  );
  process.exitCode = failures.OutputUnwritable.exit;
});
// Nobody can be told then (a closed terminal, `2>&1 | head`), and what has begun must still be ended well.
process.stderr.on('error', () => {});

const exitCode = await program(process.argv.slice(2), {
  env: process.env,
  signal: interrupt.signal,
  streams: { out: (text) => process.stdout.write(text), err: (text) => process.stderr.write(text) },
});
process.exitCode ??= exitCode;
// What an interrupted wait was waiting for must not keep the process alive.
if (interrupt.signal.aborted) process.stderr.write('', () => process.exit(exitCode));
