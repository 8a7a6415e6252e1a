import { OperatorError } from '../base/operator-error.ts';
import { onEveryShard } from '../database/on-every-shard.ts';
import type { Deps } from '../deps.ts';
import * as queries from './queries.ts';

/** Undefined keeps a value. */
interface CategoryChanges {
  name?: string | undefined;
  description?: string | undefined;
  artwork?: string | null | undefined;
  /** Null: this service's page. */
  productDetailsUrl?: string | null | undefined;
  position?: number | undefined;
  isReinstated?: boolean | undefined;
}

/** @throws OperatorError if the category does not exist */
export async function updateCategory(
  deps: Pick<Deps, 'database'>,
  id: string,
  { name, description, artwork, productDetailsUrl, position, isReinstated }: CategoryChanges,
): Promise<queries.CategoryRow> {
  const [[row] = []] = await onEveryShard(deps.database, (client) =>
    queries.updateCategory(client, [
      id,
      name ?? null,
      description ?? null,
      artwork !== undefined,
      artwork ?? null,
      productDetailsUrl !== undefined,
      productDetailsUrl ?? null,
      position ?? null,
      isReinstated ?? false,
    ]),
  );
  if (row === undefined) throw new OperatorError(`There is no category ${id}.`);
  return row;
}
