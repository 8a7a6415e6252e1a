import { OperatorError } from '../../platform/base/operator-error.ts';
import { onEveryShard } from '../../platform/database/on-every-shard.ts';
import type { Language } from '../../platform/languages/languages.ts';
import type { Deps } from '../deps.ts';
import * as queries from './queries.ts';

/** Undefined keeps a value. */
export interface CategoryChanges {
  name?: string | undefined;
  /** For recipients, by language; null: the name again. */
  names?: { readonly [Tag in Language]?: string | null } | undefined;
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
  { name, names, description, artwork, productDetailsUrl, position, isReinstated }: CategoryChanges,
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
      names ?? {},
    ]),
  );
  if (row === undefined) throw new OperatorError(`There is no category ${id}.`);
  return row;
}
