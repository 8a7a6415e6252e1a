import type { Deps } from '../deps.ts';
import { type CategoryRow, selectCategories } from './queries.ts';

/** The whole catalog in its order, retired categories too. */
export function listCategories(deps: Pick<Deps, 'database'>): Promise<CategoryRow[]> {
  return selectCategories(deps.database.read, []);
}
