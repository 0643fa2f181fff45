/** Findings: short ways to write one, and what those do that stop. */
import { Failure, type FailureCode, type Finding, failures } from '../errors.ts';

type Stop = Extract<Finding, { severity: 'stop' }>;

export const stop = (code: FailureCode, what: string, ...next: string[]): Stop => ({
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
  const stops = findings.filter((finding): finding is Stop => finding.severity === 'stop');
  const [first, ...others] = stops;
  if (!first) return;
  throw new Failure(first.code, first.what, {
    causes: others.map((finding) => finding.what),
    next: stops.flatMap((finding) => finding.next),
  });
}

/** What stops a run that has consent, and is shown as a warning in a plan that nobody has said yes to. */
export function stopWithConsent(
  consented: boolean,
  code: FailureCode,
  what: string,
  ...next: string[]
): readonly Finding[] {
  const found = stop(code, what, ...next);
  if (consented) throw new Failure(code, what, { next: found.next });
  return [warning(code, what, ...found.next)];
}
