import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rows } from '../../src/questions.ts';
import { run } from '../support/program.ts';

let folder: string;
let project: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ackone-join-config-command-'));
  mkdirSync(join(folder, 'ackone-join'));
  writeFileSync(join(folder, 'ackone-join/config.yaml'), 'firewall: keep\nselinux: keep\n');
  project = join(folder, 'project.yaml');
  writeFileSync(project, 'schema: ackone-join/config/v1\nselinux: permissive\ndeadline: 20m\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const config = (words: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  run(['config', '--config', project, ...words], { HOME: folder, XDG_CONFIG_HOME: folder, ...env });

interface Shown {
  readonly key: string;
  readonly value?: unknown;
  readonly source?: string;
  readonly from?: string;
}
async function shown(words: readonly string[], env?: NodeJS.ProcessEnv) {
  const { exit, stdout } = await config(['-o', 'json', ...words], env);
  const { schema, answers } = JSON.parse(stdout) as { schema: string; answers: readonly Shown[] };
  return { exit, schema, answers, of: (key: string) => answers.find((each) => each.key === key) };
}

describe('config', () => {
  it('shows each value and where it comes from', async () => {
    const { stdout } = await config(['--bucket', 'mine'], { ACKONE_JOIN_VPC_ID: 'vpc-1' });
    expect(stdout).toMatch(/^ {2}bucket +mine {2}\[flag --bucket\]$/m);
    expect(stdout).toMatch(/^ {2}vpcId +vpc-1 {2}\[variable ACKONE_JOIN_VPC_ID\]$/m);
    expect(stdout).toContain(`permissive  [project file ${project}]\n`);
    expect(stdout).toContain(`keep  [user file ${join(folder, 'ackone-join/config.yaml')}]\n`);
    expect(stdout).toMatch(/^ {2}deadline +20m {2}\[project file /m);
    expect(stdout).toMatch(/^ {2}tokenTtl +0 {2}\[default\]$/m);
    expect(stdout).toMatch(/^ {2}kubeVersion +-$/m);
  });

  it('as a document has every key of the table', async () => {
    const { exit, schema, answers, of } = await shown(['--timeout', '30s']);
    expect([exit, schema]).toEqual([0, 'ackone-join/answers/v1']);
    expect(answers.map(({ key }) => key)).toEqual(rows.map(([key]) => key));
    expect(of('timeout')).toEqual({
      key: 'timeout',
      flag: '--timeout',
      variable: 'ACKONE_JOIN_TIMEOUT',
      value: 30,
      source: 'flag',
      from: '--timeout',
    });
  });

  it('never shows a secret', async () => {
    const words = ['--join-command', 'kubeadm join 192.0.2.10:6443 --tokn=s3cr3tvalue'];
    const url = ['--cri-dockerd-url', 'https://user:passw0rd@files.example.com/cri.rpm?Signature=abcSIGNED'];
    for (const form of ['text', 'json']) {
      const { stdout, stderr } = await config([...words, ...url, '-o', form]);
      expect(stdout + stderr).not.toMatch(/s3cr3tvalue|passw0rd|abcSIGNED/);
      expect(stdout).toContain('files.example.com/cri.rpm');
    }
    expect((await shown(words)).of('joinCommand')).toMatchObject({ value: '*'.repeat(16), source: 'flag' });
  });

  it('says what is wrong after it has shown everything', async () => {
    const contradiction = await config(['--script-url', 'https://example.com/join.sh', '--bucket', 'mine']);
    expect(contradiction.exit).toBe(2);
    expect(contradiction.stdout).toMatch(/^ {2}bucket +mine {2}\[flag --bucket\]$/m);
    expect(contradiction.stderr).toMatch(/^Error AnswersContradict: --script-url and --bucket cannot both be given/);
    const invalid = await config([], { ACKONE_JOIN_DEADLINE: 'soon' });
    expect([invalid.exit, invalid.stderr.split('\n')[0]]).toEqual([
      2,
      'Error AnswerInvalid: ACKONE_JOIN_DEADLINE must be a duration such as 90s, 15m, 24h or 30d',
    ]);
  });
});
