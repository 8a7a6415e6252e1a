import type { Deps } from '../deps.ts';
import { addCategory } from './add-category.ts';
import { builtInCategories } from './built-in.ts';
import { listCategories } from './list-categories.ts';
import type { CategoryRow } from './queries.ts';

/** Adds the missing built-in categories and returns them. A retired category is not missing. */
export async function addBuiltInCategories(deps: Pick<Deps, 'database' | 'clock'>): Promise<CategoryRow[]> {
  const taken = new Set((await listCategories(deps)).map(({ category_id }) => category_id));
  const added: CategoryRow[] = [];
  for (const { id, name, description, artwork } of builtInCategories)
    if (!taken.has(id)) added.push(await addCategory(deps, { id, name, description, artwork }));
  return added;
}
