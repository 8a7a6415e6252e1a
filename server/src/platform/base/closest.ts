/** Longer texts are no slip of a word. */
const LONGEST_COMPARED = 64;

/** The word that differs least, by at most a third of its characters and two. */
export function closestOf(given: string, words: readonly string[]): string | undefined {
  if (given.length > LONGEST_COMPARED) return undefined;
  const [best] = words
    .map((word) => ({ word, distance: distanceOf(given.toLowerCase(), word) }))
    .filter(({ word, distance }) => distance <= Math.min(2, Math.ceil(word.length / 3)))
    .toSorted((a, b) => a.distance - b.distance);
  return best?.word;
}

/** The fewest slips: a character added, left out, changed or swapped with its neighbor (optimal string alignment). */
function distanceOf(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, n) => n);
  for (const [n, letter] of [...from].entries()) {
    const next = [n + 1];
    for (let column = 1; column < row.length; column += 1) {
      const isSwapped = n > 0 && column > 1 && letter === to[column - 2] && from[n - 1] === to[column - 1];
      next.push(
        Math.min(
          (next[column - 1] ?? 0) + 1,
          (row[column] ?? 0) + 1,
          (row[column - 1] ?? 0) + (to[column - 1] === letter ? 0 : 1),
          isSwapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}
