import type { Deps } from '../deps.ts';
import { deleteSignInCodes } from './queries.ts';

/** Codes work for minutes; after a day the outbox still shows why one did not arrive. */
const KEPT_FOR_MS = 86_400_000;

/** Deletes sign-in codes that are older than a day. */
export async function deleteOldCodes({ clock, database }: Pick<Deps, 'clock' | 'database'>): Promise<void> {
  await deleteSignInCodes(database.pool, [new Date(clock.now() - KEPT_FOR_MS)]);
}
