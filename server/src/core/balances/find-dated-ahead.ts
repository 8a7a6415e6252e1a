import { timeOfId } from '../../platform/base/id-time.ts';
import type { Deps } from '../deps.ts';
import { selectDatedAhead } from './future-queries.ts';

/**
 * Finds balances with orders that a process with a wrong clock dated in the future: lists and statements put them there, and
 * so the next ones until then.
 *
 * @returns how many balances, and up to when; undefined if there are none
 */
export async function findDatedAhead({
  database,
}: Pick<Deps, 'database'>): Promise<{ balances: number; until: Date } | undefined> {
  const rows = await selectDatedAhead(database.shards, []);
  if (rows.length === 0) return undefined;
  const latestMs = Math.max(...rows.map(({ last_id }) => timeOfId(last_id).getTime()));
  return { balances: rows.reduce((sum, { balances }) => sum + balances, 0), until: new Date(latestMs) };
}
