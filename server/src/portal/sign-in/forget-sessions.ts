import type { Deps } from '../../deps.ts';
import { deleteExpiredSessions } from './queries.ts';

/** Deletes of one run; a run happens every minute. */
const MOST_AT_A_TIME = 1_000;

/** Deletes sessions that ended at least a day ago. */
export async function forgetSessions({ database }: Pick<Deps, 'database'>): Promise<void> {
  await deleteExpiredSessions(database.pool, [MOST_AT_A_TIME]);
}
