import type { Deps } from '../../core/deps.ts';
import { deleteExpiredRecords } from './queries.ts';

/** Deletes what sign-ins of assistants left: codes, used tokens, and programs that no one signed in. */
export async function forgetConnections({ database, clock }: Pick<Deps, 'database' | 'clock'>): Promise<void> {
  await deleteExpiredRecords(database.home, [new Date(clock.now())]);
}
