import { OperatorError } from '../base/operator-error.ts';
import type { Deps } from '../deps.ts';
import * as queries from './queries.ts';

/** What is left out, or undefined, stays as it is. */
interface CategoryChanges {
  name?: string | undefined;
  description?: string | undefined;
  /** Null takes it away. */
  artwork?: string | null | undefined;
  /** Null: this service's own page. */
  productDetailsUrl?: string | null | undefined;
  position?: number | undefined;
  /** Sells a retired category again. */
  isReinstated?: boolean | undefined;
}

/** @throws OperatorError where there is no such category */
export async function updateCategory(
  deps: Pick<Deps, 'database'>,
  id: string,
  { name, description, artwork, productDetailsUrl, position, isReinstated }: CategoryChanges,
): Promise<queries.CategoryRow> {
  const [row] = await queries.updateCategory(deps.database.read, [
    id,
    name ?? null,
    description ?? null,
    artwork !== undefined,
    artwork ?? null,
    productDetailsUrl !== undefined,
    productDetailsUrl ?? null,
    position ?? null,
    isReinstated ?? false,
  ]);
  if (row === undefined) throw new OperatorError(`There is no category ${id}.`);
  return row;
}
