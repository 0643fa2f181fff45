#!/usr/bin/env node
import { existsSync } from 'node:fs';
import module from 'node:module';

const program = new URL('../dist/main.js', import.meta.url);

if (existsSync(program)) {
  module.enableCompileCache?.();
  await import(program.href);
} else {
  process.stderr.write('ackone-join: dist/main.js is missing. Run `npm run build` in its folder first.\n');
  process.exitCode = 1;
}
