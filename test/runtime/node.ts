/**
 * A node of its own: a mount namespace in which /etc is a copy, and /run, /opt and /var/lib are empty. The functions of a
 * composed script configure the containerd there, which then runs with its defaults.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { onTestFinished } from 'vitest';
import { compose } from '../../src/script/compose.ts';
import type { KubeadmInput } from '../../src/script/types.ts';
import { exampleInput } from '../script/example-input.ts';
import { asNode } from './namespace.ts';

export interface Node {
  /** Of containerd, as a path outside of the namespace. */
  readonly socket: string;
  /** What the script's functions and containerd said. */
  readonly log: () => string;
  /** Exit code of what ended before containerd ran; undefined when it runs. */
  readonly ended: number | undefined;
}

/** @param commands bash between the preparation and containerd's start, among the functions of the script */
export async function startNode(
  containerd: string,
  overrides: Partial<KubeadmInput>,
  commands: string,
  scratch: string,
): Promise<Node> {
  const functions = compose(exampleInput(overrides)).text.replace(/main "\$@"\n$/, '');
  const script = `${asNode(scratch)}
    PATH=${dirname(containerd)}:$PATH
    containerd() { '${containerd}' "$@"; }
    rpm() { return 1; }
    RUN=$(mktemp -d)
    ${functions}
    ${commands}
    exec '${containerd}'`;
  let log = '';
  const child = spawn('unshare', ['--mount', '--propagation', 'private', 'bash', '-c', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (log += text));
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const socket = `/proc/${child.pid}/root/run/containerd/containerd.sock`;
  // It makes its socket before its plugins are there, and says when they are.
  while (child.exitCode === null && !(existsSync(socket) && log.includes('containerd successfully booted'))) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { socket, log: () => log, ended: child.exitCode ?? undefined };
}
