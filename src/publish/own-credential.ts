/** What nodes are given instead of a token of ours. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { text as readText } from 'node:stream/consumers';
import type { User as ClientUser } from '@kubernetes/client-node';
import type { AnswerFiles } from '../answer-files.ts';
import { Failure } from '../errors.ts';
import { fileTrouble } from '../file-trouble.ts';
import type { Answers } from '../questions.ts';
import { type BootstrapUser, type OwnBootstrap, parseBootstrapKubeconfig } from '../script/bootstrap-kubeconfig.ts';
import type { OwnCredential } from '../script/credential.ts';
import { parseJoinCommand } from '../script/join-command.ts';
import type { JoinTarget } from '../script/types.ts';

export interface Own {
  readonly credential: OwnCredential;
  /** Of a bootstrap kubeconfig; a join command is taken as it is. */
  readonly bootstrap: { readonly user: ClientUser; readonly expiry: OwnBootstrap['expiry'] } | undefined;
}

/** Whether one is given, without a look at it. */
export const hasOwnCredential = ({ joinCommand, joinCommandFile, bootstrapKubeconfig }: Answers): boolean =>
  (joinCommand ?? joinCommandFile ?? bootstrapKubeconfig) !== undefined;

/** @throws Failure JoinCommandInvalid, AnswerInvalid */
export async function ownCredential(answers: Answers, { bootstrapKubeconfig }: AnswerFiles): Promise<Own | undefined> {
  if (bootstrapKubeconfig !== undefined) {
    const { user, expiry } = parseBootstrapKubeconfig(bootstrapKubeconfig);
    return { credential: { user }, bootstrap: { user: clientUser(user), expiry } };
  }
  const join = await userJoinCommand(answers);
  return join && { credential: { join }, bootstrap: undefined };
}

/** Its name is a part of sentences, and holds nothing of the credential. */
function clientUser(user: BootstrapUser): ClientUser {
  const of = 'of --bootstrap-kubeconfig';
  if (user.kind === 'token') return { name: `token ${of}`, token: user.token };
  const { certificate, key } = user;
  if (!isPair(certificate, key)) {
    throw new Failure('AnswerInvalid', `the client certificate and key ${of} are no pair that belongs together`);
  }
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  return { name: `client certificate ${of}`, certData: base64(certificate), keyData: base64(key) };
}

function isPair(certificate: string, key: string): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

async function userJoinCommand({ joinCommand, joinCommandFile }: Answers): Promise<JoinTarget | undefined> {
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
