/**
 * One table of bad input: what a user types into a fresh sandbox, and how the run must end. Each row runs twice, for
 * people and with `-o json`, and both must say the same, write nothing and give nothing away.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { FailureCode } from '../../src/errors.ts';
import { visible } from '../../src/masking.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { type Ended, run, sandboxEnv } from '../support/program.ts';
import { everything, writes } from '../support/world.ts';
import { World } from './the-world.ts';

/** What is typed: words, and variables beside those of the sandbox. */
export interface Typed {
  readonly words?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

export interface Row {
  readonly title: string;
  /** Spoils the world, and says what is typed; `init --yes` when it says nothing. */
  readonly given: (world: World) => Typed | undefined | Promise<Typed | undefined>;
  readonly exit: 1 | 2 | 3 | 4 | 5;
  readonly code: FailureCode;
  /** The sentence. */
  readonly says: RegExp;
  /** One of the next steps; without it there must be some. */
  readonly next?: RegExp;
  /** One of the causes. */
  readonly cause?: RegExp;
  /** What stands on stdout all the same; nothing by default. */
  readonly stdout?: RegExp;
  /** What no output may hold. */
  readonly secret?: string;
}

export function table(name: string, rows: readonly Row[]): void {
  describe(name, () => {
    let model: string;
    beforeAll(async () => {
      model = await makeModel();
    });
    afterAll(() => rmSync(model, { recursive: true, force: true }));
    for (const row of rows) it(`${row.title}: exit ${row.exit}, ${row.code}`, () => check(row, model));
  });
}

/** A sandbox at rest, which each row starts a copy of: to make certificates takes longer than all else that a row does. */
async function makeModel(): Promise<string> {
  const dir = newFolder();
  await (await startSandbox({ dir })).close();
  const file = join(dir, 'state.json');
  const state = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({ ...state, ports: { proxy: 0, oss: 0 } }));
  return dir;
}

const newFolder = () => mkdtempSync(join(tmpdir(), 'ackone-join-bad-input-'));

async function check(row: Row, model: string): Promise<void> {
  const folder = newFolder();
  const dir = join(folder, 'sandbox');
  cpSync(model, dir, { recursive: true });
  const sandbox = await startSandbox({ dir });
  try {
    const world = new World(sandbox, join(folder, 'given'));
    const { words = ['init', '--yes'], env = {} } = (await row.given(world)) ?? {};
    mkdirSync(join(folder, 'temporary'));
    // The credentials chain and Node itself look at the process's own: nothing of this machine may have a say.
    for (const [variable, value] of Object.entries({
      HOME: folder,
      TMPDIR: join(folder, 'temporary'),
      ALIBABA_CLOUD_ECS_METADATA_DISABLED: 'true',
      NO_PROXY: '*',
    })) {
      vi.stubEnv(variable, value);
    }
    const variables = sandboxEnv(sandbox, { ACKONE_JOIN_OUTPUT_FILE: join(folder, 'script.sh'), ...env });
    const before = [everything(sandbox), files(folder), writes(sandbox)];

    const text = await run(words, variables);
    const [command = '', ...rest] = words;
    const json = await run([command, '-o', 'json', ...rest], variables);

    expect({ exit: [text.exit, json.exit], stderr: text.stderr }).toMatchObject({ exit: [row.exit, row.exit] });
    expect([everything(sandbox), files(folder), writes(sandbox)]).toEqual(before);
    const told = readText(text);
    expectSentence(row, told);
    expect(lasting(readJson(json))).toEqual(lasting(told));
    for (const { stdout, stderr } of [text, json]) {
      if (row.stdout) expect(stdout).toMatch(row.stdout);
      else expect(stdout).toBe('');
      expectHarmless(stdout + stderr, [sandbox.env.ALIBABA_CLOUD_ACCESS_KEY_SECRET, row.secret ?? '']);
    }
  } finally {
    vi.unstubAllEnvs();
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const files = (folder: string) => readdirSync(folder, { recursive: true }).sort();

/** A failure as it is shown. */
interface Told {
  readonly code: string;
  readonly message: string;
  readonly causes: readonly string[];
  readonly nextSteps: readonly string[];
}

/** The failure is the end of stderr, and no line of it is anything else. */
function readText({ stderr }: Ended): Told {
  const end =
    /^Error (\w+): (.+)\n {2}Why: .+\n((?: {2}- .+\n)*)((?: {2}Next: .+\n)*)(?:The manifest .+:\n[\s\S]+)?$(?![\s\S])/m.exec(
      stderr,
    );
  const [, code = '', message = '', causes = '', nextSteps = ''] = end ?? [];
  const lines = (text: string, mark: string) => text.split('\n').flatMap((line) => line.split(mark).slice(1, 2));
  expect(stderr.match(/^Error /gm)).toHaveLength(1);
  return { code, message, causes: lines(causes, '  - '), nextSteps: lines(nextSteps, '  Next: ') };
}

function readJson({ stderr }: Ended): Told {
  const { schema, error } = JSON.parse(stderr) as { schema: string; error: Told };
  expect(schema).toBe('ackone-join/error/v1');
  return {
    code: error.code,
    message: visible(error.message),
    causes: error.causes.map(visible),
    nextSteps: error.nextSteps.map(visible),
  };
}

/** Without what is drawn anew in every run: the digest of a script with another token, the id that OSS gives a request. */
const lasting = (told: Told): unknown =>
  JSON.parse(JSON.stringify(told).replace(/join-[0-9a-f]{12}\.sh|request [0-9A-F]{24}/g, 'drawn'));

/** House style: one sentence that goes on behind a colon, so it begins small unless with a name, and ends openly. */
function expectSentence({ code, says, next, cause }: Row, told: Told): void {
  expect(told.code).toBe(code);
  expect(told.message).toMatch(says);
  expect(told.message).not.toMatch(/[.!]$|successfully|undefined|\[object/);
  expect(told.message).not.toMatch(/^(The|There|No|An?|None|Without|It|Its) /);
  expect(told.nextSteps.join('\n')).toMatch(next ?? /\w/);
  if (cause) expect(told.causes.join('\n')).toMatch(cause);
}

/** No escape, no line that something else than this program has ended, no secret. */
function expectHarmless(output: string, secrets: readonly string[]): void {
  expect(output.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  for (const secret of secrets) if (secret !== '') expect(output).not.toContain(secret);
}
