/** Who asks: authentication as kubeadm sets kube-apiserver up (client certificates, bootstrap tokens, anonymous). */
import type { Request } from '../http.ts';
import { findToken } from './bootstrap-tokens.ts';
import type { Objects } from './objects.ts';
import { unauthorized } from './status.ts';

export interface User {
  readonly name: string;
  readonly groups: readonly string[];
}

const anonymous: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/**
 * @param anonymousAuth False as with `--anonymous-auth=false`.
 * @throws Refusal 401 for credentials that are not valid, and for none when anonymous requests are off.
 */
export function authenticate(request: Request, objects: Objects, anonymousAuth: boolean): User {
  const user = certificateUser(request) ?? tokenUser(request, objects);
  if (user) return { name: user.name, groups: [...user.groups, 'system:authenticated'] };
  if (!anonymousAuth) throw unauthorized();
  return anonymous;
}

function certificateUser({ socket }: Request): User | undefined {
  const subject = socket?.getPeerCertificate().subject;
  if (!socket || !subject) return undefined;
  if (!socket.authorized) throw unauthorized();
  return { name: [subject.CN].flat()[0] ?? '', groups: [subject.O ?? []].flat() };
}

function tokenUser({ headers }: Request, objects: Objects): User | undefined {
  const bearer = /^bearer (.*)$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer === undefined) return undefined;
  const token = findToken(objects, bearer, new Date());
  if (!token) throw unauthorized();
  return { name: `system:bootstrap:${token.id}`, groups: token.groups };
}
