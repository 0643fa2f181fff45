/**
 * How long the program takes to start, as a ratio to an empty Node: `npm run bench`. The commands take turns, so that a
 * busy moment of the machine meets all of them, and the median of the rounds counts.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const rounds = 15;
const launcher = fileURLToPath(new URL('../bin/ackone-join.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'ackone-join-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
const joinCommand = join(folder, 'join-command');
writeFileSync(
  joinCommand,
  `kubeadm join 192.0.2.10:6443 --token abcdef.0123456789abcdef --discovery-token-ca-cert-hash sha256:${'a'.repeat(64)}\n`,
);

const versions = ['--kube-version', '1.28.3', '--runtime', 'containerd', '--runtime-version', '1.6.28'];
/** @type {Record<string, string[]>} */
const commands = {
  'node -e 0': ['-e', '0'],
  '--help': [launcher, '--help'],
  'render, offline': [launcher, 'render', ...versions, '--join-command-file', joinCommand],
};

/** @type {Record<string, number[]>} */
const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
for (let round = 0; round < rounds; round++) {
  for (const [name, args] of Object.entries(commands)) times[name]?.push(milliseconds(args));
}

const base = median(times['node -e 0'] ?? []);
for (const [name, list] of Object.entries(times)) {
  const time = median(list);
  process.stdout.write(`${name.padEnd(16)} ${time.toFixed(0).padStart(5)} ms  ${(time / base).toFixed(2)}\n`);
}

/** @param {string[]} args */
function milliseconds(args) {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return performance.now() - start;
}

/** @param {number[]} list */
function median(list) {
  const sorted = list.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
