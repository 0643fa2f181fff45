#!/usr/bin/env node
/**
 * Starts dist/main.js. Help, version and completion are the same in every run: they are printed from dist/pages
 * (build/pages.mjs), and no module of the program is loaded. CommonJS, because ES modules alone cost a third of a start.
 */
const { existsSync, fstatSync, readFileSync, writeSync } = require('node:fs');
const { basename, join } = require('node:path');

const dist = join(__dirname, '../dist');
const text = page(process.argv.slice(2));
if (text === undefined || !print(text)) start();

/** Undefined where the program itself has to answer. */
function page(words) {
  // It is called `kubectl ackone_join` then, in all its texts.
  if (basename(process.argv[1]) === 'kubectl-ackone_join') return undefined;
  if (!words.every((word) => /^[a-z-]+$/.test(word))) return undefined;
  const name = words.map((word) => (word === '-h' ? '--help' : word)).join('_');
  try {
    return readFileSync(join(dist, 'pages', name), 'utf8').replace(/^(.*)\t(.*)$/gm, wrapped);
  } catch {
    return undefined;
  }
}

/** As commander wraps: what stands behind the tab, in the columns that what stands before it leaves. */
function wrapped(_, head, description) {
  const width = columns() - head.length;
  if (width < 40) return head + description;
  const lines = [''];
  for (const word of description.match(/\s*\S+/g)) {
    const longer = lines.at(-1) + word;
    if (longer.length <= width || lines.at(-1) === '') lines[lines.length - 1] = longer;
    else lines.push(word.trimStart());
  }
  return head + lines.join(`\n${' '.repeat(head.length)}`);
}

/** Asking process.stdout takes as long as all else here, so only what may be a terminal is asked. */
function columns() {
  const { columns = 80 } = fstatSync(1).isCharacterDevice() ? process.stdout : {};
  return columns;
}

/** @returns false where it cannot be printed, which the program knows how to tell */
function print(text) {
  let rest = Buffer.from(text);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
    return true;
  } catch ({ code }) {
    // Somebody else has made the pipe one that does not wait.
    if (code === 'EAGAIN') process.stdout.on('error', () => {}).write(rest);
    // A reader that has seen enough (`| head`) is no failure.
    return ['EAGAIN', 'EPIPE'].includes(code);
  }
}

function start() {
  if (!existsSync(join(dist, 'main.js'))) {
    process.stderr.write('ackone-join: dist/main.js is missing. Run `npm run build` in its folder first.\n');
    process.exitCode = 1;
    return;
  }
  require('node:module').enableCompileCache?.();
  // As Node itself says it of a main module: what ends while something is still awaited has not succeeded.
  const unsettled = () => {
    process.exitCode ??= 13;
  };
  process.on('exit', unsettled);
  void import('../dist/main.js').then(() => process.off('exit', unsettled));
}
