/** The process around the program: signals in, streams and an exit code out. */
import { closeSync } from 'node:fs';
import { Failure, Interrupted } from './errors.ts';
import { fileTrouble } from './file-trouble.ts';
import { openOutput } from './output/terminal.ts';
import { calledAs, program } from './program.ts';

const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

const streams = {
  out: (text: string) => process.stdout.write(text),
  err: (text: string) => process.stderr.write(text),
  isTerminal: process.stderr.isTTY === true && process.env.TERM !== 'dumb',
};

const interrupt = new AbortController();
for (const [signal, exit] of Object.entries(signals)) {
  process.on(signal, () => {
    // A second one does not wait for anything any more; but a terminal that is gone tells so more than once.
    if (interrupt.signal.aborted && signal !== 'SIGHUP') process.exit(exit);
    interrupt.abort(new Interrupted(exit));
  });
}
process.on('exit', (code) => {
  // Node aborts at its end when it cannot set back a terminal that is gone, but for what is closed (src/node.cc, ResetStdio).
  if (code === signals.SIGHUP) for (const stream of [0, 1, 2]) closeSync(stream);
});
// A reader that has seen enough (`| head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return;
  const failure = new Failure('OutputUnwritable', `the result cannot be printed: ${fileTrouble(error)}`);
  process.exitCode = openOutput({ json: false, quiet: false, debug: false }, streams).failure(failure);
});
// Nobody can be told then (a closed terminal, `2>&1 | head`), and what has begun must still be ended well.
process.stderr.on('error', () => {});

const exitCode = await program(process.argv.slice(2), {
  env: process.env,
  signal: interrupt.signal,
  streams,
  terminals: process,
  programName: calledAs(process.argv[1]),
});
process.exitCode ??= exitCode;
// What an interrupted wait was waiting for must not keep the process alive.
if (interrupt.signal.aborted) process.stderr.write('', () => process.exit(exitCode));
