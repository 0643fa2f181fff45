import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../src/sandbox/index.ts';
import { run, sandboxEnv } from './support/program.ts';

const text = readFileSync(new URL('../docs/json.md', import.meta.url), 'utf8');
const section = (schema: string) =>
  text.split('\n## ').find((part) => part.startsWith(`\`ackone-join/${schema}\``)) ?? '';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

it.each([
  ['plan/v1', ['--dry-run']],
  ['result/v1', ['--yes']],
])('docs/json.md names every key of %s', async (schema, words) => {
  const { stdout } = await run(['init', ...words, '-o', 'json'], sandboxEnv(sandbox));
  const printed = JSON.parse(stdout) as Record<string, unknown>;
  expect(printed.schema).toBe(`ackone-join/${schema}`);
  const keys = Object.keys(printed).filter((key) => key !== 'schema');
  expect(keys.filter((key) => !section(schema).includes(`\`${key}\``))).toEqual([]);
});
