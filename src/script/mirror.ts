/** A mirror of packages of the user's own. */
import type { Finding } from '../errors.ts';
import { warning } from './findings.ts';
import type { ScriptInput } from './types.ts';

export const isOwnMirror = (mirror: ScriptInput['mirror']): boolean => /^https?:/.test(mirror);

/** Over http anybody on the way can change a package or a key, so what counts is what the keys are compared with. */
export function mirrorFindings(mirror: ScriptInput['mirror']): readonly Finding[] {
  if (!mirror.startsWith('http:')) return [];
  return [
    warning(
      'MirrorUnencrypted',
      `packages come over plain http from ${mirror}, so they are checked by pinned keys only: docker's and Kubernetes' by those in this tool, the system's by those on the image; the script stops at a repository that checks none`,
      'Give an https URL if the mirror has one.',
    ),
  ];
}
