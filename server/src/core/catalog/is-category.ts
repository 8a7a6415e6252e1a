import type { Deps } from '../deps.ts';
import { selectCategoryExists } from './queries.ts';

/** Whether a category of this id exists, also a retired one. */
export const isCategory = async ({ database }: Pick<Deps, 'database'>, categoryId: string): Promise<boolean> =>
  (await selectCategoryExists(database.shared, [categoryId])).length > 0;
