import { readFile } from 'node:fs/promises';
import { text as readText } from 'node:stream/consumers';
import { Failure } from '../errors.ts';
import { fileTrouble } from '../file-trouble.ts';
import type { Answers } from '../questions.ts';
import { parseJoinCommand } from '../script/join-command.ts';
import type { JoinTarget } from '../script/types.ts';

/** The user's own join command: from --join-command or --join-command-file. @throws Failure JoinCommandInvalid */
export async function userJoinCommand(answers: Answers): Promise<JoinTarget | undefined> {
  const { joinCommand, joinCommandFile } = answers;
  if (joinCommand !== undefined) return parseJoinCommand(joinCommand);
  if (joinCommandFile === undefined) return undefined;
  if (joinCommandFile === '-') return parseJoinCommand(await readText(process.stdin));
  const content = await readFile(joinCommandFile, 'utf8').catch((error: unknown) => {
    throw new Failure('JoinCommandInvalid', `${joinCommandFile} cannot be read: ${fileTrouble(error)}`, {
      next: ['Give the path of a file that holds the join command.'],
    });
  });
  return parseJoinCommand(content);
}
