import type { Deps } from '../deps.ts';
import { type CategoryRow, selectCategory } from './queries.ts';

/** A category, retired or not: gifts of it stay. */
export async function findCategory(deps: Pick<Deps, 'database'>, categoryId: string): Promise<CategoryRow | undefined> {
  const [category] = await selectCategory(deps.database.read, [categoryId]);
  return category;
}
