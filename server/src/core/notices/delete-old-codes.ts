import type { Deps } from '../deps.ts';
import { deleteCodes } from './code-queries.ts';
import { deleteCodeNotices } from './queries.ts';

/** Codes work for minutes; after a day the outbox still shows why one did not arrive. */
const KEPT_FOR_MS = 86_400_000;

/** Deletes codes that are older than a day. */
export async function deleteOldCodes({ clock, database }: Pick<Deps, 'clock' | 'database'>): Promise<void> {
  const before = new Date(clock.now() - KEPT_FOR_MS);
  await deleteCodes(database.home, [before]);
  // Codes for cards, and sign-in codes of releases that stored them there.
  await deleteCodeNotices(database.shards, [before]);
}
