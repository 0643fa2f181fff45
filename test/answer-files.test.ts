import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { readAnswerFiles } from '../src/answer-files.ts';
import { type Authority, createAuthority } from './cluster-unit/certificates.ts';
import { answersOf } from './script/fixtures.ts';

let authority: Authority;
let expired: string;
beforeAll(async () => {
  authority = await createAuthority('registry-ca');
  expired = (await authority.issue(['old'], -24)).cert;
});

function fileOf(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'ackone-join-answer-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'ca.pem'), text);
  return join(folder, 'ca.pem');
}

describe('the file of --registry-ca', () => {
  const read = (text: string, now?: Date) => readAnswerFiles(answersOf({ registryCa: fileOf(text) }), now);

  it('is read as it stands', async () => {
    await expect(read(`words\n${authority.cert}`)).resolves.toEqual({ registryCa: `words\n${authority.cert}` });
  });

  it.each([
    [1, () => expired],
    [2, () => `${authority.cert}\n${expired}\n${authority.cert}`],
  ])('is refused when certificate %i of it has expired', async (number, text) => {
    await expect(read(text())).rejects.toMatchObject({
      code: 'AnswerInvalid',
      message: expect.stringMatching(
        new RegExp(`^--registry-ca: certificate ${number} in \\S+/ca\\.pem expired on \\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$`),
      ),
    });
  });

  it('is refused from the day after', async () => {
    await expect(read(authority.cert, new Date(Date.now() + 2 * 86_400_000))).rejects.toMatchObject({
      code: 'AnswerInvalid',
    });
  });

  it('may hold what a decision refuses: no clock has a say in that', async () => {
    const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
    await expect(read(broken)).resolves.toEqual({ registryCa: broken });
  });
});

it('says all files that cannot be read', async () => {
  const answers = answersOf({ registryCa: '/nonexistent/a', postScript: '/nonexistent/b' });
  await expect(readAnswerFiles(answers)).rejects.toMatchObject({
    message: expect.stringContaining('--registry-ca: /nonexistent/a cannot be read'),
    causes: [expect.stringContaining('--post-script: /nonexistent/b cannot be read')],
  });
});
