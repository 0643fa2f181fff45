/** Whether there are colours, and which: they only repeat what a sign or a word says already. */

/** FORCE_COLOR wins over NO_COLOR as in Node itself (https://nodejs.org/api/cli.html#force_color1-2-3). */
export function wantsColours(env: NodeJS.ProcessEnv, refused: boolean, terminal: boolean): boolean {
  if (refused) return false;
  if (env.FORCE_COLOR !== undefined) return !['0', 'false'].includes(env.FORCE_COLOR);
  return terminal && !env.NO_COLOR;
}

const green = 32;
const red = 31;
const yellow = 33;
const beginnings = [
  [/^✔/gm, green],
  [/^✘/gm, red],
  [/^Error \w+/gm, red],
  [/^Warning/gm, yellow],
] as const;

/** Colours the signs and words that lines begin with. Text of strangers is on one line with ours in front of it (visible()). */
export const coloured = (text: string): string =>
  beginnings.reduce(
    (sofar, [beginning, colour]) => sofar.replace(beginning, (word) => `\u001b[${colour}m${word}\u001b[39m`),
    text,
  );
