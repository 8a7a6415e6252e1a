import type { Deps } from '../deps.ts';
import { type CategoryRow, selectCategories } from './queries.ts';

/** Lists all categories, including retired ones. */
export function listCategories(deps: Pick<Deps, 'database'>): Promise<CategoryRow[]> {
  return selectCategories(deps.database.shared, []);
}
