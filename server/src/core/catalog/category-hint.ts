import { closestOf } from '../../platform/base/closest.ts';
import type { Deps } from '../deps.ts';
import { listCategories } from './list-categories.ts';

const MOST_LISTED = 20;

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
