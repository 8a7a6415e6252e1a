import { OperatorError } from '../../platform/base/operator-error.ts';
import { onEveryShard } from '../../platform/database/on-every-shard.ts';
import type { Deps } from '../deps.ts';
import * as queries from './queries.ts';

/**
 * Ends the sale of a category. Repeating it keeps the first time.
 *
 * @throws OperatorError if the category does not exist
 */
export async function retireCategory(deps: Pick<Deps, 'database' | 'clock'>, id: string): Promise<queries.CategoryRow> {
  const now = new Date(deps.clock.now());
  const [[row] = []] = await onEveryShard(deps.database, (client) => queries.retireCategory(client, [id, now]));
  if (row === undefined) throw new OperatorError(`There is no category ${id}.`);
  return row;
}
