/** Value of a constant of a composed script, as bash would read its quoted word. */
export function constantOf(script: string, name: string): string {
  const word = new RegExp(`^${name}='((?:[^']|'\\\\'')*)'$`, 'm').exec(script)?.[1];
  if (word === undefined) throw new Error(`the script has no constant ${name}`);
  return word.replaceAll("'\\''", "'");
}
