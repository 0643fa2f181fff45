import leven from 'leven';

/** The name that was probably meant: within a third of its length in edits, or two, which two swapped letters are; the closest first. */
export function nearest(given: string, names: readonly string[]): string | undefined {
  const scored = names
    .map((name) => ({ name, distance: leven(given.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(2, Math.floor(name.length / 3)));
  return scored.sort((a, b) => a.distance - b.distance)[0]?.name;
}
