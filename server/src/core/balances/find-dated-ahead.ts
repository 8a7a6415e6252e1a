import { timeOfId } from '../../platform/base/id-time.ts';
import type { Deps } from '../deps.ts';
import { selectDatedAhead } from './future-queries.ts';

/**
 * Finds balances with orders that a process with a wrong clock dated in the future. Until that time, lists and statements
 * also date the organization's later orders there.
 *
 * @returns the number of balances and the latest date; undefined if every balance is dated correctly
 */
export async function findDatedAhead({
  database,
}: Pick<Deps, 'database'>): Promise<{ balances: number; until: Date } | undefined> {
  const rows = await selectDatedAhead(database.shards, []);
  if (rows.length === 0) return undefined;
  const latestMs = Math.max(...rows.map(({ last_id }) => timeOfId(last_id).getTime()));
  return { balances: rows.reduce((sum, { balances }) => sum + balances, 0), until: new Date(latestMs) };
}
