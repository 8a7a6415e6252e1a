import type { Scope } from '../../../platform/base/principal.ts';
import { ANY_CATEGORY } from '../../catalog/any-category.ts';
import { listCategories } from '../../catalog/list-categories.ts';
import type { CategoryRow } from '../../catalog/queries.ts';
import type { Deps } from '../../deps.ts';
import * as queries from './choice-queries.ts';

/** What the recipient of an `any` gift can choose, in the catalog's order. */
export async function listChoices(deps: Pick<Deps, 'database'>): Promise<CategoryRow[]> {
  return choicesOf(await listCategories(deps));
}

export const choicesOf = (categories: readonly CategoryRow[]): CategoryRow[] =>
  categories.filter(({ category_id, retired_at }) => category_id !== ANY_CATEGORY && retired_at === null);

/**
 * Sets the category of an `any` gift, as often as the recipient likes until the claim.
 *
 * @param choice `linkVersion` of the page; `categoryId` as the form names it
 * @returns whether it was set; false if the gift, the link or the category does not allow it
 */
export async function chooseCategory(
  { database }: Pick<Deps, 'database'>,
  { organizationId, environment }: Scope,
  giftId: string,
  { linkVersion, categoryId }: { linkVersion: number; categoryId: string },
): Promise<boolean> {
  const chosen = [organizationId, environment, giftId, linkVersion, categoryId] as const;
  return (await queries.chooseCategory(database.change, [...chosen])).length > 0;
}
