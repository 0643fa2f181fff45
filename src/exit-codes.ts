/** What each exit code of the process means: a stable surface (DESIGN.md section 6), shown by help, explain and docs. */
export const exitCodes = [
  { exit: 0, means: 'done, or nothing to change' },
  { exit: 1, means: 'a bug of ackone-join' },
  { exit: 2, means: 'usage is wrong, or consent is missing' },
  { exit: 3, means: 'refused by a check, before anything was written' },
  { exit: 4, means: 'the cluster refused, or did not answer' },
  { exit: 5, means: 'OSS refused, or did not answer' },
  { exit: 6, means: 'changes are pending' },
  { exit: 7, means: 'switched, but not confirmed' },
  { exit: 129, means: 'the terminal was closed (SIGHUP)' },
  { exit: 130, means: 'interrupted (SIGINT, Ctrl-C)' },
  { exit: 143, means: 'ended from outside (SIGTERM)' },
] as const;

export type ExitCode = (typeof exitCodes)[number]['exit'];
