import type { Deps } from '../deps.ts';
import { deleteTriesBefore, insertTry } from './queries.ts';

/** Longer than any client retries. */
const KEPT_FOR_MS = 3_600_000;

/**
 * Records in the database that a sandbox idempotency key was tried.
 *
 * @param organizationId UUID
 * @returns whether this was the key's first try within about an hour
 */
export async function recordFirstTry(
  { clock, database }: Pick<Deps, 'clock' | 'database'>,
  organizationId: string,
  idempotencyKey: string,
): Promise<boolean> {
  const [first] = await insertTry(database.pool, [organizationId, idempotencyKey, new Date(clock.now())]);
  return first !== undefined;
}

export async function forgetOldTries({ clock, database }: Pick<Deps, 'clock' | 'database'>): Promise<void> {
  await deleteTriesBefore(database.shards, [new Date(clock.now() - KEPT_FOR_MS)]);
}
