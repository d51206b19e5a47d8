/** Longer names are not misspellings, and comparing them takes time. */
const maxNameLength = 64;

/** The edit distance: insertions, deletions, replacements and swaps of adjacent letters. */
export function editDistance(one: string, other: string): number {
  if (one.length > maxNameLength || other.length > maxNameLength) return Number.POSITIVE_INFINITY;
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        (last[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (last[column - 1] as number) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[column - 2] ?? Number.POSITIVE_INFINITY) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[other.length] as number;
}

const maxSuggestions = 3;
const maxMistypedLetters = 3;

/**
 * Suggestions for a misspelled name: those one letter off; otherwise those with extra or missing words; otherwise the
 * closest.
 */
export function nearestNames(name: string, known: Iterable<string>): string[] {
  const ranked = [...known]
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    .toSorted((one, other) => one.distance - other.distance);
  const within = (most: number): string[] =>
    ranked.filter(({ distance }) => distance <= most).map(({ candidate }) => candidate);
  const sameWords = ranked
    .map(({ candidate }) => candidate)
    .filter((candidate) => isPart(name, candidate) || isPart(candidate, name));
  const choices = [within(1), sameWords, within(maxMistypedLetters).slice(0, 1)];
  return (choices.find((names) => names.length > 0) ?? []).slice(0, maxSuggestions);
}

/** Whether one name contains every word of the other. */
function isPart(one: string, other: string): boolean {
  const words = new Set(other.split("_"));
  return one.split("_").every((word) => words.has(word));
}
