import type { Deps } from '../../deps.ts';
import { deleteExpiredSessions } from './queries.ts';

/** What one minute deletes at most, so that a backlog holds up nothing. */
const MOST_AT_A_TIME = 1_000;

/** Forgets sessions that ended a day ago or earlier, with where they were used from; safe to repeat. */
export async function forgetSessions({ database }: Pick<Deps, 'database'>): Promise<void> {
  await deleteExpiredSessions(database.pool, [MOST_AT_A_TIME]);
}
