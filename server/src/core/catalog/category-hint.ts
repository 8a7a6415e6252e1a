import type { Deps } from '../deps.ts';
import { listCategories } from './list-categories.ts';

const MOST_LISTED = 20;
/** Longer ids are no slip of a category's id, which has at most 64 characters. */
const LONGEST_COMPARED = 64;

/**
 * Says which categories there are instead of an unknown one, and which one is meant if it is close. An order is refused with
 * or without this help, so a failed read leaves it out.
 */
export async function categoryHint(deps: Pick<Deps, 'database'>, given: string): Promise<string> {
  const rows = await listCategories(deps).catch(() => []);
  const ids = rows.filter(({ retired_at }) => retired_at === null).map(({ category_id }) => category_id);
  const meant = closestOf(given, ids);
  const listed =
    ids.length === 0
      ? ''
      : ids.length > MOST_LISTED
        ? ` GET /v1/categories lists all ${ids.length}.`
        : ` The categories are: ${ids.join(', ')}.`;
  return `${meant === undefined ? '' : ` Did you mean ${meant}?`}${listed}`;
}

/** The id that differs least, by at most a third of its characters and two. */
export function closestOf(given: string, ids: readonly string[]): string | undefined {
  if (given.length > LONGEST_COMPARED) return undefined;
  const [best] = ids
    .map((id) => ({ id, distance: distanceOf(given.toLowerCase(), id) }))
    .filter(({ id, distance }) => distance <= Math.min(2, Math.ceil(id.length / 3)))
    .toSorted((a, b) => a.distance - b.distance);
  return best?.id;
}

/** The Levenshtein distance: the fewest characters to add, leave out or change. */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, n) => n);
  for (const [n, letter] of [...from].entries()) {
    const next = [n + 1];
    for (let column = 1; column < row.length; column += 1)
      next.push(
        Math.min(
          (next[column - 1] ?? 0) + 1,
          (row[column] ?? 0) + 1,
          (row[column - 1] ?? 0) + (to[column - 1] === letter ? 0 : 1),
        ),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
