/** Findings: short ways to write one, and what those do that stop. */
import { Failure, type FailureCode, type Finding, failures } from '../errors.ts';

export const stop = (code: FailureCode, what: string, ...next: string[]): Finding => ({
  severity: 'stop',
  code,
  what,
  next: next.length > 0 ? next : failures[code].next,
});
export const warning = (code: string, what: string, ...next: string[]): Finding => ({
  severity: 'warning',
  code,
  what,
  next,
});
export const note = (code: string, what: string, ...next: string[]): Finding => ({
  severity: 'note',
  code,
  what,
  next,
});

/** One decided value: undefined only beside a finding that stops. */
export interface Decided<T> {
  readonly value: T | undefined;
  /** Where it came from, for the plan. */
  readonly source: string;
  readonly findings: readonly Finding[];
}

/** What stops a run, all of it said at once. @throws Failure of the first one's code */
export function refuseStops(findings: readonly Finding[]): void {
  const stops = findings.filter((finding) => finding.severity === 'stop');
  const [first, ...others] = stops;
  if (!first) return;
  throw new Failure(first.code as FailureCode, first.what, {
    causes: others.map((finding) => finding.what),
    next: stops.flatMap((finding) => finding.next),
  });
}
