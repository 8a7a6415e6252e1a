import { OperatorError } from '../../platform/base/operator-error.ts';
import { onEveryShard } from '../../platform/database/on-every-shard.ts';
import type { Queryable } from '../../platform/database/statement.ts';
import type { Deps } from '../deps.ts';
import { type CategoryRow, insertCategory } from './queries.ts';
import type { CategoryChanges } from './update-category.ts';

interface NewCategory {
  /** Up to 63 lower-case letters, digits and dashes; no leading dash. */
  id: string;
  /** 1 to 200 characters. */
  name: string;
  /** What recipients read instead, by language. */
  names?: CategoryChanges['names'];
  /** 1 to 1,000 characters. */
  description: string;
  /** An https URL or a path of this service. */
  artwork?: string | undefined;
  /** Defaults to this service's page. */
  productDetailsUrl?: string | undefined;
  /** Defaults to the end of the catalog. */
  position?: number | undefined;
}

/** @throws OperatorError if the id is taken, even by a retired category */
export async function addCategory(deps: Pick<Deps, 'database' | 'clock'>, category: NewCategory): Promise<CategoryRow> {
  const createdAt = new Date(deps.clock.now());
  const added = await onEveryShard(deps.database, (client) => insertNewCategory(client, category, createdAt));
  return added[0] as CategoryRow;
}

/** Does the same on the caller's connection. */
export async function insertNewCategory(
  database: Queryable,
  { id, name, names, description, artwork, productDetailsUrl, position }: NewCategory,
  createdAt: Date,
): Promise<CategoryRow> {
  const [row] = await insertCategory(database, [
    id,
    name,
    description,
    artwork ?? null,
    productDetailsUrl ?? null,
    position ?? null,
    createdAt,
    names ?? {},
  ]);
  if (row === undefined) throw new OperatorError(`There is a category ${id} already; update that one.`);
  return row;
}
