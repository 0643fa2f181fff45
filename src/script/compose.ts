/** Facts and answers to bash: the same input gives the same bytes. */
import { createHash } from 'node:crypto';
import { Failure } from '../errors.ts';
import { header } from './header.ts';
import { isImageReference } from './images.ts';
import { templateFiles, templateText } from './templates.ts';
import type { Script, ScriptInput } from './types.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Any text as the rest of a comment line: nothing in it can end the line. */
const inComment = (text: string) => text.replace(/[^\x20-\x7e]/g, '?');

/** JSON in ASCII on one line, keys sorted at every run alike. */
function answersComment(input: ScriptInput, digest: string): string {
  const answers = Object.fromEntries(Object.entries(input.answers).sort(([a], [b]) => (a < b ? -1 : 1)));
  const json = JSON.stringify({ digest, answers });
  return `# ackone-join: ${json.replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}

/** The templates one after the other, with a heading where a folder begins. */
const bodyText = (files: readonly string[]) =>
  files
    .map((file, at) => {
      const [folder] = file.split('/');
      const heading = files[at - 1]?.startsWith(`${folder}/`) ? '' : `# ---- ${folder?.replace('.sh', '')}\n`;
      return heading + templateText(file);
    })
    .join('\n');

/**
 * The bootstrap script. Values stand in the header only, quoted; everything else is the text of script-templates/.
 * The tool's version stands in line 2 only, so that two scripts which differ by it alone differ in their first comment.
 * @throws Failure AnswerInvalid for a sandbox image that could break out of a TOML string or a unit.
 */
export function compose(input: ScriptInput): Script {
  if (!isImageReference(input.sandboxImage)) {
    throw new Failure('AnswerInvalid', `The sandbox image ${input.sandboxImage} is no image reference.`);
  }
  const body = bodyText(templateFiles(input));
  const code = `${header(input, body)}\n${body}`;
  const digest = sha256(code);
  const text = `#!/bin/bash
# Made by ackone-join ${inComment(input.toolVersion)} for cluster ${inComment(input.clusterName)}: joins this host to it.
# It holds a bootstrap token: whoever reads it can join nodes.

${code}
SCRIPT_DIGEST='${digest}'
${answersComment(input, digest)}main "$@"
`;
  return { text, digest: sha256(text), size: Buffer.byteLength(text) };
}
