import type { Deps } from '../deps.ts';
import { deleteSignInCodes } from './queries.ts';

/** They work for minutes; a day leaves time to see in the outbox why one did not arrive. */
const KEPT_FOR_MS = 86_400_000;

/** Forgets the sign-in codes of a day ago. */
export async function deleteOldCodes({ clock, database }: Pick<Deps, 'clock' | 'database'>): Promise<void> {
  await deleteSignInCodes(database.pool, [new Date(clock.now() - KEPT_FOR_MS)]);
}
