const unitSeconds = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86400 } as const;

/**
 * Seconds of a duration as Go writes them (`1h30m`, `90s`), with days as well (`30d`), or of a bare number of seconds.
 * @returns undefined when it is none, or is longer than a century.
 */
export function durationSeconds(text: string): number | undefined {
  const trimmed = text.trim();
  const parts = [...trimmed.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)];
  if (parts.length > 0 && parts.map((part) => part[0]).join('') === trimmed) {
    const seconds = parts.reduce(
      (sum, [, count, unit]) => sum + Number(count) * unitSeconds[unit as keyof typeof unitSeconds],
      0,
    );
    return seconds <= 100 * 366 * 86400 ? seconds : undefined;
  }
  return /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : undefined;
}

/** `900` → `15m`, `5400` → `1h30m`, `86400` → `24h`: as Go's tools write them. */
export function durationText(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [
    [Math.floor(whole / 3600), 'h'],
    [Math.floor((whole % 3600) / 60), 'm'],
    [whole % 60, 's'],
  ] as const;
  return parts.map(([count, unit]) => (count > 0 ? `${count}${unit}` : '')).join('') || '0s';
}
