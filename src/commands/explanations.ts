/** What every code means: the one source of `explain` and of docs/errors.md. */
import { failures } from '../errors.ts';
import { exitCodes } from '../exit-codes.ts';
import { templateText } from '../script/templates.ts';

export interface Explanation {
  /** `TokenNotSigned`, `exit-4`, `node-39`. */
  readonly code: string;
  /** One sentence. */
  readonly why: string;
  readonly next: readonly string[];
  /** Exit code of the process, or of the script on a node. */
  readonly exit: number;
  /** Of an exit code: the failures that end with it. */
  readonly codes?: readonly string[];
}

export const failureExplanations: readonly Explanation[] = Object.entries(failures).map(
  ([code, { exit, why, next }]) => ({ code, why, next, exit }),
);

export const exitExplanations: readonly Explanation[] = exitCodes.map(({ exit, means }) => {
  const codes = failureExplanations.filter((each) => each.exit === exit).map(({ code }) => code);
  return {
    code: `exit-${exit}`,
    why: `${means.charAt(0).toUpperCase()}${means.slice(1)}.`,
    next: nextOfExit(exit, codes),
    exit,
    ...(codes.length > 0 && { codes }),
  };
});

function nextOfExit(exit: number, codes: readonly string[]): readonly string[] {
  if (codes.length > 0) return ['Run ackone-join explain with the code that stands behind "Error".'];
  if (exit === 6) return ['Run the same command with --yes and without --dry-run to make the changes.'];
  return exit > 128 ? ['Read what it said last: what was taken back, and what stands.'] : [];
}

/** Of the script on a node, from the table that it ends by itself (script-templates/lib/fail.sh). */
export const nodeExplanations = (): readonly (Explanation & { readonly name: string })[] =>
  [...templateText('lib/fail.sh').matchAll(/^(\d\d) ([a-z-]+) (.+)$/gm)].map(([, exit = '', name = '', sentence]) => ({
    code: `node-${exit}`,
    name,
    why: `${sentence} (${name}).`,
    next: [
      'Read the last lines of /var/log/acs/init.log or /var/log/ackone-join.log on the node: they name the values.',
    ],
    exit: Number(exit),
  }));

export const explanations = (): readonly Explanation[] => [
  ...failureExplanations,
  ...exitExplanations,
  ...nodeExplanations(),
];
